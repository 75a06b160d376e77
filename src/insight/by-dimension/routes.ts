// The report of ledgers crossed by two axes: contract → operation → table.
import { defineReport } from '../report-shape/contract.ts'
import { fileNameOf, tableOf } from '../report-shape/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const byDimensionReport = defineReport({
  title: 'By dimension',
  endpoint: contract.getByDimension,
  run: operations.getByDimension,
  table: tableOf,
  fileName: fileNameOf,
})
