// Makes a trial balance.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addDays } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { isProfitAndLoss } from '../../ledger/posting/rules.ts'
import type { Column, ReportColumns } from '../report-columns/contract.ts'
import { askedOf, nameColumns, type Asked } from '../report-columns/operations.ts'
import { fiscalYearAt, rangeOf, requireFew, slotsOf, type Range } from '../report-columns/rules.ts'
import type { Figures } from '../report-figures/contract.ts'
import { figures } from '../report-figures/operations.ts'
import { amountsOf, balanceOf } from '../report-figures/rules.ts'
import type { Report } from '../report-shape/contract.ts'
import { answerOf, checkOf, linkTo, rowsOf, shownOf, type LinkOf } from '../report-shape/rules.ts'
import type { Mode, TrialBalanceQuery } from './contract.ts'
import {
  CLOSED_EARNINGS, combined, MEASURE_LABELS, MEASURES, movementOf, PRIOR_EARNINGS, trialBalanceLines, WORKSHEET, worksheetLines, type Computed, type Movement,
} from './rules.ts'

export async function getTrialBalance(tx: BusinessTx, query: TrialBalanceQuery): Promise<Report> {
  const mode = query.mode ?? 'adjusted'
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const plan = slotsOf(query, range, 'movement', asked.books.periods)
  if (mode !== 'worksheet') return sheet(tx, query, mode, asked, range, plan)
  if ((query.columns ?? 'total') !== 'total') throw invalid('A worksheet has its own columns: leave columns out.')
  return worksheet(tx, query, asked, range, plan)
}

async function sheet(tx: BusinessTx, query: TrialBalanceQuery, mode: Mode, asked: Asked, range: Range, plan: ReportColumns): Promise<Report> {
  const found = await read(tx, asked, plan, mode === 'unadjusted')
  const parts = await nameColumns(tx, plan, found.figures, null)
  requireFew(parts.length * MEASURES.length)
  const ledgers = [...asked.books.ledgers.values()]
  const { movementsOf, computed } = movementsIn(found, ledgers, parts, mode === 'post_closing')
  const shown = ledgers.filter((ledger) => mode !== 'post_closing' || !isProfitAndLoss(ledger))
  const { lines, differences } = trialBalanceLines(shown, movementsOf, computed, shownOf(query), parts.length)
  const columns = parts.flatMap((part) => MEASURES.map((measure): Column => ({
    ...part,
    key: part.key === 'total' ? measure : `${part.key}:${measure}`,
    label: part.key === 'total' ? MEASURE_LABELS[measure] : `${part.label}: ${MEASURE_LABELS[measure].toLowerCase()}`,
    ...(measure === 'closing' ? { start_date: null } : {}),
    ...(measure === 'opening' ? { start_date: null, end_date: addDays(part.start_date ?? range.start_date, -1) } : {}),
  })))
  const overAll = (values: readonly number[]) => (plan.axis === null ? values : [values.reduce((sum, value) => sum + value, 0)])
  return answerOf(tx, {
    report: 'trial-balance',
    title: 'Trial balance',
    query: { mode, ...query },
    asked,
    dates: range,
    columns,
    rows: rowsOf(lines, columns, linksOf(asked, parts, mode === 'unadjusted')),
    checks: asked.is_filtered ? [] : [
      checkOf('debits_equal_credits', overAll(differences.movement)),
      checkOf('opening_balances', overAll(differences.opening)),
      checkOf('closing_balances', overAll(differences.closing)),
    ],
  })
}

async function worksheet(tx: BusinessTx, query: TrialBalanceQuery, asked: Asked, range: Range, plan: ReportColumns): Promise<Report> {
  const [all, without] = await Promise.all([read(tx, asked, plan, false), read(tx, asked, plan, true)])
  const [part] = await nameColumns(tx, plan, all.figures, null)
  if (!part) throw new Error('A period without columns.')
  const ledgers = [...asked.books.ledgers.values()]
  const before = movementsIn(without, ledgers, [part], false)
  const after = movementsIn(all, ledgers, [part], false)
  const adjustmentsOf = (ledger: BookLedger): Movement[] => {
    const [whole, rest] = [after.movementsOf(ledger)[0], before.movementsOf(ledger)[0]]
    return whole && rest ? [{ opening: 0, debit: whole.debit - rest.debit, credit: whole.credit - rest.credit }] : []
  }
  const { lines, differences } = worksheetLines(ledgers, before.movementsOf, adjustmentsOf, before.computed, shownOf(query))
  const columns = WORKSHEET.flatMap(([key, label]) => ['debit', 'credit'].map((side): Column => ({ ...part, key: `${key}_${side}`, label: `${label}: ${side}` })))
  return answerOf(tx, {
    report: 'trial-balance',
    title: 'Trial balance worksheet',
    query: { ...query, mode: 'worksheet' },
    asked,
    dates: range,
    columns,
    rows: rowsOf(lines, columns, () => null),
    checks: asked.is_filtered ? [] : [checkOf('debits_equal_credits', differences)],
  })
}

