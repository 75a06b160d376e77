// The machine-readable description, OpenAPI 3.1, made from the endpoints themselves: the same schemas that check requests.
import type { TSchema } from 'typebox'
import type { Endpoint } from '../endpoint.ts'
import { PROBLEM_TYPES } from '../refusal.ts'

export type Document = {
  openapi: '3.1.0'
  info: object
  servers: object[]
  tags: { name: string }[]
  security: object[]
  paths: Record<string, Record<string, object>>
  components: { schemas: Record<string, object>; securitySchemes: object; responses: Record<string, object>; headers: Record<string, object> }
}

type Schema = { [key: string]: unknown }
type Components = Record<string, object>

/** The whole API. */
export function describeApi(endpoints: readonly Endpoint[]): Document {
  const schemas: Components = { ValidationError: validationError }
  const paths: Document['paths'] = {}
  for (const endpoint of endpoints) {
    const path = (paths[`/api/v1${endpoint.path}`] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daybook',
      version: '1.0.0',
      description: 'Accounting for advisory firms and growing businesses. Amounts are integer cents, ids are UUIDs, lists are paged by cursor, and every error has a `detail`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [...new Set(endpoints.map(({ group }) => group))].sort().map((name) => ({ name, description: `The group ${name}.` })),
    security: [{ bearer: [] }],
    paths,
    components: { schemas: sorted(schemas), securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API token (dbk_…), the token of a connected app (dba_…) or a session (dbs_…).' } }, responses: errorResponses, headers: sharedHeaders },
  }
}

/** One operation with only the schemas it needs; null where there is no such operation. */
export function describeOperation(endpoints: readonly Endpoint[], operation_id: string): Document | null {
  const endpoint = endpoints.find(({ id }) => id === operation_id)
  return endpoint ? describeApi([endpoint]) : null
}

function operation(endpoint: Endpoint, schemas: Components): object {
  const write = endpoint.method !== 'GET'
  return {
    operationId: endpoint.id,
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    ...(endpoint.scope === 'public' ? { security: [] } : {}),
    ...(endpoint.permission ? { 'x-permission': endpoint.permission } : {}),
    'x-scope': endpoint.scope,
    parameters: [...parametersOf(endpoint.params, 'path', schemas), ...parametersOf(endpoint.query, 'query', schemas), ...headerParameters(endpoint, write)],
    ...(endpoint.body ? { requestBody: requestBody(endpoint, schemas) } : endpoint.form ? { requestBody: formOf(endpoint.form, schemas) } : endpoint.inbound ? { requestBody: signedMessage } : {}),
    responses: responsesOf(endpoint, schemas),
  }
}

function descriptionOf(endpoint: Endpoint): string {
  const needs = endpoint.scope === 'public' ? 'Needs no credential.' : endpoint.permission ? `Needs the permission \`${endpoint.permission}\`.` : 'Needs a signed-in caller.'
  const fresh = endpoint.fresh ? ' Needs a sign-in less than 10 minutes old.' : ''
  const refusals = endpoint.refusals.length > 0 ? `\n\nAnswers 400 when:\n${endpoint.refusals.map((sentence) => `- ${sentence}`).join('\n')}` : ''
  return `${endpoint.description}${endpoint.description ? '\n\n' : ''}${needs}${fresh}${refusals}`
}

function parametersOf(schema: TSchema, place: 'path' | 'query', schemas: Components): object[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] }
  return Object.entries(properties).map(([name, member]) => {
    const { description, ...rest } = named(member, schemas) as Schema
    return { name, in: place, required: place === 'path' || required.includes(name), ...(description ? { description } : {}), schema: rest }
  })
}

function headerParameters(endpoint: Endpoint, write: boolean): object[] {
  const header = (name: string, required: boolean, description: string, schema: object = { type: 'string' }) => ({ name, in: 'header', required, description, schema })
  const in_path = endpoint.path.includes('{business_id}')
  return [
    ...(endpoint.scope === 'business' ? [header('x-business-id', !in_path, in_path ? 'May be left out; must equal the business of the path.' : 'The business that this call acts on.', { type: 'string', format: 'uuid' })] : []),
    ...(write && endpoint.scope !== 'public' ? [header('idempotency-key', false, 'For 24 hours the same key with the same request gives the stored answer instead of a second change.', { type: 'string', maxLength: 255 })] : []),
    ...(endpoint.by_link && !write ? [header('x-share-access', false, 'The view_token that unlocking gave, where the link has a password.')] : []),
    ...(write && endpoint.method !== 'POST' ? [header('if-match', false, 'The ETag read before: the change is refused with 412 when the record has changed since.')] : []),
    ...(write && !endpoint.form ? [{ name: 'dry_run', in: 'query', required: false, description: 'Run, answer, and undo everything.', schema: { type: 'boolean', default: false } }] : []),
  ]
}

function requestBody(endpoint: Endpoint, schemas: Components): object {
  const body = endpoint.body as TSchema & { required?: string[] }
  const content = { schema: named(body, schemas), ...(endpoint.example ? { example: endpoint.example } : {}) }
  const form = endpoint.files ? { 'multipart/form-data': { schema: fileFormOf(body, schemas) } } : {}
  return { required: (body.required?.length ?? 0) > 0, content: { 'application/json': content, ...form } }
}

