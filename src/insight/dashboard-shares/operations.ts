// Making, listing and ending public links of dashboards, and what they show.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { forbidden, notFound, Refusal } from '../../foundation/refusal.ts'
import { permissionsFor } from '../../access/permissions.ts'
import type { BoardData } from '../dashboard-figures/contract.ts'
import { boardData } from '../dashboard-figures/operations.ts'
import { keepBoard, openBoard, readBoard } from '../dashboards/operations.ts'
import { isAdmin, mayPublish } from '../dashboards/rules.ts'
import type { Share, SharedBoard, SharedView } from '../shares/contract.ts'
import { listShares, revokeShare } from '../shares/operations.ts'
import * as store from './store.ts'

export const boardView: SharedView<SharedBoard> = {
  type: 'dashboard',
  /** Asked for every link that is made, whatever it will show: whoever may not read a figure cannot hand it out. */
  async snapshot(tx, dashboard_id) {
    requireSharer(tx)
    const data = await boardData(tx, await keepBoard(tx, dashboard_id))
    const restricted = data.widgets.find((widget) => widget.restricted)
    if (restricted) throw forbidden(`${restricted.title} shows figures that you may not read: they cannot be shared by you.`)
    return viewOf(data)
  },
  /** Whoever has the link reads what the maker of the link could read, and nothing else: only the figures of this board leave here. */
  live: (tx, dashboard_id) => tx.beside(tx.business, { ...tx.actor, permissions: permissionsFor('viewer') }, async (reader) => (
    viewOf(await boardData(reader, await openBoard(reader, dashboard_id))))),
}

function viewOf({ name, as_of, currency, start_date, end_date, widgets }: BoardData): SharedBoard {
  return {
    title: name, as_of, currency, period_start: start_date, period_end: end_date,
    widgets: widgets.map(({ id, kind, title, x, y, w, h, text, figures, problem, restricted }) => (
      { id, kind, title, x, y, w, h, text, figures, problem: restricted ? 'These figures are not for everybody.' : problem })),
  }
}

/** As with decks. */
function requireSharer({ actor }: BusinessTx): void {
  if (!mayPublish(actor)) throw forbidden(`As ${actor.role ?? 'you are'} you may not show dashboards to the world.`)
}

export async function listDashboardShares(tx: BusinessTx, dashboard_id: string, query: PageQuery): Promise<Page<Share>> {
  const { id } = await readBoard(tx, dashboard_id)
  return listShares(tx, { type: 'dashboard', id }, query)
}

/** A link of what the caller does not see is not there for them; admins keep watch over all. */
export async function revokeDashboardShare(tx: BusinessTx, share_id: string): Promise<Share> {
  const { dashboard_id } = await tx.get(store.subjectOf, { share_id }, 'Share')
  if (!isAdmin(tx.actor)) {
    await readBoard(tx, dashboard_id).catch((error: unknown) => Promise.reject(error instanceof Refusal ? notFound('Share') : error))
    requireSharer(tx)
  }
  return revokeShare(tx, 'dashboard', share_id)
}
