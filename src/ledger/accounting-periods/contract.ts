// Accounting periods: the months of a fiscal year, and the locks on them. Every posting asks them.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { anyObject, boolean, cents, date, id, integer, list, nullable, oneOf, optional, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { AREAS, PERIOD_STATUSES } from '../books/contract.ts'
import { EntryHeader } from '../journal/contract.ts'

export const AccountingPeriod = shape('AccountingPeriod', {
  ...record,
  fiscal_year: integer(1, 9999, { description: 'The calendar year it ends in.' }),
  sequence: integer(1, 12),
  name: Type.String({ description: 'Year and month, as 2026-03.' }),
  start_date: date(),
  end_date: date(),
  status: oneOf(PERIOD_STATUSES),
  locks: list(oneOf(AREAS), { description: 'Areas whose documents post no entries here although it is open.' }),
  closed_at: nullable(timestamp()),
  closed_by: nullable(id()),
  reopen_reason: nullable(Type.String()),
  closing_hash: nullable(Type.String({ description: 'The hash of its certificate, while it is closed.' })),
})
export type AccountingPeriod = Static<typeof AccountingPeriod>

export const CurrentPeriod = shape('CurrentAccountingPeriod', {
  period: AccountingPeriod,
  first_open_dates: shape('FirstOpenDates', Object.fromEntries(AREAS.map((area) => [area, nullable(date())])) as Record<(typeof AREAS)[number], ReturnType<typeof nullable<ReturnType<typeof date>>>>),
})

export const PeriodCheck = shape('PeriodCheck', {
  key: Type.String(),
  severity: oneOf(['blocker', 'warning']),
  ok: boolean(),
  count: integer(0),
  detail: Type.String(),
  href: nullable(Type.String()),
})
export type PeriodCheck = Static<typeof PeriodCheck>

const TrialBalanceRow = shape('CertifiedBalance', { ledger_id: id(), number: nullable(Type.String()), name: Type.String(), opening: cents(), debit: cents(), credit: cents(), closing: cents() })

export const Certificate = shape('PeriodCertificate', {
  id: id(),
  business_id: id(),
  period_id: id(),
  journal_number: integer(0, undefined, { description: 'The last entry of the journal when it was signed.' }),
  trial_balance: list(TrialBalanceRow),
  tie_outs: list(shape('TieOut', { role: Type.String(), ledger_id: id(), ledger_balance: cents(), item_balance: cents(), difference: cents() })),
  open_items: list(anyObject({ description: 'Items open at the end of the period.' })),
  hash: Type.String({ description: 'SHA-256 over all of the above.' }),
  signed_by: nullable(id()),
  signed_by_name: Type.String(),
  signed_at: timestamp(),
})
export type Certificate = Static<typeof Certificate>

export const Drift = shape('PeriodDrift', {
  certificate_id: id(),
  signed_at: timestamp(),
  unchanged: boolean(),
  entries: list(EntryHeader, { description: 'Entries of the period that came after it was signed, at most 1,000.' }),
  changes: list(shape('DriftedBalance', { ledger_id: id(), certified: cents(), now: cents(), difference: cents() })),
})

export const periodResource = resource({
  type: 'accounting_period',
  group: 'accounting-periods',
  shape: AccountingPeriod,
  table: 'accounting_periods',
  label: 'name',
  events: [
    'accounting_period.generated', 'accounting_period.locked', 'accounting_period.unlocked', 'accounting_period.soft_closed', 'accounting_period.closed',
    'accounting_period.reopened',
  ],
})

const params = Type.Object({ period_id: id() })
const endpoint = endpointsOf('accounting-periods', 'business')

export const listPeriods = endpoint({
  id: 'list_accounting_periods',
  method: 'GET',
  path: '',
  summary: 'List accounting periods, newest first',
  query: listQuery(['start_date'], { fiscal_year: optional(integer(1, 9999)), status: optional(oneOf(PERIOD_STATUSES)), start_date: optional(date()), end_date: optional(date()) }),
  reply: pageOf(AccountingPeriod),
})

