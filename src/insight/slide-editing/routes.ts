// Slides over HTTP: contract → operation.
import { on, onOutside } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

/** Where nothing may leave the service, the rules speak. */
const rehearse = (_: unknown, plan: operations.Plan) => operations.say({ model: null }, plan)

export const slideRoutes = [
  onOutside(contract.addSlide, {
    read: (tx, { params, body }) => operations.planSlide(tx, params.deck_id, body),
    call: operations.say,
    rehearse,
    write: (tx, { params, body }, plan, told) => operations.addSlide(tx, params.deck_id, body, plan, told),
  }),
  on(contract.reorderSlides, (tx, { params, body }) => operations.reorderSlides(tx, params.deck_id, body.slide_ids)),
  on(contract.updateSlide, (tx, { params, body }) => operations.updateSlide(tx, params.deck_id, params.slide_id, body)),
  on(contract.duplicateSlide, (tx, { params }) => operations.duplicateSlide(tx, params.deck_id, params.slide_id)),
  onOutside(contract.refreshSlide, {
    read: (tx, { params }) => operations.planRefresh(tx, params.deck_id, params.slide_id),
    call: operations.say,
    rehearse,
    write: (tx, { params }, plan, told) => operations.refreshSlide(tx, params.deck_id, params.slide_id, plan, told),
  }),
  on(contract.toggleSlide, (tx, { params }) => operations.toggleSlide(tx, params.deck_id, params.slide_id)),
]
