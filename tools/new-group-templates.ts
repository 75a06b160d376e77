// The text of a new group: the smallest complete one, with a name as its only field.

export type Names = {
  room: string
  /** As in the URL: payment-terms. */
  group: string
  /** payment_terms */
  table: string
  /** paymentTerms */
  camel: string
  /** payment terms */
  words: string
  /** payment_term, PaymentTerm, paymentTerm, payment term */
  singular: string
  Type: string
  type: string
  thing: string
}

export function namesOf(room: string, group: string): Names {
  const singular = singularOf(group).replaceAll('-', '_')
  const type = camelCase(singular)
  return {
    room, group, singular, type,
    table: group.replaceAll('-', '_'),
    camel: camelCase(group.replaceAll('-', '_')),
    words: group.replaceAll('-', ' '),
    Type: type.charAt(0).toUpperCase() + type.slice(1),
    thing: singular.replaceAll('_', ' '),
  }
}

export function groupFiles(names: Names): Record<string, string> {
  return { 'contract.ts': contractText(names), 'store.ts': storeText(names), 'operations.ts': operationsText(names), 'routes.ts': routesText(names), 'operations.test.ts': testText(names) }
}

export function migrationText({ table, words }: Names): string {
  return `-- ${capital(words)}.
create table ${table} (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version int not null,
  primary key (business_id, id)
);
create index ${table}_created on ${table} (business_id, created_at, id);
create index ${table}_name on ${table} (business_id, name, id);
call protect('${table}');
`
}

function contractText({ group, table, words, singular, Type, type, thing, camel }: Names): string {
  const plural = capital(camel)
  return `// ${capital(words)}: what they are, in one sentence.
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { id, partial, record, shape, text } from '../../foundation/shapes.ts'

const fields = { name: text(1, 200) }

export const ${Type} = shape('${Type}', { ...record, ...fields })
export const ${Type}Input = shape('${Type}Input', fields)
export const ${Type}Update = partial('${Type}Update', fields)

export const ${type}Resource = resource({
  type: '${singular}', group: '${group}', shape: ${Type}, table: '${table}', label: 'name',
  events: ['${singular}.created', '${singular}.updated', '${singular}.deleted'],
})

const endpoint = endpointsOf('${group}', 'business')
const params = shape('${Type}Params', { ${singular}_id: id() })

export const list${plural} = endpoint({
  id: 'list_${table}', method: 'GET', path: '', summary: 'List ${words}',
  query: listQuery(['created_at', 'name']),
  reply: pageOf(${Type}),
})

export const create${Type} = endpoint({
  id: 'create_${singular}', method: 'POST', path: '', summary: 'Create ${article(thing)} ${thing}',
  body: ${Type}Input,
  reply: ${Type},
  example: { name: 'A name' },
})

export const get${Type} = endpoint({
  id: 'get_${singular}', method: 'GET', path: '/{${singular}_id}', summary: 'Get ${article(thing)} ${thing}',
  params,
  reply: ${Type},
})

export const update${Type} = endpoint({
  id: 'update_${singular}', method: 'PUT', path: '/{${singular}_id}', summary: 'Update ${article(thing)} ${thing}',
  params,
  body: ${Type}Update,
  reply: ${Type},
  example: { name: 'Another name' },
})

export const delete${Type} = endpoint({
  id: 'delete_${singular}', method: 'DELETE', path: '/{${singular}_id}', summary: 'Delete ${article(thing)} ${thing}',
  params,
  reply: ${Type},
})
`
}

function storeText({ table, words, Type, camel, type }: Names): string {
  return `// The SQL of ${words}.
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { ${Type} } from './contract.ts'

export const insert${Type} = insertion('${table}', ${Type})
export const update${Type} = updating('${table}', 'name')
export const delete${Type} = deletion('${table}')
export const find${Type} = selectionById('${table}', ${Type})
export const lock${Type} = selectionById('${table}', ${Type}, true)

export const ${camel === type ? `${camel}List` : camel} = list({
  item: ${Type},
  from: '${table} t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, name: { column: 't.name', type: 'text' } },
})
`
}

