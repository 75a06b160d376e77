// Makes a profit and loss by a managerial key.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { valuesByLedger, valuesOfKey } from '../../ledger/managerial-key-mappings/operations.ts'
import { earningsOf } from '../profit-and-loss/rules.ts'
import type { BudgetFigures } from '../report-columns/contract.ts'
import { askedOf, nameColumns } from '../report-columns/operations.ts'
import { rangeOf, slotsOf } from '../report-columns/rules.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf } from '../report-figures/rules.ts'
import type { Report } from '../report-shape/contract.ts'
import { answerOf, checkOf, linkTo, rowsOf, shownOf } from '../report-shape/rules.ts'
import type { ManagerialQuery } from './contract.ts'
import { managerialLines } from './rules.ts'

export async function getManagerial(tx: BusinessTx, query: ManagerialQuery, budgets: BudgetFigures | null): Promise<Report> {
  const [valueOf, values, asked] = await Promise.all([valuesByLedger(tx, query.key), valuesOfKey(tx, query.key), askedOf(tx, query)])
  const range = rangeOf(query, tx.today, asked.books.periods)
  const plan = slotsOf(query, range, 'movement', asked.books.periods)
  const found = await figures(tx, { ...asked.figures, ranges: plan.slots, split: plan.axis === null ? [] : [plan.axis] })
  const columns = await nameColumns(tx, plan, found, budgets)
  const ledgers = [...asked.books.ledgers.values()]
  const amountsOf = ({ id }: { id: string }) => columns.map(({ group, slot }) => 0 - balanceOf(group, id, slot))
  const lines = managerialLines(ledgers, amountsOf, valueOf, values, shownOf(query), columns.length)
  const net_income = lines.at(-1)?.amounts ?? []
  return answerOf(tx, {
    report: 'managerial',
    title: 'Managerial report',
    query,
    asked,
    dates: range,
    columns,
    rows: rowsOf(lines, columns, linkTo(asked.figures)),
    checks: [checkOf('total_equals_net_income', columns.map(({ group, slot }, place) => (net_income[place] ?? 0) - earningsOf(ledgers, group, slot)))],
  })
}
