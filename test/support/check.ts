// Holds an answer against the published description of its operation: its status must be listed and its body must fit.
import { Compile, type Validator } from 'typebox/compile'
import { routes } from '../../src/app/routes.ts'
import { describeApi } from '../../src/foundation/http/openapi.ts'
import '../../src/foundation/http/validate.ts' // our formats: uuid, date, date-time

type Operation = { operationId: string; responses: Record<string, unknown> }

const document = describeApi(routes.map(({ endpoint }) => endpoint))
const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({
  method: method.toUpperCase(),
  operation: operation as Operation,
  // A path without parameters comes first: /notes/counts is not a note's id.
  literal: !path.includes('{'),
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`),
}))).sort((a, b) => Number(b.literal) - Number(a.literal))

const compiled = new Map<string, Validator | null>()

export function checkAnswer(method: string, path: string, response: Response, body: unknown): void {
  const found = operations.find((candidate) => candidate.method === method && candidate.pattern.test(`/api/v1${path}`))
  if (!found || !response.headers.get('x-request-id')) return
  const { operationId, responses } = found.operation
  const described = responses[response.status]
  if (!described) throw new Error(`${operationId} answered ${response.status}, which its description does not list: ${JSON.stringify(body)}`)
  // A file has no shape.
  if (!response.headers.get('content-type')?.startsWith('application/json')) return
  const key = `${operationId} ${response.status}`
  if (!compiled.has(key)) compiled.set(key, validatorFor(described))
  const validator = compiled.get(key)
  if (validator && !validator.Check(body)) {
    throw new Error(`${key} does not fit its description: ${JSON.stringify(validator.Errors(body).slice(0, 5))}\n${JSON.stringify(body)}`)
  }
}

function validatorFor(described: unknown): Validator | null {
  const { content } = inlined(described) as { content?: Record<string, { schema: object }> }
  const schema = content?.['application/json']?.schema
  return schema ? (Compile(schema as never) as unknown as Validator) : null
}

/** The same value with every reference replaced by what it refers to. */
function inlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlined)
  if (value === null || typeof value !== 'object') return value
  const { $ref } = value as { $ref?: string }
  if ($ref) return inlined($ref.split('/').slice(1).reduce((at: any, step) => at[step], document))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inlined(member)]))
}
