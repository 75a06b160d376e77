// Runs any report by its name.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { compileCheck, type Check } from '../../foundation/http/validate.ts'
import { notFound, unprocessable } from '../../foundation/refusal.ts'
import type { Format } from '../../foundation/sheets.ts'
import type { ReportDefinition } from '../report-shape/contract.ts'

/** JSON, or a file where a format is asked for. */
export function runReport(tx: BusinessTx, { run, file }: ReportDefinition, query: { format?: Format | undefined }): Promise<object | Download> {
  return query.format ? file(tx, query as never, query.format) : run(tx, query as never)
}

/** What was checked loosely, as parameters of any report, is checked here as those of this one. */
export function exportReport(tx: BusinessTx, reports: readonly ReportDefinition[], report: string, query: { format?: Format | undefined }): Promise<Download> {
  const definition = reports.find((each) => each.report === report)
  if (!definition) throw notFound(`Report ${report}`)
  const { value, problems } = checkFor(definition)(query)
  if (problems.length > 0) throw unprocessable(problems)
  return definition.file(tx, value as never, query.format ?? 'csv')
}

const checks = new WeakMap<object, Check>()

function checkFor({ endpoint }: ReportDefinition): Check {
  const known = checks.get(endpoint) ?? compileCheck('query', endpoint.query)
  checks.set(endpoint, known)
  return known
}
