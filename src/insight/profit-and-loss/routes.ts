// The profit and loss as a report: contract → operation → table.
import type { BudgetFigures } from '../report-columns/contract.ts'
import { defineReport } from '../report-shape/contract.ts'
import { fileNameOf, tableOf } from '../report-shape/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

/** `budgets` are the plans it can be compared with; null where there are none. */
export const profitAndLossReport = (budgets: BudgetFigures | null) => defineReport({
  title: 'Profit and loss',
  endpoint: contract.getProfitAndLoss,
  run: (tx, query) => operations.getProfitAndLoss(tx, query, budgets),
  table: tableOf,
  fileName: fileNameOf,
})
