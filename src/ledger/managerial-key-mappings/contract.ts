// Managerial keys: how the ledgers are regrouped for management, a value per ledger and key.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'
import { businessParams } from '../../access/businesses/contract.ts'
import { LEDGER_TYPES } from '../ledgers/contract.ts'

export const MOST_KEY_TYPES = 30
export const MOST_MAPPINGS = 5000
export const LONGEST_VALUE = 100

const key = text(2, 40, { pattern: '^[a-z][a-z0-9_-]*$', description: 'Unique in the business; never changes.' })
const value = text(1, LONGEST_VALUE, { pattern: '^\\S(?:.*\\S)?$' })

const allowed = { value, label: text(1, 120, { pattern: '\\S' }), position: integer(1, 10_000) }
export const AllowedValue = shape('ManagerialKeyValue', allowed)
export type AllowedValue = Static<typeof AllowedValue>

const AllowedValueInput = shape('ManagerialKeyValueInput', {
  ...allowed,
  label: optional(text(1, 120, { pattern: '\\S', description: 'Default: the value.' })),
  position: optional(integer(1, 10_000, { description: 'Default: its place in the list.' })),
})
export type AllowedValueInput = Static<typeof AllowedValueInput>

const fields = {
  name: text(1, 120, { pattern: '\\S' }),
  description: nullable(text(1, 500)),
  value_kind: oneOf(['list', 'text'], { description: 'list: one of the allowed values. text: any.' }),
  required: boolean({ description: 'Every ledger should have a value; those without are counted, not refused.' }),
}

export const KeyTypeRow = shape('ManagerialKeyTypeRow', {
  ...record,
  key,
  ...fields,
  allowed_values: list(AllowedValue),
  system: boolean({ description: 'Came with the business and cannot be deleted.' }),
  position: integer(1),
})
export const KeyType = shape('ManagerialKeyType', {
  ...KeyTypeRow.properties,
  mapped_count: integer(0, undefined, { description: 'How many ledgers have a value of their own.' }),
})

const allowed_values = list(AllowedValueInput, { maxItems: 200 })
export const KeyTypeInput = shape('ManagerialKeyTypeInput', {
  ...partial('ManagerialKeyTypeFields', { ...fields, allowed_values }).properties,
  key,
  name: fields.name,
})
export const KeyTypeUpdate = partial('ManagerialKeyTypeUpdate', {
  ...fields,
  allowed_values,
  replace_with: text(1, LONGEST_VALUE, { description: 'The allowed value that takes the place of those that are removed and in use.' }),
})

export type KeyTypeRow = Static<typeof KeyTypeRow>
export type KeyType = Static<typeof KeyType>
export type KeyTypeInput = Static<typeof KeyTypeInput>
export type KeyTypeUpdate = Static<typeof KeyTypeUpdate>

const valuesByKey = Type.Unsafe<Record<string, string | null>>({
  type: 'object', additionalProperties: { type: ['string', 'null'] }, description: 'For each key the value that counts, or null.',
})

export const MappingRow = shape('ManagerialMappingRow', {
  ledger_id: id(),
  number: nullable(text(1, 20)),
  name: text(1, 120),
  type: oneOf(LEDGER_TYPES),
  values: valuesByKey,
  inherited: list(key, { description: 'The keys whose value comes from the parent of the ledger.' }),
})
export type MappingRow = Static<typeof MappingRow>

export const MappingTable = shape('ManagerialMappingTable', {
  key_types: list(KeyType),
  rows: list(MappingRow, { description: 'By number, then by name.' }),
  unmapped: Type.Unsafe<Record<string, number>>({
    type: 'object', additionalProperties: { type: 'integer' }, description: 'For each key how many of the rows that take lines have no value.',
  }),
})
export type MappingTable = Static<typeof MappingTable>

const MappingInput = shape('ManagerialMappingInput', {
  ledger_id: id(),
  key,
  value: nullable(text(1, LONGEST_VALUE, { pattern: '^\\S(?:.*\\S)?$', description: 'null takes the value away.' })),
})
export type MappingInput = Static<typeof MappingInput>

