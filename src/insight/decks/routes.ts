// Decks over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const deckRoutes = [
  on(contract.listDecks, (tx, { query }) => operations.listDecks(tx, query)),
  on(contract.getDeck, (tx, { params }) => operations.getDeck(tx, params.deck_id)),
  on(contract.deleteDeck, (tx, { params }) => operations.deleteDeck(tx, params.deck_id)),
]
