// The managerial report: contract → operation → table.
import type { BudgetFigures } from '../report-columns/contract.ts'
import { defineReport } from '../report-shape/contract.ts'
import { fileNameOf, tableOf } from '../report-shape/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

/** `budgets` are the plans it can be compared with; null where there are none. */
export const managerialReport = (budgets: BudgetFigures | null) => defineReport({
  title: 'Managerial report',
  endpoint: contract.getManagerial,
  run: (tx, query) => operations.getManagerial(tx, query, budgets),
  table: tableOf,
  fileName: fileNameOf,
})
