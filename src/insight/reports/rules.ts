// What the catalogue says of a report, and what the export of any report takes.
import { Type, type TSchema } from 'typebox'
import { FORMATS } from '../../foundation/sheets.ts'
import { optional } from '../../foundation/shapes.ts'
import type { ReportDefinition } from '../report-shape/contract.ts'
import type { ReportDescription } from './contract.ts'

type Schema = { type?: string; description?: string; enum?: string[]; properties?: Record<string, Schema>; required?: string[] }

export function described({ report, title, endpoint }: ReportDefinition): ReportDescription {
  const { properties = {}, required = [] } = endpoint.query as Schema
  const parameters = Object.entries(properties).filter(([name]) => name !== 'format').map(([name, { description = null, type, enum: values = null }]) => (
    { name, description, required: required.includes(name), values: values ?? (type === 'boolean' ? ['true', 'false'] : null) }))
  const formats: ReportDescription['formats'] = 'format' in properties ? ['json', ...FORMATS] : ['json']
  return { report, title, description: endpoint.description, path: `/api/v1${endpoint.path}`, parameters, formats }
}

/** The parameters of all reports, none of them required. Where two reports mean different things by one name it is plain text. */
export function allParameters(reports: readonly ReportDefinition[]): Record<string, TSchema> {
  const found = new Map<string, TSchema>()
  for (const { endpoint } of reports) {
    for (const [name, schema] of Object.entries((endpoint.query as unknown as { properties?: Record<string, TSchema> }).properties ?? {})) {
      const known = found.get(name)
      found.set(name, known && meaning(known) !== meaning(schema) ? Type.String({ description: 'As the report says.' }) : schema)
    }
  }
  return Object.fromEntries([...found].map(([name, schema]) => [name, optional(schema)]))
}

/** What a schema accepts, whatever it says of it. */
function meaning(schema: TSchema): string {
  const { description: _description, default: _default, ...rest } = schema as TSchema & { description?: string; default?: unknown }
  return JSON.stringify(rest)
}
