// How an item may move, and which day an accepted document is of.
import { lastDayOfMonth } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { RequestItem } from '../document-requests/contract.ts'
import { statusByFiles } from '../document-requests/rules.ts'

export type Decision = { now: string; user_id: string | null; reason: string | null }

/** What was received is good enough; null where that was said already. */
export function accepted(item: RequestItem, { now, user_id }: Decision): RequestItem | null {
  if (item.status === 'accepted') return null
  if (item.status !== 'received') throw invalid(`“${item.label}” is ${item.status}: only what was received can be accepted.`)
  return { ...item, status: 'accepted', reason: null, decided_at: now, decided_by: user_id }
}

/** What was received is not good enough: its files are past, and others are waited for. */
export function rejected(item: RequestItem, { now, user_id, reason }: Decision): RequestItem | null {
  if (item.status === 'rejected') return null
  if (item.status !== 'received') throw invalid(`“${item.label}” is ${item.status}: only what was received can be rejected.`)
  const files = item.files.map((file) => (file.rejected_at === null ? { ...file, rejected_at: now, submitted_at: file.submitted_at ?? now } : file))
  return { ...item, status: 'rejected', reason, decided_at: now, decided_by: user_id, files }
}

export function waived(item: RequestItem, { now, user_id, reason }: Decision): RequestItem | null {
  return item.status === 'waived' ? null : { ...item, status: 'waived', reason, decided_at: now, decided_by: user_id }
}

/** As before it was decided; files of a rejection that is taken back count again. */
export function reopened(item: RequestItem): RequestItem | null {
  if (item.status === 'open' || item.status === 'received') return null
  const past = (rejected_at: string | null) => item.status === 'rejected' && rejected_at === item.decided_at
  const files = item.files.map((file) => (past(file.rejected_at) ? { ...file, rejected_at: null } : file))
  return { ...item, files, status: statusByFiles(files), reason: null, decided_at: null, decided_by: null }
}

/** The last day of a year, a quarter or a month. */
export function dayOfPeriod(period: string | null): string | null {
  if (period === null) return null
  const [year, part] = period.split('-')
  const month = part === undefined ? 12 : part.startsWith('Q') ? Number(part.slice(1)) * 3 : Number(part)
  return year === '0000' ? null : lastDayOfMonth(`${year}-${String(month).padStart(2, '0')}-01`)
}
