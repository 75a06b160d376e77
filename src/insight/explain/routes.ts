// The explanation of a figure as a report: contract → operation → file.
import { defineReport } from '../report-shape/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const explainReport = defineReport({
  title: 'Explanation of a figure',
  endpoint: contract.explainFigure,
  run: operations.explainFigure,
  file: operations.exportExplanation,
})
