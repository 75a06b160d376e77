// Reads reports for whoever needs several of them at once: each distinct question is asked once.
//
//   READABLE                    what can be read: every report of the catalogue, and the receivables by age
//   reportReader(tx)            reads by name and parameters; the same question gets the same answer without another look at the books
//   mayRead(tx, report)         whether the caller may see it
//   reportHref(...)             the address of a report
//   checkParameters(...)        parameters held against the report's own schema
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { compileCheck, type Check, type Checked } from '../../foundation/http/validate.ts'
import { canonicalJson } from '../../foundation/canonical.ts'
import { notFound } from '../../foundation/refusal.ts'
import { getAging as agingEndpoint } from '../../receivables/receivable-aging/contract.ts'
import { getAging } from '../../receivables/receivable-aging/operations.ts'
import type { ReportDefinition } from '../report-shape/contract.ts'
import { allReports } from '../reports/routes.ts'

export type ReadableReport = Pick<ReportDefinition, 'report' | 'title' | 'endpoint' | 'run'>

export const AGING = 'receivable-aging'

const aging = { report: AGING, title: 'Receivables by age', endpoint: agingEndpoint, run: getAging } as unknown as ReadableReport

export const READABLE: readonly ReadableReport[] = [...allReports({ budgets: null }), aging]

const byName = new Map(READABLE.map((each) => [each.report, each]))

export function readableOf(report: string): ReadableReport | null {
  return byName.get(report) ?? null
}

export function mayRead(tx: BusinessTx, { endpoint: { permission } }: ReadableReport): boolean {
  return permission === null || tx.actor.permissions.has(permission)
}

export type ReportReader = <Answer extends object>(report: string, query: object) => Promise<Answer>

export function reportReader(tx: BusinessTx): ReportReader {
  const asked = new Map<string, Promise<object>>()
  return <Answer extends object>(report: string, query: object): Promise<Answer> => {
    const definition = byName.get(report)
    if (!definition) throw notFound(`Report ${report}`)
    const question = canonicalJson([report, given(query)])
    const known = asked.get(question) ?? definition.run(tx, given(query) as never)
    asked.set(question, known)
    return known as Promise<Answer>
  }
}

/** What is undefined is not asked for. */
function given(query: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

const checks = new WeakMap<object, Check>()

export function checkParameters({ endpoint }: ReadableReport, parameters: object): Checked {
  const known = checks.get(endpoint) ?? compileCheck('query', endpoint.query)
  checks.set(endpoint, known)
  return known(parameters)
}

/** The names of the parameters that a report takes. */
export function parametersOf({ endpoint }: ReadableReport): ReadonlySet<string> {
  return new Set(Object.keys((endpoint.query as unknown as { properties?: object }).properties ?? {}))
}

/** The address of a report with these parameters, below /api/v1 as those of its figures are. */
export function reportHref(report: string, parameters: object): string {
  const named = Object.entries(given(parameters)).map(([name, value]): [string, string] => [name, String(value)]).filter(([, value]) => value !== '')
  const path = byName.get(report)?.endpoint.path ?? `/reports/${report}`
  return `${path}?${named.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&')}`
}
