// The making of decks over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from '../decks/contract.ts'
import * as operations from './operations.ts'

export const deckMakingRoutes = [
  on(contract.createDeck, (tx, { body }) => operations.createDeck(tx, body)),
  on(contract.refreshDeck, (tx, { params, body }) => operations.refreshDeck(tx, params.deck_id, body)),
]