export const getCurrentPeriod = endpoint({
  id: 'get_current_accounting_period',
  method: 'GET',
  path: '/current',
  summary: 'Get the period of today',
  description: 'Today is that of the time zone of the business. Also tells from which date on each area can post.',
  reply: CurrentPeriod,
})

export const generatePeriods = endpoint({
  id: 'generate_accounting_periods',
  method: 'POST',
  path: '/generate',
  summary: 'Make the periods of a fiscal year',
  description: 'Past or future, next to the years that exist. A year that exists already is answered as it is.',
  body: shape('FiscalYearInput', { fiscal_year: integer(1900, 2200) }),
  reply: list(AccountingPeriod),
  refusals: ['The year does not touch those that exist.'],
  example: { fiscal_year: 2026 },
})

export const closeYear = endpoint({
  id: 'close_fiscal_year',
  method: 'POST',
  path: '/close-year',
  summary: 'Close all periods of a fiscal year',
  description: 'In order, all or nothing.',
  body: shape('CloseYearInput', { fiscal_year: integer(1900, 2200), accept_warnings: optional(boolean({ default: false })) }),
  reply: list(AccountingPeriod),
  refusals: ['A period has blockers or warnings that were not accepted, an earlier year is not closed, or the year is not over.'],
  example: { fiscal_year: 2025 },
})

export const getPeriod = endpoint({ id: 'get_accounting_period', method: 'GET', path: '/{period_id}', summary: 'Get an accounting period', params, reply: AccountingPeriod })

export const checkPeriod = endpoint({
  id: 'check_accounting_period',
  method: 'GET',
  path: '/{period_id}/checks',
  summary: 'See what stands in the way of closing a period',
  params,
  reply: list(PeriodCheck),
})

export const getCertificate = endpoint({
  id: 'get_period_certificate',
  method: 'GET',
  path: '/{period_id}/certificate',
  summary: 'Get the certificate of a closed period',
  description: 'The latest one, where the period was closed more than once. 404 where it never was.',
  params,
  reply: Certificate,
})

export const getDrift = endpoint({
  id: 'get_period_drift',
  method: 'GET',
  path: '/{period_id}/drift',
  summary: 'See what has changed since a period was certified',
  description: 'Every entry of the period that was recorded after its latest certificate, and what it did to the balances.',
  params,
  reply: Drift,
})

const areas = shape('PeriodAreas', { areas: list(oneOf(AREAS), { minItems: 1, uniqueItems: true }) })

export const lockPeriod = endpoint({ id: 'lock_accounting_period', method: 'PUT', path: '/{period_id}/lock', summary: 'Lock a period for some areas', params, body: areas, reply: AccountingPeriod, example: { areas: ['receivables'] } })
export const unlockPeriod = endpoint({ id: 'unlock_accounting_period', method: 'PUT', path: '/{period_id}/unlock', summary: 'Unlock a period for some areas', params, body: areas, reply: AccountingPeriod, example: { areas: ['receivables'] } })

export const softClosePeriod = endpoint({
  id: 'soft_close_accounting_period',
  method: 'PUT',
  path: '/{period_id}/soft-close',
  summary: 'Close a period softly',
  description: 'From then on only those who may override post into it, with the header x-override-reason.',
  params,
  reply: AccountingPeriod,
  refusals: ['An earlier period is open, or the period is closed.'],
})

export const closePeriod = endpoint({
  id: 'close_accounting_period',
  method: 'PUT',
  path: '/{period_id}/close',
  summary: 'Close a period',
  description: 'Nobody posts into it any more. A certificate with its trial balance is kept.',
  params,
  body: shape('ClosePeriodInput', { accept_warnings: optional(boolean({ default: false })) }),
  reply: AccountingPeriod,
  refusals: ['Something stands in the way (see checks), an earlier period is not closed, or the period is not over.'],
  example: { accept_warnings: true },
})

export const reopenPeriod = endpoint({
  id: 'reopen_accounting_period',
  method: 'PUT',
  path: '/{period_id}/reopen',
  summary: 'Reopen a period',
  params,
  body: shape('ReopenPeriodInput', { reason: text(1, 500, { pattern: '\\S' }) }),
  reply: AccountingPeriod,
  refusals: ['A later period is closed: reopen that first.'],
  example: { reason: 'A late bill.' },
})
