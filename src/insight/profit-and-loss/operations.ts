// Makes a profit and loss.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { askedOf, nameColumns } from '../report-columns/operations.ts'
import type { BudgetFigures } from '../report-columns/contract.ts'
import { rangeOf, slotsOf } from '../report-columns/rules.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf, natural } from '../report-figures/rules.ts'
import type { Report, StatementQuery } from '../report-shape/contract.ts'
import { answerOf, linkTo, rowsOf, shownOf } from '../report-shape/rules.ts'
import { profitAndLossLines } from './rules.ts'

export async function getProfitAndLoss(tx: BusinessTx, query: StatementQuery, budgets: BudgetFigures | null): Promise<Report> {
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const plan = slotsOf(query, range, 'movement', asked.books.periods)
  const found = await figures(tx, { ...asked.figures, ranges: plan.slots, split: plan.axis === null ? [] : [plan.axis] })
  const columns = await nameColumns(tx, plan, found, budgets)
  const lines = profitAndLossLines(
    [...found.books.ledgers.values()],
    ({ id, type }) => columns.map(({ group, slot }) => natural(type, balanceOf(group, id, slot))),
    shownOf(query),
    columns.length,
  )
  const rows = rowsOf(lines, columns, linkTo(asked.figures))
  return answerOf(tx, { report: 'profit-and-loss', title: 'Profit and loss', query, asked, dates: range, columns, rows, checks: [] })
}