export const keyTypeResource = resource({
  type: 'managerial_key_type', group: 'managerial-key-mappings', shape: KeyTypeRow, table: null, label: 'name', events: ['managerial_key_type.changed'],
})

/** The history of a mapping is that of a ledger: its own values by key. */
export const mappingResource = resource({
  type: 'managerial_mapping', group: 'managerial-key-mappings',
  shape: shape('ManagerialMappingRecord', { id: id({ description: 'That of the ledger.' }), name: text(1, 120), values: valuesByKey }),
  table: null, label: 'name', events: ['managerial_mapping.changed'],
})

const at = '/businesses/{business_id}/managerial-key-mappings'
const common = { scope: 'business', group: 'managerial-key-mappings' } as const
const read = { ...common, permission: 'managerial-key-mappings:read' } as const
const write = { ...common, permission: 'managerial-key-mappings:write' } as const
const keyParams = shape('ManagerialKeyTypeParams', { business_id: id(), key })

const filters = shape('ManagerialMappingsQuery', {
  type: optional(oneOf(LEDGER_TYPES, { description: 'Only ledgers of this type.' })),
  archived: optional(oneOf(['false', 'true', 'all'], { default: 'false' })),
})
export type MappingFilters = Static<typeof filters>

export const getMappings = endpoint({
  ...read, id: 'get_managerial_mappings', method: 'GET', path: at, summary: 'Get the table of managerial keys',
  description: 'A ledger without a value has that of its parent; one that is merged into another has that of the other.',
  params: businessParams,
  query: filters,
  reply: MappingTable,
})

export const saveMappings = endpoint({
  ...write, id: 'save_managerial_mappings', method: 'PUT', path: at, summary: 'Set values of managerial keys',
  description: 'All or nothing. What is not named stays as it is.',
  params: businessParams,
  body: shape('ManagerialMappingsInput', { mappings: list(MappingInput, { minItems: 1, maxItems: MOST_MAPPINGS }) }),
  reply: MappingTable,
  refusals: ['A value is none of those that its key allows.', 'A ledger is named twice for one key.'],
})

export const exportMappings = endpoint({
  ...read, id: 'export_managerial_mappings', method: 'GET', path: `${at}/export.csv`, summary: 'Export the table as CSV',
  params: businessParams,
  query: filters,
  reply: Type.String({ contentMediaType: 'text/csv' }),
})

export const listKeyTypes = endpoint({
  ...read, id: 'list_managerial_key_types', method: 'GET', path: `${at}/key-types`, summary: 'List the managerial keys',
  params: businessParams,
  reply: list(KeyType),
})

export const createKeyType = endpoint({
  ...write, id: 'create_managerial_key_type', method: 'POST', path: `${at}/key-types`, summary: 'Create a managerial key',
  params: businessParams,
  body: KeyTypeInput,
  reply: KeyType,
  refusals: [
    'A key of this name exists, or a column of the table has it.', `The business has ${MOST_KEY_TYPES} keys already.`,
    'A list has no values, or one of them twice.', 'Free text comes with a list of values.',
  ],
  example: { key: 'region', name: 'Region', value_kind: 'list', allowed_values: [{ value: 'north', label: 'North' }, { value: 'south', label: 'South' }] },
})

export const updateKeyType = endpoint({
  ...write, id: 'update_managerial_key_type', method: 'PUT', path: `${at}/key-types/{key}`, summary: 'Change a managerial key',
  params: keyParams,
  body: KeyTypeUpdate,
  reply: KeyType,
  refusals: [
    'A value that ledgers have is not allowed any more, and replace_with does not say what takes its place.', 'A list has no values, or one of them twice.',
  ],
  example: { name: 'Sales region' },
})

export const deleteKeyType = endpoint({
  ...write, id: 'delete_managerial_key_type', method: 'DELETE', path: `${at}/key-types/{key}`, summary: 'Delete a managerial key',
  params: keyParams,
  query: shape('ManagerialKeyTypeDeleteQuery', { force: optional(boolean({ description: 'Also while ledgers have values of it, which go with it.' })) }),
  reply: KeyType,
  refusals: ['The key came with the business.', 'Ledgers have values of it and force is not true.'],
})
