// The balance sheet as a report: contract → operation → table.
import { defineReport } from '../report-shape/contract.ts'
import { fileNameOf, tableOf } from '../report-shape/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const balanceSheetReport = defineReport({
  title: 'Balance sheet',
  endpoint: contract.getBalanceSheet,
  run: operations.getBalanceSheet,
  table: tableOf,
  fileName: fileNameOf,
})
