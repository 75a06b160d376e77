// Checks the parts of a request against the endpoint's schemas and reports every problem at once, in one small vocabulary.
import { Compile } from 'typebox/compile'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'
import type { TSchema } from 'typebox'
import { isDate, isTimestamp } from '../calendar.ts'
import { isUuid } from '../ids.ts'
import type { Problem, ProblemType } from '../refusal.ts'

Settings.Set({ maxErrors: 200 })
Format.Set('uuid', isUuid)
Format.Set('date', isDate)
Format.Set('date-time', isTimestamp)

export type Part = 'path' | 'query' | 'header' | 'body'
export type Checked = { value: unknown; problems: Problem[] }
export type Check = (value: unknown) => Checked

const NOTHING: Checked = { value: {}, problems: [] }

/** A compiled check of one part. Bodies keep their types; path, query and forms arrive as text and are read as what the schema asks for. */
export function compileCheck(part: Part, schema: TSchema, as_text = part !== 'body'): Check {
  // Compiled when it is first needed: a start does not wait for hundreds that nobody calls.
  let compiled: ReturnType<typeof Compile> | null = null
  const members = Object.entries((schema as Json).properties ?? {})
  if (as_text && members.length === 0) return () => NOTHING
  return (given) => {
    const value = as_text ? fromText(members, given as Record<string, unknown>) : tidied(schema as Json, given)
    const broken = brokenStrings(value, [part])
    if (broken.length > 0) return { value, problems: broken }
    const validator = (compiled ??= Compile(schema))
    if (validator.Check(value)) return { value, problems: [] }
    return { value, problems: firstPerPlace(validator.Errors(value).flatMap((error) => problemsOf(part, error, value))) }
  }
}

/** A missing or unreadable body, in the same shape as every other problem. */
export function bodyProblem(type: 'missing' | 'json_invalid', msg: string): Problem {
  return { loc: ['body'], msg, type }
}

type Json = { type?: string | string[]; format?: string; properties?: Record<string, Json>; required?: string[]; items?: Json; enum?: unknown[]; anyOf?: Json[] }

/** The body as operations want it: known members only, ids in lower case, and a null where none can be counts as absent. */
function tidied(schema: Json, value: unknown): unknown {
  if (typeof value === 'string') return schema.format === 'uuid' ? value.toLowerCase() : value
  if (Array.isArray(value)) return schema.items ? value.map((item) => tidied(schema.items as Json, item)) : value
  if (value === null || typeof value !== 'object' || !schema.properties) return value
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (known === undefined) continue // unknown members are accepted and ignored
    if (member === null && !schema.required?.includes(name) && !allowsNull(known)) continue
    kept[name] = tidied(known, member)
  }
  return kept
}

function allowsNull(schema: Json): boolean {
  const types = [schema.type].flat()
  return types.includes('null') || (schema.anyOf?.some(allowsNull) ?? false) || Object.keys(schema).every((key) => key === 'description')
}

/** Query and path values are text; numbers, booleans and lists (repeated, or with commas) are read where the schema has them. */
function fromText(members: [string, Json][], given: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, wanted] of members) {
    const value = given[name]
    if (value === undefined) continue
    if (wanted.type === 'array') {
      const items = [value].flat().flatMap((item) => String(item).split(',')).filter((item) => item !== '')
      read[name] = items.map((item) => scalar(wanted.items, item))
    } else read[name] = scalar(wanted, Array.isArray(value) ? value.at(-1) : value)
  }
  return read
}

function scalar(schema: Json | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema?.type === 'integer' && /^-?\d{1,16}$/.test(value)) return Number(value)
  if (schema?.format === 'uuid') return value.toLowerCase()
  if (schema?.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** NUL cannot be stored and a lone surrogate is no text: refused everywhere, so no operation has to think of them. */
function brokenStrings(value: unknown, loc: Problem['loc'], found: Problem[] = []): Problem[] {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) found.push({ loc, msg: 'Must be well-formed text without NUL characters.', type: 'value_error' })
  } else if (Array.isArray(value)) value.forEach((item, index) => brokenStrings(item, [...loc, index], found))
  else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) brokenStrings(name, loc, brokenStrings(member, [...loc, name], found))
  }
  return found
}