/** The same body as a form: its file as one part or several, everything else as fields. */
function fileFormOf(body: TSchema, schemas: Components): object {
  const { properties: { file_name: _name, content_base64: _content, ...fields }, required = [] } = body as unknown as { properties: Record<string, TSchema>; required?: string[] }
  return {
    type: 'object',
    required: ['files', ...required.filter((name) => name in fields)],
    properties: {
      files: { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } },
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, named(field, schemas)])),
    },
  }
}

function formOf(form: TSchema, schemas: Components): object {
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema: named(form, schemas) } } }
}

function responsesOf(endpoint: Endpoint, schemas: Components): object {
  const statuses = [
    ...(endpoint.scope === 'public' && !isStored(endpoint) ? ['400', '401'] : ['400', '401', '403']),
    '404',
    ...(endpoint.method === 'GET' ? [] : ['409', '412', '413']),
    '422', '429', '500', '503',
  ]
  return {
    [endpoint.method === 'POST' && !endpoint.inbound ? '201' : '200']: {
      description: 'Done.',
      headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' }, etag: { $ref: '#/components/headers/ETag' } },
      content: contentOf(endpoint, schemas),
    },
    ...(isStored(endpoint) ? partial : {}),
    ...(endpoint.method === 'GET' ? { 304: { description: 'Unchanged since the ETag in If-None-Match.' } } : {}),
    ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    ...(endpoint.form ? { 400: oauthError, 401: oauthError } : {}),
  }
}

/** Files as they were sent have any type, and can be read in parts. */
function isStored({ reply }: Endpoint): boolean {
  return (reply as { contentMediaType?: string }).contentMediaType === 'application/octet-stream'
}

const partial = { 206: { description: 'The part that Range asks for.' }, 416: { $ref: '#/components/responses/416' } }

/** JSON in the envelope, unless the reply says with its content type that it is something else. */
function contentOf(endpoint: Endpoint, schemas: Components): object {
  const other = (endpoint.reply as { contentMediaType?: string }).contentMediaType
  if (other) return { [other]: { schema: { type: 'string' } } }
  const reply = named(endpoint.reply, schemas)
  return { 'application/json': { schema: endpoint.inbound ? reply : envelopeOf(reply) } }
}

function envelopeOf(data: object): object {
  return {
    type: 'object',
    required: ['success', 'message', 'code', 'data'],
    properties: { success: { type: 'boolean' }, message: { type: ['string', 'null'] }, code: { type: ['string', 'null'] }, data },
  }
}

/** A schema with every named shape in it moved to the components and referred to. */
function named(schema: TSchema, schemas: Components): object {
  return moveShapes(JSON.parse(JSON.stringify(schema)) as Schema, schemas)
}

function moveShapes(schema: Schema, schemas: Components): Schema {
  const { title, ...rest } = schema
  const moved: Schema = { ...rest }
  if (isSchema(rest['items'])) moved['items'] = moveShapes(rest['items'], schemas)
  for (const key of ['anyOf', 'oneOf', 'allOf']) if (Array.isArray(rest[key])) moved[key] = (rest[key] as Schema[]).map((branch) => moveShapes(branch, schemas))
  if (isSchema(rest['additionalProperties'])) moved['additionalProperties'] = moveShapes(rest['additionalProperties'], schemas)
  if (isSchema(rest['properties'])) {
    moved['properties'] = Object.fromEntries(Object.entries(rest['properties']).map(([name, member]) => [name, moveShapes(member as Schema, schemas)]))
  }
  if (typeof title !== 'string') return moved
  const before = schemas[title]
  if (before && JSON.stringify(before) !== JSON.stringify(moved)) throw new Error(`Two different shapes are named ${title}.`)
  schemas[title] = moved
  return { $ref: `#/components/schemas/${title}` }
}

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function sorted(schemas: Components): Components {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const signedMessage = { required: true, description: "The provider's message, as it was signed.", content: { 'application/json': { schema: { type: 'object' } } } }

const validationError = {
  type: 'object',
  required: ['loc', 'msg', 'type'],
  properties: {
    loc: { type: 'array', items: { type: ['string', 'integer'] }, description: 'Where: body, path, query or header, then the way down.' },
    msg: { type: 'string' },
    type: { type: 'string', enum: [...PROBLEM_TYPES] },
    input: { type: 'object' },
    ctx: { type: 'object' },
  },
}

const detail = { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } }
const problems = { type: 'object', required: ['detail'], properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } } }

const oauthError = {
  description: 'Refused, as the standard says it.',
  content: { 'application/json': { schema: { type: 'object', required: ['error'], properties: { error: { type: 'string' }, error_description: { type: 'string' } } } } },
}

const sharedHeaders = {
  RequestId: { description: 'Names this request in our logs.', schema: { type: 'string' } },
  ETag: { description: 'The version of the record.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'string' } },
}

const meanings: Record<string, string> = {
  400: 'A rule of the business is broken; the sentence says what would work.',
  401: 'No valid credential.',
  403: 'Not permitted.',
  404: 'Does not exist here.',
  409: 'The first request with this idempotency key is still running.',
  412: 'The record has changed since it was read.',
  413: 'The body is too large.',
  416: 'The file has no such part.',
  422: 'The request does not have the expected shape; all problems are listed.',
  429: 'Too many requests.',
  500: 'A fault of ours.',
  503: 'Busy, or the database is away.',
}

const errorResponses = Object.fromEntries(Object.entries(meanings).map(([status, description]) => [status, {
  description,
  ...(status === '429' || status === '503' ? { headers: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } } : {}),
  content: { 'application/json': { schema: status === '422' ? problems : detail } },
}]))
