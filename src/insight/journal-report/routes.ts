// The journal as a report: contract → operation → file.
import { defineReport } from '../report-shape/contract.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const journalReport = defineReport({
  title: 'Journal',
  endpoint: contract.getJournalReport,
  run: operations.getJournalReport,
  file: operations.exportJournal,
})
