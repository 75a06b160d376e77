// Every SQL statement of the program against the real schema: it must be valid, and the rows it returns must have the
// columns, types and nulls that its row shape says. PostgreSQL itself describes each statement; nothing is executed.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import '../src/app/program.ts'
import '../src/app/jobs.ts'
import { countStatement, lists, pageStatement, type List, type Variant } from '../src/foundation/database/list.ts'
import { APP_ROLE } from '../src/foundation/database/pool.ts'
import { statements, type Statement } from '../src/foundation/database/statement.ts'
import { PERSONAL_TABLES } from '../tools/plan.ts'
import { describeStatement, type Column } from './support/describe.ts'

const db = { client: null as pg.Client | null }
const notNull = new Set<string>()

beforeAll(async () => {
  db.client = new pg.Client({ connectionString: inject('database_url'), options: `-c role=${APP_ROLE}` })
  await db.client.connect()
  const { rows } = await db.client.query('select attrelid, attnum from pg_attribute where attnotnull and attnum > 0')
  for (const { attrelid, attnum } of rows) notNull.add(`${attrelid}.${attnum}`)
})
afterAll(() => db.client?.end())

describe('statements fit the schema', () => {
  it('the program has statements', () => expect(statements.length).toBeGreaterThan(20))

  it('each statement is valid and returns what its shape says', async () => {
    const problems: string[] = []
    for (const statement of [...statements, ...lists.flatMap(variants)]) problems.push(...(await problemsOf(statement)))
    expect(problems).toEqual([])
  })

  it('each statement on a tenant table names the business', async () => {
    const { rows } = await db.client!.query("select relname from pg_class where relrowsecurity and relkind = 'r'")
    const tenant = new RegExp(`\\b(?:from|join|update|into)\\s+(${rows.map((row) => row.relname).join('|')})\\b`, 'i')
    const personal = new RegExp(`\\b(?:from|join|update|into)\\s+(${PERSONAL_TABLES.join('|')})\\b`, 'i')
    const named = (parameters: string[], text: string) => parameters.includes('business_id') || (personal.test(text) && ['actor_id', 'user_id'].some((name) => parameters.includes(name)))
    const careless = statements.filter(({ text, parameters }) => tenant.test(text) && !named(parameters, text))
    expect(careless.map(({ text }) => text)).toEqual([])
  })
})

/** Each sort both ways in every zone, without filters; each filter alone; all filters together. */
function variants(list: List): Statement[] {
  const filters = Object.keys(list.filters ?? {})
  const [first = ''] = Object.keys(list.sorts)
  const plain: Variant = { sort_by: first, descending: true, backwards: false, zone: 'all', filters: [] }
  const sorted = Object.keys(list.sorts).flatMap((sort_by) => [true, false].flatMap((descending) => [true, false].flatMap((backwards) =>
    (['all', 'values', 'nulls'] as const).filter((zone) => zone !== 'nulls' || list.sorts[sort_by]?.nullable).map((zone) => ({ ...plain, sort_by, descending, backwards, zone })))))
  const filtered = [...filters.map((filter) => [filter]), filters].map((chosen) => ({ ...plain, filters: chosen }))
  return [...[...sorted, ...filtered].map((variant) => pageStatement(list, variant)), countStatement(list, filters)]
}

async function problemsOf(statement: Statement): Promise<string[]> {
  const problem = (text: string) => `${text}: ${statement.text.replaceAll(/\s+/g, ' ').slice(0, 160)}`
  let columns: Column[]
  try {
    columns = await describeStatement(db.client!, statement.text)
  } catch (error) {
    return [problem((error as Error).message)]
  }
  const { properties, required = [] } = statement.row as unknown as { properties: Record<string, Shape>; required?: string[] }
  const found = new Map(columns.map((column) => [column.name, column]))
  const internal = new Set(['sort_value_', 'sort_id_'])
  return [
    ...Object.keys(properties).filter((name) => !found.has(name)).map((name) => problem(`column ${name} of the shape is not returned`)),
    ...(Object.keys(properties).length === 0 ? [] : columns.filter(({ name }) => !(name in properties) && !internal.has(name)).map(({ name }) => problem(`column ${name} is not in the shape`))),
    ...Object.entries(properties).flatMap(([name, shape]) => {
      const column = found.get(name)
      if (!column) return []
      const accepted = typesFor[column.type_id]
      const actual = kindsOf(shape)
      if (!accepted) return [problem(`column ${name} has a type (${column.type_id}) that no shape knows`)]
      if (!actual.some((kind) => accepted.includes(kind))) return [problem(`column ${name} is ${accepted.join(' or ')}, the shape says ${actual.join(' or ')}`)]
      const of_table = column.table_id > 0
      const nullable = of_table && !notNull.has(`${column.table_id}.${column.column_number}`)
      if (nullable && !allowsNull(shape)) return [problem(`column ${name} can be null, the shape says it cannot`)]
      return required.includes(name) ? [] : [problem(`${name} is optional in the shape; a column is always there`)]
    }),
  ]
}

type Shape = { type?: string | string[]; format?: string; enum?: unknown[]; anyOf?: Shape[] }

/** What a shape can hold, as PostgreSQL's types are named below. */
function kindsOf(shape: Shape): string[] {
  if (shape.anyOf) return shape.anyOf.flatMap(kindsOf)
  const formats: Record<string, string> = { uuid: 'uuid', date: 'date', 'date-time': 'timestamp' }
  const kinds = [shape.type].flat().filter((type) => type !== undefined && type !== 'null').map((type) => (type === 'string' ? formats[shape.format ?? ''] ?? 'string' : String(type)))
  return kinds.length > 0 ? kinds : ['any']
}

function allowsNull(shape: Shape): boolean {
  return [shape.type].flat().includes('null') || (shape.anyOf?.some(allowsNull) ?? false)
}

const json = ['object', 'array', 'any', 'string', 'integer', 'boolean']
const typesFor: Record<number, string[]> = {
  16: ['boolean'], 17: ['buffer'], 20: ['integer'], 21: ['integer'], 23: ['integer'], 25: ['string'], 1043: ['string'], 1700: ['string'], 2278: ['any'],
  1082: ['date'], 1184: ['timestamp'], 2950: ['uuid'], 114: json, 3802: json, 1009: ['array'], 1182: ['array'], 1185: ['array'], 2951: ['array'], 1016: ['array'], 1007: ['array'],
}
