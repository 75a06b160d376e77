// Exports of decks over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const deckExportRoutes = [on(contract.exportDeck, (tx, { params, body }) => operations.exportDeck(tx, params.deck_id, body))]
