// What a figure can come from: the metrics and the reports there are, and the rows of a report.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { distinct } from './chart-figures.ts'

export type Metric = Schemas['CataloguedMetric']
export type Report = Schemas['ReportDescription']

/** Reports that need more than dates are left to those who call the API. */
const LEFT_OUT = new Set(['general-ledger', 'journal', 'by-dimension'])

/** Receivables by age are read beside the invoices, so the list of reports does not have them. */
const AGING: Report = {
  report: 'receivable-aging', title: 'Receivables by age', description: 'What customers owe by how long it has been due.', path: '/invoices/aging',
  parameters: [], formats: ['json'],
}

export const useMetrics = () => useQuery({
  queryKey: ['dashboards', 'metrics'], queryFn: () => dataOf(api.GET('/api/v1/dashboards/metrics')), staleTime: Infinity,
})

export const useReports = () => useQuery({
  queryKey: ['reports', 'bindable'], staleTime: Infinity,
  queryFn: async (): Promise<Report[]> => {
    const reports = await dataOf(api.GET('/api/v1/reports'))
    return [...reports.filter(({ report, parameters }) => !LEFT_OUT.has(report) && !parameters.some(({ required }) => required)), AGING]
  },
})

export type RowChoice = { value: string; label: string }
type Row = { key: string; label: string; rows: Row[] }

const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.rows ?? [])])

/** The rows that a statement has in these days; none where its answer has another shape. */
export const useRows = (report: string | null, start_date: string, end_date: string) => useQuery({
  queryKey: ['reports', report, 'rows', start_date, end_date], enabled: report !== null && report !== AGING.report, staleTime: 60_000, retry: false,
  queryFn: async (): Promise<RowChoice[]> => {
    const path = `/api/v1/reports/${report ?? ''}` as '/api/v1/reports/profit-and-loss'
    const answer = await dataOf(api.GET(path, { params: { query: { start_date, end_date } } }))
    const rows = (answer as unknown as { rows?: Row[] }).rows ?? []
    return distinct(flat(rows).map(({ key, label }) => ({ key, label }))).map(({ key, label }) => ({ value: key, label }))
  },
})
