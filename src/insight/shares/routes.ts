// Public links of decks over HTTP: contract → operation. Those of dashboards are served beside the dashboards.
import { on, type Route } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const deckShareRoutes = (view: contract.SharedView): Route[] => [
  on(contract.shareDeck, (tx, { params, body }) => operations.createShare(tx, { view, id: params.deck_id }, body)),
  on(contract.listDeckShares, (tx, { params, query }) => operations.listDeckShares(tx, params.deck_id, query)),
  on(contract.revokeDeckShare, (tx, { params }) => operations.revokeShare(tx, 'deck', params.share_id)),
]