type SchemaError = { keyword: string; instancePath: string; params: Record<string, unknown>; message: string }

function problemsOf(part: Part, error: SchemaError, root: unknown): Problem[] {
  const path = error.instancePath.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [loc, value] = locate(part, path, root)
  // Said again by the errors of its branches, or by the keyword that really failed.
  if (error.keyword === 'anyOf') return []
  if (error.keyword === 'required') {
    return (error.params['requiredProperties'] as string[]).map((name) => ({ loc: [...loc, name], msg: 'Field required.', type: 'missing' }))
  }
  const { type, msg, ctx } = explain(error)
  return [{ loc, msg, type, ...(isObject(value) ? { input: value } : {}), ...(ctx ? { ctx } : {}) }]
}

/** An empty title is too short; that it also has no letter need not be said. */
function firstPerPlace(problems: Problem[]): Problem[] {
  const places = new Set<string>()
  return problems.filter(({ loc }) => {
    const place = JSON.stringify(loc)
    return !places.has(place) && places.add(place)
  })
}

/** List positions are numbers in `loc`, as the contract shows them. */
function locate(part: Part, path: string[], root: unknown): [Problem['loc'], unknown] {
  const loc: Problem['loc'] = [part]
  let value = root
  for (const step of path) {
    loc.push(Array.isArray(value) ? Number(step) : step)
    value = (value as Record<string, unknown> | undefined)?.[step]
  }
  return [loc, value]
}

const typeProblems: Record<string, { type: ProblemType; msg: string }> = {
  string: { type: 'string_type', msg: 'Must be a string.' },
  integer: { type: 'int_type', msg: 'Must be an integer.' },
  number: { type: 'int_type', msg: 'Must be a number.' },
  boolean: { type: 'bool_type', msg: 'Must be true or false.' },
  array: { type: 'list_type', msg: 'Must be a list.' },
  object: { type: 'object_type', msg: 'Must be an object.' },
}

const formatProblems: Record<string, { type: ProblemType; msg: string }> = {
  uuid: { type: 'uuid_parsing', msg: 'Must be a UUID.' },
  date: { type: 'date_parsing', msg: 'Must be an existing date as YYYY-MM-DD.' },
  'date-time': { type: 'datetime_parsing', msg: 'Must be a timestamp as in RFC 3339, such as 2026-01-31T09:30:00.000Z.' },
  email: { type: 'value_error', msg: 'Must be an e-mail address.' },
}

function explain({ keyword, params, message }: SchemaError): { type: ProblemType; msg: string; ctx?: object } {
  const limit = params['limit']
  switch (keyword) {
    case 'type': {
      const wanted = [params['type']].flat().find((name) => name !== 'null') as string
      return typeProblems[wanted] ?? { type: 'value_error', msg: `Must be ${wanted}.` }
    }
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).filter((value) => value !== null)
      return { type: 'enum', msg: `Must be one of: ${allowed.join(', ')}.`, ctx: { allowed } }
    }
    case 'format': return formatProblems[params['format'] as string] ?? { type: 'value_error', msg: `${capital(message)}.` }
    case 'minimum': return { type: 'greater_than_equal', msg: `Must be at least ${limit}.`, ctx: { ge: limit } }
    case 'maximum': return { type: 'less_than_equal', msg: `Must be at most ${limit}.`, ctx: { le: limit } }
    case 'minLength': return { type: 'string_too_short', msg: `Must have at least ${limit} character${limit === 1 ? '' : 's'}.`, ctx: { min_length: limit } }
    case 'maxLength': return { type: 'string_too_long', msg: `Must have at most ${limit} characters.`, ctx: { max_length: limit } }
    case 'minItems': return { type: 'value_error', msg: `Must have at least ${limit} item${limit === 1 ? '' : 's'}.`, ctx: { min_items: limit } }
    case 'maxItems': return { type: 'value_error', msg: `Must have at most ${limit} items.`, ctx: { max_items: limit } }
    case 'pattern': return { type: 'value_error', msg: 'Does not have the expected form.', ctx: { pattern: String(params['pattern']) } }
    default: return { type: 'value_error', msg: `${capital(message)}.` }
  }
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
