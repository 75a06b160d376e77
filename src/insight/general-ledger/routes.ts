// The general ledger as a report: contract → operation → file.
import { defineReport } from '../report-shape/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const generalLedgerReport = defineReport({
  title: 'General ledger',
  endpoint: contract.getGeneralLedger,
  run: operations.getGeneralLedger,
  file: operations.exportGeneralLedger,
})