/** Three ranges a slot: what moved in it, all before it, and all before its fiscal year. `moved` may be without adjusting entries. */
type Read = { figures: Figures; moved: Figures; slots: number; net: boolean }

async function read(tx: BusinessTx, asked: Asked, plan: ReportColumns, unadjusted: boolean): Promise<Read> {
  const starts = plan.slots.map(({ start_date, end_date }) => start_date ?? end_date)
  const before = starts.map((date) => ({ start_date: null, end_date: addDays(date, -1) }))
  const beforeYear = starts.map((date) => ({ start_date: null, end_date: addDays(fiscalYearAt(asked.books.periods, date).start_date, -1) }))
  const request = { ...asked.figures, split: plan.axis === null ? [] : [plan.axis] }
  const [all, moved] = await Promise.all([
    figures(tx, { ...request, ranges: [...plan.slots, ...before, ...beforeYear] }),
    unadjusted && asked.figures.adjusting === 'all' ? figures(tx, { ...request, ranges: plan.slots, adjusting: 'exclude' }) : null,
  ])
  return { figures: all, moved: moved ?? all, slots: plan.slots.length, net: asked.figures.basis === 'cash' }
}

function movementsIn({ figures: found, moved, slots, net }: Read, ledgers: readonly BookLedger[], parts: readonly Column[], closed: boolean) {
  const movedGroup = (part: Column) => (moved === found ? part.group : moved.groups.find(({ values }) => values.join() === (part.group?.values ?? []).join()))
  const cache = new Map<string, Movement[]>()
  const movementsOf = (ledger: BookLedger): readonly Movement[] => {
    const known = cache.get(ledger.id)
    if (known) return known
    const made = parts.map((part) => {
      const past = balanceOf(part.group, ledger.id, slots + part.slot)
      const opening = isProfitAndLoss(ledger) ? past - balanceOf(part.group, ledger.id, slots * 2 + part.slot) : past
      return movementOf(opening, amountsOf(movedGroup(part), ledger.id, part.slot), net)
    })
    cache.set(ledger.id, made)
    return made
  }
  const results = ledgers.filter((ledger) => isProfitAndLoss(ledger) && parts.some(({ group }) => group?.ledgers.has(ledger.id)))
  const ledger_ids = results.map(({ id }) => id)
  const prior: Computed = {
    key: PRIOR_EARNINGS, label: 'Profit of prior years', ledger_ids,
    movements: parts.map((part) => combined(results.map(({ id }) => ({ opening: balanceOf(part.group, id, slots * 2 + part.slot), debit: 0, credit: 0 })))),
  }
  const year: Computed = {
    key: CLOSED_EARNINGS, label: 'Earnings closed into equity', ledger_ids,
    movements: parts.map((_, index) => combined(results.map((ledger) => movementsOf(ledger)[index] as Movement))),
  }
  const computed = closed ? [prior, year] : [prior]
  const has_any = ({ movements }: Computed) => movements.some(({ opening, debit, credit }) => opening !== 0 || debit !== 0 || credit !== 0)
  return { movementsOf, computed: computed.filter(has_any) }
}

/**
 * Debit and credit lead to the lines of the part; opening and closing to all lines up to it, those of income and expenses from the
 * start of the year. Where older adjustments count and those of the part do not, no one list of lines makes the closing.
 */
function linksOf(asked: Asked, parts: readonly Column[], unadjusted: boolean): LinkOf {
  const plain = linkTo(asked.figures)
  const moved = unadjusted ? linkTo({ ...asked.figures, adjusting: 'exclude' }) : plain
  const { periods, ledgers } = asked.books
  return (line, column, place) => {
    const measure = MEASURES[place % MEASURES.length]
    const part = parts[Math.floor(place / MEASURES.length)]
    const year = part?.start_date ? fiscalYearAt(periods, part.start_date) : null
    if (!year || line.kind !== 'ledger' || line.key === CLOSED_EARNINGS) return null
    if (line.key === PRIOR_EARNINGS) return plain(line, { ...column, start_date: null, end_date: addDays(year.start_date, -1) }, place)
    if (measure === 'debit' || measure === 'credit') return moved(line, column, place)
    if (measure === 'closing' && unadjusted && asked.figures.adjusting === 'all') return null
    if (!line.ledger_ids.every((id) => isProfitAndLoss(ledgers.get(id) ?? { type: '' }))) return plain(line, column, place)
    return year.start_date > column.end_date ? null : plain(line, { ...column, start_date: year.start_date }, place)
  }
}
