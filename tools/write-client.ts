// npm run client: the types of the console's client, written from the description of the API that the service publishes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describeApi } from '../src/foundation/http/openapi.ts'
import { routes } from '../src/app/routes.ts'

type Schema = {
  $ref?: string; type?: string | string[]; enum?: unknown[]; const?: unknown; anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[]; items?: Schema
  properties?: Record<string, Schema>; required?: string[]; additionalProperties?: boolean | Schema
}
type Operation = {
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>
}
type Description = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema>; parameters?: Record<string, Operation['parameters'] extends (infer P)[] | undefined ? P : never> } }

const WHERE = resolve(import.meta.dirname, '../console/src/api-types.ts')

const description = describeApi(routes.map(({ endpoint }) => endpoint)) as unknown as Description
mkdirSync(dirname(WHERE), { recursive: true })
writeFileSync(WHERE, `// Written by npm run client from the description of the API: not to be edited.\n/* eslint-disable */\n${schemas()}\n${paths()}`)

function schemas(): string {
  const members = Object.entries(description.components.schemas).map(([name, schema]) => `  ${JSON.stringify(name)}: ${typeOf(schema)}`)
  return `export type Schemas = {\n${members.join('\n')}\n}\n`
}

function paths(): string {
  const members = Object.entries(description.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).filter(([method]) => /^(get|put|post|delete|patch)$/.test(method))
    return `  ${JSON.stringify(path)}: {\n${operations.map(([method, operation]) => `    ${method}: ${operationType(operation)}`).join('\n')}\n  }`
  })
  return `export type paths = {\n${members.join('\n')}\n}\n`
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const known = parameters.map((given) => (given.$ref ? description.components.parameters?.[given.$ref.split('/').at(-1) as string] ?? given : given))
  // Headers are the client's own business: it sends them with every call.
  const part = (where: string) => known.filter((parameter) => parameter.in === where)
  const member = (where: string) => {
    const list = part(where)
    if (list.length === 0) return ''
    const fields = list.map(({ name, required, schema }) => `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')
    return `${where}${list.some(({ required }) => required) ? '' : '?'}: { ${fields} }; `
  }
  const body = requestBody?.content['application/json']?.schema
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const shown = answer?.[1].content?.['application/json']?.schema
  return `{ parameters: { ${member('query')}${member('path')} }; `
    + (body ? `requestBody${requestBody?.required ? '' : '?'}: { content: { 'application/json': ${typeOf(body)} } }; ` : '')
    + `responses: { ${answer?.[0] ?? '200'}: { content: { 'application/json': ${shown ? typeOf(shown) : 'unknown'} } } } }`
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return `Schemas[${JSON.stringify(schema.$ref.split('/').at(-1))}]`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return `(${schema.enum.map((value) => JSON.stringify(value)).join(' | ')})`
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return `(${choice.map(typeOf).join(' | ')})`
  if (schema.allOf) return `(${schema.allOf.map(typeOf).join(' & ')})`
  if (Array.isArray(schema.type)) return `(${schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')})`
  if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : 'unknown'}[]`
  if (schema.type === 'object') return objectType(schema)
  return { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[schema.type ?? ''] ?? 'unknown'
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`)
  if (members.length === 0) return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`
  return `{ ${members.join('; ')} }`
}
