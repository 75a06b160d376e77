// The reports there are, and what can be exported: all of them and the lists.
import { allExportKinds } from '../insight/export-kinds/operations.ts'
import { allReports } from '../insight/reports/routes.ts'

export const reports = allReports({ budgets: null })
export const exportKinds = allExportKinds(reports)
