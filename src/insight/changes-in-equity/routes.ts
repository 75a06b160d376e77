// The changes in equity as a report: contract → operation → table.
import { defineReport } from '../report-shape/contract.ts'
import { fileNameOf, tableOf } from '../report-shape/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const changesInEquityReport = defineReport({
  title: 'Changes in equity',
  endpoint: contract.getChangesInEquity,
  run: operations.getChangesInEquity,
  table: tableOf,
  fileName: fileNameOf,
})
