// Makes a balance sheet.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addDays } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import { isProfitAndLoss } from '../../ledger/posting/rules.ts'
import { earningsOf } from '../profit-and-loss/rules.ts'
import { askedOf, nameColumns } from '../report-columns/operations.ts'
import { fiscalYearAt, rangeOf, slotsOf } from '../report-columns/rules.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf, natural } from '../report-figures/rules.ts'
import type { Report, StatementQuery } from '../report-shape/contract.ts'
import { answerOf, linkTo, rowsOf, shownOf, type LinkOf } from '../report-shape/rules.ts'
import { balanceChecks, balanceSheetLines, CURRENT_EARNINGS, PRIOR_EARNINGS } from './rules.ts'

export async function getBalanceSheet(tx: BusinessTx, query: StatementQuery): Promise<Report> {
  if (query.compare?.some((comparison) => comparison.startsWith('budget:'))) {
    throw invalid('A budget plans income and expenses: compare it with a profit and loss.')
  }
  const asked = await askedOf(tx, query)
  const { periods } = asked.books
  const range = rangeOf(query, tx.today, periods)
  const plan = slotsOf(query, range, 'position', periods)
  const years = plan.slots.map(({ end_date }) => fiscalYearAt(periods, end_date))
  const starts = [...new Set(years.map(({ start_date }) => start_date))]
  const before = starts.map((date) => ({ start_date: null, end_date: addDays(date, -1) }))
  // First what stood at the end of each slot, then what stood when the fiscal years began.
  const found = await figures(tx, { ...asked.figures, ranges: [...plan.slots, ...before], split: plan.axis === null ? [] : [plan.axis] })
  const columns = await nameColumns(tx, plan, found, null)
  const ledgers = [...found.books.ledgers.values()]
  const rangeBefore = (slot: number) => plan.slots.length + starts.indexOf(years[slot]?.start_date ?? '')
  const prior = columns.map(({ group, slot }) => earningsOf(ledgers, group, rangeBefore(slot)))
  const earnings = {
    prior,
    current: columns.map(({ group, slot }, index) => earningsOf(ledgers, group, slot) - (prior[index] ?? 0)),
    ledger_ids: ledgers.filter((ledger) => isProfitAndLoss(ledger) && columns.some(({ group }) => group?.ledgers.has(ledger.id))).map(({ id }) => id),
  }
  const amountsOf = ({ id, type }: { id: string; type: string }) => columns.map(({ group, slot }) => natural(type, balanceOf(group, id, slot)))
  const { lines, differences } = balanceSheetLines(ledgers, amountsOf, earnings, shownOf(query), columns.length)
  const plain = linkTo(asked.figures)
  const link: LinkOf = (line, column, place) => {
    const year = years[column.slot]
    // Ledgers to the end and profit to the start of the year: no one list of lines.
    if (line.key === 'retained_earnings') return null
    if (line.key === PRIOR_EARNINGS && year) return plain(line, { ...column, end_date: addDays(year.start_date, -1) }, place)
    if (line.key === CURRENT_EARNINGS && year) return plain(line, { ...column, start_date: year.start_date }, place)
    return plain(line, column, place)
  }
  return answerOf(tx, {
    report: 'balance-sheet',
    title: 'Balance sheet',
    query,
    asked,
    dates: { ...(query.start_date === undefined && (query.columns ?? 'total') === 'total' ? {} : { start_date: range.start_date }), as_of: range.end_date },
    columns,
    rows: rowsOf(lines, columns, link),
    checks: asked.is_filtered ? [] : balanceChecks(differences, columns.map(({ slot }) => slot), plan.axis !== null),
  })
}
