// The lines of a profit and loss, from the ledgers and their amounts.
//
//   profitAndLossLines(...)      all lines, the last of them net_income
//   earningsOf(...)              income less expenses of one group and range, for whoever needs only the result
import { addCents } from '../../foundation/money.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { Subtype } from '../../ledger/ledgers/contract.ts'
import { isProfitAndLoss } from '../../ledger/posting/rules.ts'
import type { Group } from '../report-figures/contract.ts'
import { balanceOf } from '../report-figures/rules.ts'
import type { Line } from '../report-shape/contract.ts'
import { ledgerLines, sectionOf, totalOf, type AmountsOf, type Shown } from '../report-shape/rules.ts'

export function profitAndLossLines(ledgers: readonly BookLedger[], amountsOf: AmountsOf, shown: Shown, columns: number): Line[] {
  const bySubtype = Map.groupBy(ledgers.filter(isProfitAndLoss), ({ subtype }) => subtype)
  const rowsOf = (subtype: Subtype) => ledgerLines(bySubtype.get(subtype) ?? [], amountsOf, shown, columns)
  const section = (key: string, label: string, subtype: Subtype) => sectionOf(key, label, rowsOf(subtype), columns)
  const subtotal = (key: string, label: string, plus: Line[], less: Line[]) => totalOf('subtotal', key, label, plus, less, columns)

  const revenue = section('revenue', 'Revenue', 'revenue')
  const discounts = section('discounts', 'Discounts', 'discount')
  const net_revenue = subtotal('net_revenue', 'Net revenue', [revenue, discounts], [])
  const cost_of_goods_sold = section('cost_of_goods_sold', 'Cost of goods sold', 'cost_of_goods_sold')
  const gross_profit = subtotal('gross_profit', 'Gross profit', [net_revenue], [cost_of_goods_sold])
  const parts = OPERATING.map(([subtype, label]) => section(subtype, label, subtype)).filter(({ rows }) => rows.length > 0)
  const operating_expense = sectionOf('operating_expense', 'Operating expense', parts, columns)
  const operating_income = subtotal('operating_income', 'Operating income', [gross_profit], [operating_expense])
  const other_income = section('other_income', 'Other income', 'other_income')
  const disposals = section('disposal_gain_loss', 'Gain and loss on disposals', 'disposal_gain_loss')
  const other_expense = section('other_expense', 'Other expense', 'other_expense')
  const interest = section('interest', 'Interest', 'interest_expense')
  const income_before_tax = subtotal('income_before_tax', 'Income before tax', [operating_income, other_income, disposals], [other_expense, interest])
  const income_tax = section('income_tax', 'Income tax', 'income_tax')
  const net_income = totalOf('total', 'net_income', 'Net income', [income_before_tax], [income_tax], columns)
  return [
    revenue, discounts, net_revenue, cost_of_goods_sold, gross_profit, operating_expense, operating_income,
    other_income, disposals, other_expense, interest, income_before_tax, income_tax, net_income,
  ]
}

const OPERATING: readonly [Subtype, string][] = [
  ['payroll', 'Payroll'], ['operating', 'Operating'], ['bank_fees', 'Bank fees'], ['depreciation', 'Depreciation'],
]

/** What income and expenses together leave, positive for a profit. */
export function earningsOf(ledgers: Iterable<BookLedger>, group: Group | undefined, range: number): number {
  const balances = [...ledgers].filter(isProfitAndLoss).map(({ id }) => balanceOf(group, id, range))
  return 0 - addCents(...balances)
}
