// Between a record and what stands in the inputs of its form: amounts as people write them, empty for nothing.
import { cents, typed } from '../format.ts'

export type Choice = { value: string; label: string }
export type Field = {
  /** As the API calls it; dots lead inside, such as billing_address.city. */
  name: string
  label: string
  kind: 'text' | 'long_text' | 'money' | 'number' | 'date' | 'choice' | 'choices' | 'party' | 'switch'
  required?: boolean
  /** What it means, where the label does not say it. */
  words?: string
  choices?: readonly Choice[]
  /** What the figure counts, behind the input. */
  unit?: string
  /** What a new one starts with. */
  initial?: Typed
  /** Opens a part of the form under this heading. */
  section?: string
}
export type Typed = string | boolean | string[]
export type Values = Record<string, Typed>

const empty = ({ kind }: Field): Typed => (kind === 'switch' ? false : kind === 'choices' ? [] : '')
const partOf = (name: string): string => name.split('.')[0] as string
const isEmpty = (value: Typed | undefined): boolean =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0)

function stored(record: object, name: string): unknown {
  return name.split('.').reduce<unknown>((inside, key) => (inside as Record<string, unknown> | null | undefined)?.[key], record)
}

function shown(field: Field, value: unknown): Typed {
  if (value === null || value === undefined) return empty(field)
  if (field.kind === 'money') return typed(value as number)
  if (field.kind === 'switch') return value === true
  return field.kind === 'choices' ? (value as string[]) : String(value)
}

export function startOf(fields: readonly Field[], record: object | undefined): Values {
  return Object.fromEntries(fields.map((field) => [field.name, record ? shown(field, stored(record, field.name)) : field.initial ?? empty(field)]))
}

export function mistakesIn(fields: readonly Field[], values: Values): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { name, kind, required } of fields) {
    const value = values[name]
    if (isEmpty(value)) {
      if (required) found[name] = 'This is needed.'
    } else if (kind === 'money' && cents(value as string) === null) found[name] = 'This is no amount. Write it like 1250.00.'
    else if (kind === 'number' && !/^-?\d+$/.test((value as string).trim())) found[name] = 'This is no whole number.'
  }
  return found
}

function read({ kind }: Field, value: Typed): unknown {
  if (typeof value !== 'string') return value
  if (isEmpty(value)) return null
  if (kind === 'money') return cents(value)
  return kind === 'number' ? Number(value) : value.trim()
}

/** Of a new record what was filled in; of an existing one what was changed, and the whole of a part of which something was. */
export function bodyOf(fields: readonly Field[], values: Values, record: object | undefined): Record<string, unknown> {
  const start = record ? startOf(fields, record) : {}
  const counts = (field: Field) => (record ? JSON.stringify(values[field.name]) !== JSON.stringify(start[field.name]) : !isEmpty(values[field.name]))
  const parts = new Set(fields.filter(counts).map(({ name }) => partOf(name)))
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    const [part, inner] = field.name.split('.') as [string, string | undefined]
    if (!parts.has(part)) continue
    const value = read(field, values[field.name] as Typed)
    body[part] = inner === undefined ? value : { ...(body[part] as object | undefined), [inner]: value }
  }
  return body
}
