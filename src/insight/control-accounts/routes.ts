// The report of control accounts: contract → operation → table.
import { defineReport } from '../report-shape/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { controlTable } from './rules.ts'

export const controlAccountsReport = defineReport({
  title: 'Control accounts',
  endpoint: contract.getControlAccounts,
  run: operations.getControlAccounts,
  table: controlTable,
  fileName: ({ report, parameters }) => `${report}-${String(parameters['as_of'])}`,
})
