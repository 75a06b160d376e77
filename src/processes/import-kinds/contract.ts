// What can be brought in from files: kinds of records, and the fields that a column can be.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import type { Permission } from '../../foundation/permission.ts'
import { boolean, list, oneOf, shape, text } from '../../foundation/shapes.ts'

export const IMPORT_KINDS = ['customers', 'catalog_items', 'products', 'projects', 'invoices'] as const
export type ImportKindName = (typeof IMPORT_KINDS)[number]

export const DUPLICATES = ['skip', 'update', 'error'] as const
export type Duplicate = (typeof DUPLICATES)[number]

const FIELD_TYPES = ['text', 'money', 'integer', 'date', 'choice', 'reference'] as const

export const ImportField = shape('ImportField', {
  name: text(1, 60),
  label: text(1, 100),
  type: oneOf(FIELD_TYPES, { description: 'reference: the name or code of a record that is there already.' }),
  required: boolean(),
  choices: list(Type.String(), { description: 'Of a choice: what it can be.' }),
  description: Type.String(),
  example: Type.String(),
})

export const ImportKind = shape('ImportKind', {
  kind: oneOf(IMPORT_KINDS),
  title: Type.String(),
  description: Type.String(),
  fields: list(ImportField),
  one_of: list(Type.String(), { description: 'Of these fields at least one must be mapped.' }),
  key: list(Type.String(), { description: 'The fields by which a record is known again, the first that is mapped.' }),
  duplicates: list(oneOf(DUPLICATES), { description: 'What can become of a row whose record is there already.' }),
  grouped: boolean({ description: 'Rows with the same key are the lines of one record.' }),
})
export type ImportKind = Static<typeof ImportKind>

/** How the texts of a field lead to a record. */
export type Reference = 'payment_term' | 'tax_code' | 'ledger' | 'customer_name' | 'customer_external_id' | 'catalog_item' | 'variant' | 'project'

/** A field as the reader of rows needs it. */
export type Field = Static<typeof ImportField> & {
  /** Where its value goes in what the owning group takes; `*` is the line. */
  path: string
  reference?: Reference
  /** Other names that columns have for it. */
  also: readonly string[]
}

export type Kind = Omit<ImportKind, 'fields'> & {
  fields: readonly Field[]
  /** Whether the key is the same in any case. */
  folded: boolean
  group: 'customers' | 'catalog-items' | 'inventory' | 'projects' | 'invoices'
}

export const writing = ({ group }: Pick<Kind, 'group'>): Permission => `${group}:write`
export const reading = ({ group }: Pick<Kind, 'group'>): Permission => `${group}:read`

const endpoint = endpointsOf('imports', 'business')

export const listImportKinds = endpoint({
  id: 'list_import_kinds', method: 'GET', path: '/kinds', summary: 'List what can be imported',
  description: 'The kinds whose records the caller may change, with the fields that a column can be.',
  reply: shape('ImportKinds', { items: list(ImportKind) }),
})

export const getImportTemplate = endpoint({
  id: 'get_import_template', method: 'GET', path: '/kinds/{kind}/template', summary: 'Download a template',
  description: 'A CSV file with a column for every field and one row as an example.',
  params: shape('ImportKindParams', { kind: oneOf(IMPORT_KINDS) }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'text/csv' }),
})

export type Mapping = Record<string, string>
export const mappingShape = (description: string) => Type.Unsafe<Mapping>({ type: 'object', additionalProperties: { type: 'string' }, description })
