// Reports over HTTP: the catalogue, every report, and the export of each.
import { on, type Route } from '../../foundation/endpoint.ts'
import { balanceSheetReport } from '../balance-sheet/routes.ts'
import { byDimensionReport } from '../by-dimension/routes.ts'
import { cashFlowReport } from '../cash-flow/routes.ts'
import { changesInEquityReport } from '../changes-in-equity/routes.ts'
import { controlAccountsReport } from '../control-accounts/routes.ts'
import { explainReport } from '../explain/routes.ts'
import { generalLedgerReport } from '../general-ledger/routes.ts'
import { journalReport } from '../journal-report/routes.ts'
import { keyFiguresReport } from '../key-figures/routes.ts'
import { managerialReport } from '../managerial/routes.ts'
import { profitAndLossReport } from '../profit-and-loss/routes.ts'
import type { BudgetFigures } from '../report-columns/contract.ts'
import type { ReportDefinition } from '../report-shape/contract.ts'
import { trialBalanceReport } from '../trial-balance/routes.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { allParameters, described } from './rules.ts'

/** What other rooms give to reports; null where they do not exist yet. */
export type ReportPlugs = { budgets: BudgetFigures | null }

/** In the order of the catalogue. */
export function allReports({ budgets }: ReportPlugs): ReportDefinition[] {
  return [
    profitAndLossReport(budgets),
    balanceSheetReport,
    trialBalanceReport,
    generalLedgerReport,
    journalReport,
    cashFlowReport,
    changesInEquityReport,
    byDimensionReport,
    managerialReport(budgets),
    controlAccountsReport,
    keyFiguresReport,
    explainReport,
  ]
}

export function reportRoutes(reports: readonly ReportDefinition[]): Route[] {
  return [
    on(contract.listReports, async () => reports.map(described)),
    ...reports.map((report) => on(report.endpoint, (tx, { query }) => operations.runReport(tx as never, report, query as object))),
    on(contract.exportReport(allParameters(reports)), (tx, { params, query }) => operations.exportReport(tx, reports, params.report, query)),
  ]
}
