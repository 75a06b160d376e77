// The catalogue of reports, and their export.
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { FORMATS } from '../../foundation/sheets.ts'
import { boolean, list, nullable, oneOf, optional, shape, text } from '../../foundation/shapes.ts'

const endpoint = endpointsOf('reports', 'business')

export const ReportDescription = shape('ReportDescription', {
  report: text(1, 100, { description: 'The last word of its path.' }),
  title: Type.String(),
  description: Type.String(),
  path: Type.String(),
  parameters: list(shape('ReportParameter', {
    name: Type.String(),
    description: nullable(Type.String()),
    required: boolean(),
    values: nullable(list(Type.String(), { description: 'Those that it takes, where they are few.' })),
  })),
  formats: list(oneOf(['json', ...FORMATS])),
})
export type ReportDescription = Static<typeof ReportDescription>

export const listReports = endpoint({
  id: 'list_reports', method: 'GET', path: '', summary: 'The reports there are',
  description: 'Each with its parameters and formats.',
  reply: list(ReportDescription),
})

/** Takes whatever one of the reports takes; the report itself checks what is given for it. */
export const exportReport = (parameters: Record<string, TSchema>) => endpoint({
  id: 'export_report', method: 'GET', path: '/{report}/export', summary: 'A report as a file',
  description: 'The same figures as GET /reports/{report} with the same parameters, as CSV, XLSX or PDF. 404 where there is no such report.',
  params: shape('ExportReportParams', { report: text(1, 100) }),
  query: Type.Object({ ...parameters, format: optional(oneOf(FORMATS, { default: 'csv' })) }) as TObject<{ format: ReturnType<typeof formatOf> }>,
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
})

const formatOf = () => optional(oneOf(FORMATS))
