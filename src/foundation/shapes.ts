// The building blocks of wire shapes: every contract is put together from these, so one kind of value is described one way.
import { Type, type Static, type TObject, type TOptional, type TProperties, type TSchema, type TUnsafe } from 'typebox'

type Options = { description?: string; title?: string; [key: string]: unknown }

/** A named object: the name becomes the schema's name in the OpenAPI document. */
export function shape<P extends TProperties>(name: string, properties: P, options: Options = {}): TObject<P> {
  return Type.Object(properties, { title: name, ...options })
}

/** Members of one shape, each made optional: the body of an update, where an absent field is left alone. */
export function partial<P extends TProperties>(name: string, properties: P): TObject<{ [K in keyof P]: TOptional<P[K]> }> {
  const optional = Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)]))
  return Type.Object(optional as { [K in keyof P]: TOptional<P[K]> }, { title: name })
}

/** Also null. Written as a type list, so that a wrong value gives one problem, not one per alternative. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values, title, ...rest } = schema as TSchema & { type?: string | string[]; enum?: unknown[]; title?: string }
  if ([type].flat().includes('null')) return schema as unknown as TUnsafe<Static<T> | null>
  if (values) return Type.Unsafe({ ...rest, type: ['string', 'null'], enum: [...values, null] })
  if (title || !type) return Type.Unsafe({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe({ ...rest, type: [type, 'null'] })
}

export const optional = Type.Optional
export const boolean = (options: Options = {}) => Type.Boolean(options)
export const list = <T extends TSchema>(items: T, options: Options = {}) => Type.Array(items, options)

/** Free text. NUL and broken surrogates are refused for every string of a request, before the schema is looked at. */
export const text = (minLength: number, maxLength: number, options: Options = {}) => Type.String({ minLength, maxLength, ...options })

export const integer = (minimum: number = Number.MIN_SAFE_INTEGER, maximum: number = Number.MAX_SAFE_INTEGER, options: Options = {}) =>
  Type.Integer({ minimum, maximum, ...options })

/** Integer cents within the range that a JSON number carries exactly. */
export const cents = (options: Options = {}) => integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, { description: 'Integer cents.', ...options })

export const id = (options: Options = {}) => Type.String({ format: 'uuid', ...options })
export const date = (options: Options = {}) => Type.String({ format: 'date', ...options })
export const timestamp = (options: Options = {}) => Type.String({ format: 'date-time', ...options })
export const email = (options: Options = {}) => Type.String({ format: 'email', minLength: 3, maxLength: 254, ...options })

export function oneOf<const V extends readonly string[]>(values: V, options: Options = {}): TUnsafe<V[number]> {
  return Type.Unsafe({ type: 'string', enum: [...values], ...options })
}

/** Any JSON object whose members are not ours to describe. */
export const anyObject = (options: Options = {}) => Type.Unsafe<Record<string, unknown>>({ type: 'object', ...options })

/** What every record of a business carries. `version` counts its changes and is its ETag. */
export const record = {
  id: id(),
  business_id: id(),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1, 2147483647, { description: 'Counts the changes of this record; the ETag of the answer.' }),
}
