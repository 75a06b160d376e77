// The house keeps its plan: floors, circles, roles of files, lengths, tenant tables. Reads the files and the schema, nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { GROUPS, PERSONAL_GROUPS } from '../src/access/permissions.ts'
import { routes } from '../src/app/routes.ts'
import { POWERS } from '../src/foundation/permission.ts'
import { FLOORS, LONGEST_FILE, MACHINERY, PERSONAL_TABLES, ROLES, SHARED_TABLES } from '../tools/plan.ts'

const root = resolve(import.meta.dirname, '..')
const files = ['src', 'test', 'tools', 'bench'].flatMap((folder) => walk(join(root, folder))).map((path) => relative(root, path))
const sources = files.filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
const text = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
const imports = new Map(files.filter((path) => path.endsWith('.ts')).map((path) => [path, importsOf(path)]))

describe('rooms', () => {
  it('every room is on the plan', () => {
    expect([...new Set(sources.map(roomOf))].filter((room) => !(room in FLOORS))).toEqual([])
  })

  it('imports point down: never up, never to a neighbour on the same floor', () => {
    const wrong = sources.filter((path) => !path.endsWith('.test.ts')).flatMap((path) => (imports.get(path) ?? []).filter((target) => {
      const [from, to] = [roomOf(path), roomOf(target)]
      return from !== to && (FLOORS[from] ?? 0) <= (FLOORS[to] ?? 0)
    }).map((target) => `${path} → ${target}`))
    expect(wrong).toEqual([])
  })

  it('no file imports itself around a circle', () => {
    expect(circles()).toEqual([])
  })

  it('a group keeps its SQL to itself: no store is imported from another folder', () => {
    const wrong = sources.flatMap((path) => (imports.get(path) ?? []).filter((target) => target.endsWith('/store.ts') && dirname(target) !== dirname(path)).map((target) => `${path} → ${target}`))
    expect(wrong).toEqual([])
  })
})

describe('files', () => {
  it('the files of a group have their roles', () => {
    const grouped = sources.filter((path) => path.split('/').length === 4 && !MACHINERY.some((folder) => path.startsWith(`src/${folder}/`)))
    expect(grouped.filter((path) => !path.endsWith('.test.ts') && !ROLES.includes(path.split('/').at(-1) ?? ''))).toEqual([])
  })

  it('none is too long, none is called index, each opens with a sentence', () => {
    expect(sources.filter((path) => (text.get(path)?.split('\n').length ?? 0) > LONGEST_FILE)).toEqual([])
    expect(sources.filter((path) => path.endsWith('/index.ts'))).toEqual([])
    expect(sources.filter((path) => !path.endsWith('.test.ts') && !text.get(path)?.startsWith('// '))).toEqual([])
  })

  it('none is dead: each is imported, or is where the program, a tool or a test starts', () => {
    const starts = files.filter((path) => path === 'src/app/main.ts' || path.endsWith('.test.ts') || path === 'test/support/database.ts' || /^(tools|bench)\/[^/]+\.ts$/.test(path))
    const reached = new Set(starts)
    const waiting = [...starts]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      for (const target of (imports.get(path) ?? []).filter((next) => !reached.has(next))) {
        reached.add(target)
        waiting.push(target)
      }
    }
    expect(sources.filter((path) => !reached.has(path) && !path.endsWith('.d.ts'))).toEqual([])
  })

  it('nothing is left undone, and time comes from the clock', () => {
    const smells = /TODO|FIXME|@ts-ignore|@ts-nocheck|Math\.random\(\)/
    expect(sources.filter((path) => smells.test(text.get(path) ?? ''))).toEqual([])
    const groups = sources.filter((path) => /\/(operations|rules|store)\.ts$/.test(path))
    expect(groups.filter((path) => /new Date\(\)|Date\.now\(\)/.test(text.get(path) ?? ''))).toEqual([])
  })
})

describe('endpoints', () => {
  it('operation ids are unique and every permission is in the table', () => {
    const ids = routes.map(({ endpoint }) => endpoint.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const known = new Set<string>([...POWERS, ...[...GROUPS, ...PERSONAL_GROUPS].flatMap(({ group }) => [`${group}:read`, `${group}:write`])])
    expect(routes.filter(({ endpoint }) => endpoint.permission && !known.has(endpoint.permission)).map(({ endpoint }) => endpoint.id)).toEqual([])
    expect(routes.filter(({ endpoint }) => endpoint.scope === 'business' && !endpoint.permission).map(({ endpoint }) => endpoint.id)).toEqual([])
  })

  it('a GET needs a read permission, a write does not make do with one', () => {
    // Posted only because what it works out does not fit into a query; it changes nothing.
    const calculations = new Set(['calculate_tax', 'query_metric', 'resolve_counterparty_texts'])
    const wrong = routes.filter(({ endpoint: { id, method, permission } }) => (method === 'GET' || calculations.has(id) ? permission?.endsWith(':write') : permission?.endsWith(':read')))
    expect(wrong.map(({ endpoint }) => endpoint.id)).toEqual([])
  })
})

describe('tables', () => {
  it('every tenant table has business_id first in its keys, and a policy; every other table has its reason', async () => {
    const client = new pg.Client({ connectionString: inject('database_url') })
    await client.connect()
    const { rows: tables } = await client.query(`select c.relname as name, c.relrowsecurity as secured,
        exists (select from pg_policy p where p.polrelid = c.oid) as policy,
        exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id') as tenant
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`)
    const { rows: keys } = await client.query(`select i.indrelid::regclass::text as "table", i.indexrelid::regclass::text as key, a.attname as first
      from pg_index i join pg_class c on c.oid = i.indrelid left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indisunique and c.relrowsecurity and c.relnamespace = 'public'::regnamespace`)
    const { rows: references } = await client.query(`select conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and c.relrowsecurity and f.relrowsecurity
        and not exists (select from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname = 'business_id')`)
    const { rows: imprecise } = await client.query(`select attrelid::regclass::text || '.' || attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and atttypid = 'timestamptz'::regtype and atttypmod <> 3`)
    const { rows: numeric } = await client.query(`select attrelid::regclass::text || '.' || attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and atttypid in ('float4'::regtype, 'float8'::regtype, 'money'::regtype, 'timestamp'::regtype)`)
    await client.end()
    expect(tables.filter(({ name, secured, policy }) => !(name in SHARED_TABLES) && !(secured && policy)).map(({ name }) => name)).toEqual([])
    expect(tables.filter(({ name, secured }) => name in SHARED_TABLES && secured).map(({ name }) => name)).toEqual([])
    expect(keys.filter(({ table, first }) => first !== 'business_id' && !(PERSONAL_TABLES.includes(table) && first === 'user_id'))).toEqual([])
    expect(references).toEqual([])
    expect(imprecise).toEqual([])
    expect(numeric).toEqual([])
  })
})

function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function importsOf(path: string): string[] {
  const found = (text.get(path) ?? '').matchAll(/(?:from\s+|import\s+|import\()'(\.[^']+)'/g)
  return Array.from(found, ([, target = '']) => relative(root, resolve(root, dirname(path), target))).filter((target) => target.endsWith('.ts'))
}

/** Circles of imports that run: type-only imports vanish, but they count all the same. */
function circles(): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (path: string, way: string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') return void found.push([...way.slice(way.indexOf(path)), path].join(' → '))
    state.set(path, 'open')
    for (const target of imports.get(path) ?? []) visit(target, [...way, path])
    state.set(path, 'done')
  }
  for (const path of sources) visit(path, [])
  return found
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]))
}
