// The cash flow as a report: contract → operation → table.
import { defineReport } from '../report-shape/contract.ts'
import { fileNameOf, tableOf } from '../report-shape/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const cashFlowReport = defineReport({
  title: 'Cash flow',
  endpoint: contract.getCashFlow,
  run: operations.getCashFlow,
  table: tableOf,
  fileName: fileNameOf,
})
