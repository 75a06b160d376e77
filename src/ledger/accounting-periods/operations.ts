// What can be done with accounting periods. Whatever changes one locks the journal first, so no entry slips in behind it.
import type { Static } from 'typebox'
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { notFound } from '../../foundation/refusal.ts'
import { AREAS, type Area, type BookPeriod, type Books } from '../books/contract.ts'
import { createPeriods, lockJournal, readBooks } from '../books/operations.ts'
import { firstOpenDate } from '../posting/rules.ts'
import { periodResource, type AccountingPeriod, type Certificate, type CurrentPeriod, type Drift, type PeriodCheck } from './contract.ts'
import { certificateHash, requireClosable, requireNotClosed, requirePassed, requireReopenable, requireSoftClosable, requireTouching } from './rules.ts'
import * as store from './store.ts'

/** What a room finds in the way of closing a period. */
export type CloseCheck = (tx: BusinessTx, period: AccountingPeriod, books: Books) => Promise<PeriodCheck[]>

export function listPeriods(tx: BusinessTx, query: PageQuery): Promise<Page<AccountingPeriod>> {
  return tx.page(store.periods, query)
}

export function getPeriod(tx: BusinessTx, period_id: string): Promise<AccountingPeriod> {
  return tx.get(store.findPeriod, { id: period_id }, 'Accounting period')
}

export async function getCurrentPeriod(tx: BusinessTx): Promise<Static<typeof CurrentPeriod>> {
  const [period, { books }] = await Promise.all([tx.get(store.findPeriodOf, { date: tx.today }, `Accounting period of ${tx.today}`), readBooks(tx)])
  const dates = AREAS.map((area) => [area, firstOpenDate(books.periods, books.periods[0]?.start_date ?? tx.today, area)])
  return { period, first_open_dates: Object.fromEntries(dates) as Record<Area, string | null> }
}

export async function generatePeriods(tx: BusinessTx, fiscal_year: number): Promise<AccountingPeriod[]> {
  const { books } = await lockJournal(tx)
  const existing = await tx.many(store.periodsOfYear, { fiscal_year })
  if (existing.length > 0) return existing
  requireTouching(fiscal_year, books.periods)
  return createPeriods(tx, [fiscal_year], await startMonth(tx, books))
}

export async function checkPeriod(tx: BusinessTx, period_id: string, checks: readonly CloseCheck[]): Promise<PeriodCheck[]> {
  const [period, { books }] = await Promise.all([getPeriod(tx, period_id), readBooks(tx)])
  return runChecks(tx, period, books, checks)
}

export async function lockPeriod(tx: BusinessTx, period_id: string, areas: readonly Area[]): Promise<AccountingPeriod> {
  const { period } = await lockBoth(tx, period_id)
  requireNotClosed(period)
  const locks = AREAS.filter((area) => period.locks.includes(area) || areas.includes(area))
  return locks.length === period.locks.length ? period : save(tx, 'accounting_period.locked', period, { locks })
}

export async function unlockPeriod(tx: BusinessTx, period_id: string, areas: readonly Area[]): Promise<AccountingPeriod> {
  const { period } = await lockBoth(tx, period_id)
  requireNotClosed(period)
  const locks = period.locks.filter((area) => !areas.includes(area))
  return locks.length === period.locks.length ? period : save(tx, 'accounting_period.unlocked', period, { locks })
}

export async function softClosePeriod(tx: BusinessTx, period_id: string): Promise<AccountingPeriod> {
  const { period, books } = await lockBoth(tx, period_id)
  if (period.status === 'soft_closed') return period
  requireSoftClosable(period, books.periods)
  return save(tx, 'accounting_period.soft_closed', period, { status: 'soft_closed' })
}

export async function closePeriod(tx: BusinessTx, period_id: string, accept_warnings: boolean, checks: readonly CloseCheck[]): Promise<AccountingPeriod> {
  const { head, period, books } = await lockBoth(tx, period_id)
  if (period.status === 'closed') return period
  return close(tx, period, books.periods, books, head.number, accept_warnings, checks)
}

export async function closeYear(tx: BusinessTx, fiscal_year: number, accept_warnings: boolean, checks: readonly CloseCheck[]): Promise<AccountingPeriod[]> {
  const { head, books } = await lockJournal(tx)
  const periods = await tx.many(store.periodsOfYear, { fiscal_year })
  if (periods.length === 0) throw notFound(`Fiscal year ${fiscal_year}`)
  const closed: AccountingPeriod[] = []
  for (const period of periods) {
    const done = new Set(closed.map(({ id }) => id))
    const now = books.periods.map((other): BookPeriod => (done.has(other.id) ? { ...other, status: 'closed' } : other))
    closed.push(period.status === 'closed' ? period : await close(tx, period, now, books, head.number, accept_warnings, checks))
  }
  return closed
}

export async function reopenPeriod(tx: BusinessTx, period_id: string, reason: string): Promise<AccountingPeriod> {
  const { period, books } = await lockBoth(tx, period_id)
  if (period.status === 'open') return period
  requireReopenable(period, books.periods)
  return save(tx, 'accounting_period.reopened', period, { status: 'open', closed_at: null, closed_by: null, closing_hash: null, reopen_reason: reason }, reason)
}

