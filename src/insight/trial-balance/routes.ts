// The trial balance as a report: contract → operation → table.
import { defineReport } from '../report-shape/contract.ts'
import { fileNameOf, tableOf } from '../report-shape/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const trialBalanceReport = defineReport({
  title: 'Trial balance',
  endpoint: contract.getTrialBalance,
  run: operations.getTrialBalance,
  table: tableOf,
  fileName: fileNameOf,
})
