// Rows changed behind the back of the service, as only the owner of the database could, and put back afterwards.
import pg from 'pg'
import { inject } from 'vitest'
import type { Client } from './client.ts'

let connected: Promise<pg.Client> | null = null

/** One connection for all damage, on which triggers and references are out of the way. */
function owner(): Promise<pg.Client> {
  return (connected ??= (async () => {
    const client = new pg.Client({ connectionString: inject('database_url') })
    await client.connect()
    await client.query('set session_replication_role = replica')
    return client
  })())
}

/** For the end of a test file. */
export async function letGo(): Promise<void> {
  await (await connected)?.end()
  connected = null
}

/** Runs `look` while some rows of a business are damaged. `change` is SQL with the business as $1. */
export async function whileDamaged<T>(business_id: string, table: string, change: string, look: () => Promise<T>): Promise<T> {
  const client = await owner()
  const { rows } = await client.query(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table])
  const { columns } = rows[0] as { columns: string }
  await client.query(`create temp table saved as select ${columns} from ${table} where business_id = '${business_id}'`)
  try {
    const { rowCount } = await client.query(change, [business_id])
    if (!rowCount) throw new Error(`No row was damaged: ${change}`)
    return await look()
  } finally {
    const restore = `insert into ${table} (${columns}) select ${columns} from saved`
    await client.query(`delete from ${table} where business_id = '${business_id}'; ${restore}; drop table saved`)
  }
}

/** What a verification of the books finds: the problems of every claim that does not hold. */
export async function problemsOf(client: Client): Promise<Record<string, string[]>> {
  const { data } = await client.get('/books/verification')
  const checks = data.checks as { claim: string; ok: boolean; problems: string[] }[]
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ claim, problems }) => [claim, problems]))
}