export async function getCertificate(tx: BusinessTx, period_id: string): Promise<Certificate> {
  await getPeriod(tx, period_id)
  return tx.get(store.latestCertificate, { period_id }, 'Certificate of this period')
}

export async function getDrift(tx: BusinessTx, period_id: string): Promise<Static<typeof Drift>> {
  const period = await getPeriod(tx, period_id)
  const certificate = await tx.get(store.latestCertificate, { period_id }, 'Certificate of this period')
  const { start_date, end_date } = period
  const [entries, now] = await Promise.all([
    tx.many(store.laterEntries, { start_date, end_date, journal_number: certificate.journal_number }),
    tx.many(store.trialBalance, { start_date, end_date }),
  ])
  const certified = new Map(certificate.trial_balance.map((row) => [row.ledger_id, row.closing]))
  const current = new Map(now.map((row) => [row.ledger_id, row.closing]))
  const changes = [...new Set([...certified.keys(), ...current.keys()])]
    .map((ledger_id) => ({ ledger_id, certified: certified.get(ledger_id) ?? 0, now: current.get(ledger_id) ?? 0 }))
    .filter((row) => row.certified !== row.now)
    .map((row) => ({ ...row, difference: row.now - row.certified }))
  return { certificate_id: certificate.id, signed_at: certificate.signed_at, unchanged: entries.length === 0 && changes.length === 0, entries, changes }
}

/** What a certificate of the period would say of the balances. */
export function trialBalanceOf(tx: BusinessTx, { start_date, end_date }: { start_date: string; end_date: string }): Promise<Certificate['trial_balance']> {
  return tx.many(store.trialBalance, { start_date, end_date })
}

async function close(
  tx: BusinessTx, period: AccountingPeriod, periods: readonly BookPeriod[], books: Books, journal_number: number, accept_warnings: boolean, checks: readonly CloseCheck[],
): Promise<AccountingPeriod> {
  requireClosable(period, periods, tx.today)
  requirePassed(period.name, await runChecks(tx, period, books, checks), accept_warnings)
  const certificate = await certify(tx, period, books, journal_number)
  tx.queue(store.insertCertificate, { certificate: JSON.stringify(certificate) })
  return save(tx, 'accounting_period.closed', period, { status: 'closed', closed_at: tx.now, closed_by: tx.actor.user_id, closing_hash: certificate.hash, reopen_reason: null })
}

async function certify(tx: BusinessTx, period: AccountingPeriod, books: Books, journal_number: number): Promise<Certificate> {
  const [trial_balance, { tie_outs, items }] = await Promise.all([trialBalanceOf(tx, period), tieOutsAt(tx, books, period.end_date)])
  const sworn = { business_id: tx.business_id, period_id: period.id, journal_number, trial_balance, tie_outs, open_items: items as Record<string, unknown>[] }
  return { id: newId(), ...sworn, hash: certificateHash(sworn), signed_by: tx.actor.user_id, signed_by_name: tx.actor.name, signed_at: tx.now }
}

/** Receivables and payables against their open items at the end of a month. */
export async function tieOutsAt(tx: BusinessTx, books: Books, end_date: string) {
  const controls = [...books.ledgers.values()].filter(({ role }) => role === 'accounts_receivable' || role === 'accounts_payable')
  const ledger_ids = controls.map(({ id }) => id)
  const [balances, items] = await Promise.all([tx.many(store.balancesAt, { ledger_ids, end_date }), tx.many(store.openItems, { ledger_ids, end_date })])
  const tie_outs = controls.map(({ id: ledger_id, role }) => {
    const ledger_balance = balances.find((row) => row.ledger_id === ledger_id)?.balance ?? 0
    const item_balance = items.reduce((sum, item) => (item.ledger_id === ledger_id ? sum + item.base_amount : sum), 0)
    return { role: role ?? '', ledger_id, ledger_balance, item_balance, difference: ledger_balance - item_balance }
  })
  return { tie_outs, items }
}

/** Their order is the order of the answer. */
async function runChecks(tx: BusinessTx, period: AccountingPeriod, books: Books, checks: readonly CloseCheck[]): Promise<PeriodCheck[]> {
  return (await Promise.all(checks.map((check) => check(tx, period, books)))).flat()
}

/** The journal first, then the period: as everywhere. */
async function lockBoth(tx: BusinessTx, period_id: string) {
  const { head, books } = await lockJournal(tx)
  return { head, books, period: await tx.lock(store.lockPeriod, { id: period_id }, 'Accounting period') }
}

type PeriodEvent = (typeof periodResource.events)[number]

function save(tx: BusinessTx, event: PeriodEvent, period: AccountingPeriod, changes: Partial<AccountingPeriod>, reason?: string): AccountingPeriod {
  const after = changed(period, changes, tx.now)
  tx.queue(store.updatePeriod, after)
  tx.record(periodResource, event, { before: period, after, ...(reason === undefined ? {} : { reason }) })
  return after
}

async function startMonth(tx: BusinessTx, { periods: [first] }: Books): Promise<number> {
  if (first) return Number(first.start_date.slice(5, 7))
  return (await tx.get(store.startMonth, {}, 'Business')).fiscal_year_start_month
}