function operationsText({ words, singular, Type, type, thing, camel }: Names): string {
  const plural = capital(camel)
  return `// What can be done with ${words}.
import type { Static } from 'typebox'
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { ${type}Resource, type ${Type}, type ${Type}Input, type ${Type}Update } from './contract.ts'
import * as store from './store.ts'

type ${Type}Row = Static<typeof ${Type}>

export function list${plural}(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.${camel}, query)
}

export function get${Type}(tx: BusinessTx, ${singular}_id: string): Promise<${Type}Row> {
  return tx.get(store.find${Type}, { id: ${singular}_id }, '${capital(thing)}')
}

export async function create${Type}(tx: BusinessTx, input: Static<typeof ${Type}Input>): Promise<${Type}Row> {
  const ${type}: ${Type}Row = { id: newId(), business_id: tx.business_id, ...input, created_at: tx.now, updated_at: tx.now, version: 1 }
  tx.queue(store.insert${Type}, ${type})
  tx.record(${type}Resource, '${singular}.created', { before: null, after: ${type} })
  return ${type}
}

export async function update${Type}(tx: BusinessTx, ${singular}_id: string, input: Static<typeof ${Type}Update>): Promise<${Type}Row> {
  const before = await tx.lock(store.lock${Type}, { id: ${singular}_id }, '${capital(thing)}')
  const after = changed(before, input, tx.now)
  tx.queue(store.update${Type}, after)
  tx.record(${type}Resource, '${singular}.updated', { before, after })
  return after
}

export async function delete${Type}(tx: BusinessTx, ${singular}_id: string): Promise<${Type}Row> {
  const ${type} = await tx.lock(store.lock${Type}, { id: ${singular}_id }, '${capital(thing)}')
  tx.queue(store.delete${Type}, ${type})
  tx.record(${type}Resource, '${singular}.deleted', { before: ${type}, after: null })
  return ${type}
}
`
}

function routesText({ words, singular, Type, camel }: Names): string {
  const plural = capital(camel)
  return `// ${capital(words)} over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const ${camel}Routes = [
  on(contract.list${plural}, (tx, { query }) => operations.list${plural}(tx, query)),
  on(contract.create${Type}, (tx, { body }) => operations.create${Type}(tx, body)),
  on(contract.get${Type}, (tx, { params }) => operations.get${Type}(tx, params.${singular}_id)),
  on(contract.update${Type}, (tx, { params, body }) => operations.update${Type}(tx, params.${singular}_id, body)),
  on(contract.delete${Type}, (tx, { params }) => operations.delete${Type}(tx, params.${singular}_id)),
]
`
}

function testText({ group, words, thing, singular }: Names): string {
  return `// ${capital(words)} over HTTP, on a real database.
import { beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, type Team } from '../../../test/support/people.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})

describe('${words}', () => {
  it('are created, read, changed and deleted', async () => {
    const made = await team.client.post('/${group}', { name: 'First' })
    expect(made.status).toBe(201)
    const path = \`/${group}/\${made.data.id}\`
    expect((await team.client.get(path)).data).toEqual(made.data)
    const changed = await team.client.put(path, { name: 'Second' })
    expect(changed.data).toMatchObject({ name: 'Second', version: 2 })
    expect((await team.client.delete(path)).status).toBe(200)
    expect((await team.client.get(path)).detail).toBe('${capital(thing)} not found.')
  })

  it('leave their trace', async () => {
    const { data } = await team.client.post('/${group}', { name: 'Traced' })
    const events = await team.client.get('/events', { resource_type: '${singular}', resource_id: data.id })
    expect(events.data.items.map(({ type }: { type: string }) => type)).toEqual(['${singular}.created'])
  })
})
`
}

function singularOf(group: string): string {
  if (group.endsWith('ies')) return `${group.slice(0, -3)}y`
  return group.endsWith('sses') || group.endsWith('xes') || group.endsWith('ches') ? group.slice(0, -2) : group.slice(0, -1)
}

function camelCase(snake: string): string {
  return snake.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function article(thing: string): string {
  return /^[aeiou]/.test(thing) ? 'an' : 'a'
}
