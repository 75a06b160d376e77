// The key figures as a report: contract → operation → table.
import { defineReport } from '../report-shape/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { keyFiguresTable } from './rules.ts'

export const keyFiguresReport = defineReport({
  title: 'Key figures',
  endpoint: contract.getKeyFigures,
  run: operations.getKeyFigures,
  table: keyFiguresTable,
  fileName: ({ report, parameters }) => `${report}-${String(parameters['end_date'])}`,
})
