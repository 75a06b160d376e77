// Businesses with books to measure on: made over HTTP as anybody would; filled by SQL where there are to be millions of lines.
import pg from 'pg'
import { GROUPS, PERSONAL_GROUPS } from '../../src/access/permissions.ts'
import { newId } from '../../src/foundation/ids.ts'
import { hashToken, randomToken } from '../../src/foundation/secrets.ts'

export type Caller = { user_id: string; token: string }
export type BenchBusiness = { business_id: string; ledgers: Record<string, string> }

/** A user with a token for everything. */
export async function newCaller(database_url: string): Promise<Caller> {
  return asOwner(database_url, async (client) => {
    const [user_id, token_id] = [newId(), newId()]
    const token = randomToken('dbk_')
    const scopes = [...GROUPS, ...PERSONAL_GROUPS].flatMap(({ group }) => [`${group}:read`, `${group}:write`])
    await client.query(`insert into users (id, email, name, password_hash, status, email_verified_at, password_changed_at, created_at, updated_at, version)
      values ($1, $2, 'Bench', 'none', 'active', now(), now(), now(), now(), 1)`, [user_id, `${user_id}@example.com`])
    await client.query(`insert into api_tokens (id, user_id, name, token_prefix, scopes, created_at, updated_at, version) values ($1, $2, 'bench', 'dbk_', $3, now(), now(), 1)`, [token_id, user_id, scopes])
    await client.query('insert into api_token_secrets (token_hash, token_id) values ($1, $2)', [hashToken(token), token_id])
    return { user_id, token }
  })
}

/** One call of the API; anything but a success stops the bench. */
export async function call<Data>(url: string, { token }: Caller, business_id: string | null, method: string, path: string, body?: object | string): Promise<Data> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(business_id ? { 'x-business-id': business_id } : {}) },
    ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  const answer = await response.json() as { data: Data; detail?: unknown }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer.detail)}`)
  return answer.data
}

type Made = { id: string; items: { id: string; name: string }[] }

export async function newBooks(url: string, caller: Caller, name: string): Promise<BenchBusiness> {
  const { id: business_id } = await call<Made>(url, caller, null, 'POST', '/businesses', { name, books_start_date: '2024-01-01' })
  const { items } = await call<Made>(url, caller, business_id, 'GET', '/ledgers?limit=500')
  return { business_id, ledgers: Object.fromEntries(items.map((ledger) => [ledger.name, ledger.id])) }
}

/** Two years of entries of two lines each, spread evenly over the days and over 50 ledgers; Checking takes part in every entry. */
export function fillBooks(database_url: string, { business_id, ledgers }: BenchBusiness, lines: number): Promise<void> {
  return asOwner(database_url, async (client) => {
    const ids = [ledgers['Checking'], ...Object.values(ledgers).filter((id) => id !== ledgers['Checking']).slice(0, 49)]
    const entries = lines / 2
    // Ids in their order, as the service makes them. Replica: no triggers and no foreign keys, which is what makes ten million lines a matter of minutes.
    await client.query('set session_replication_role = replica')
    await client.query(`insert into journal_entries (business_id, id, number, date, recorded_at, memo, source_type, currency, rate, is_adjusting, line_count, total, previous_hash, hash,
        superseded, updated_at, version)
      select $1, lpad(to_hex(n), 32, '0')::uuid, n, date '2024-01-01' + (n * 731 / $2)::int - case when n = $2 then 1 else 0 end, timestamptz '2024-01-01' + n * interval '1 second', 'Bench', 'manual', 'USD', 1, false, 2,
        1 + n % 10000, '', '', false, now(), 1
      from generate_series(1, $2::bigint) n`, [business_id, entries])
    await client.query(`insert into journal_lines (business_id, id, entry_id, entry_number, position, date, ledger_id, currency, amount, base_amount, rate, dimension_value_ids, is_adjusting)
      select e.business_id, lpad(to_hex(2 * e.number + p), 32, '0')::uuid, e.id, e.number, p, e.date, case when p = 1 then ($2::uuid[])[1] else ($2::uuid[])[2 + e.number % (cardinality($2::uuid[]) - 1)] end,
        'USD', s * e.total, s * e.total, 1, '{}', false
      from journal_entries e cross join (values (1, 1), (2, -1)) as side (p, s) where e.business_id = $1`, [business_id, ids])
    for (const [table, column, key] of [['ledger_months', 'month', `date_trunc('month', date)::date`], ['ledger_days', 'date', 'date']] as const) {
      await client.query(`insert into ${table} (business_id, ledger_id, currency, ${column}, amount, debit, credit, cash_debit, cash_credit)
        select business_id, ledger_id, currency, ${key}, sum(amount), sum(greatest(base_amount, 0)), sum(greatest(-base_amount, 0)), 0, 0
        from journal_lines where business_id = $1 group by 1, 2, 3, 4`, [business_id])
    }
    await client.query('update journal_heads set number = $2, recorded_at = now(), stamp = gen_random_uuid() where business_id = $1', [business_id, entries])
    await client.query('set session_replication_role = origin')
    await client.query('vacuum analyze journal_entries, journal_lines, ledger_months, ledger_days')
  })
}

/** Indexes are dropped and built again around a large fill: sorted building is many times faster than inserting. */
export async function withoutIndexes(database_url: string, work: () => Promise<void>, tables: readonly string[] = ['journal_lines', 'journal_entries']): Promise<void> {
  const definitions = await asOwner(database_url, async (client) => {
    const { rows } = await client.query(
      `select indexname, indexdef from pg_indexes where tablename = any($1) and indexname not in (select conname from pg_constraint where conrelid = any($1::regclass[]))`, [tables])
    for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
    return rows.map(({ indexdef }) => indexdef as string)
  })
  await work()
  await asOwner(database_url, async (client) => {
    await client.query(`set maintenance_work_mem = '512MB'`)
    for (const definition of definitions) await client.query(definition)
    await client.query(`vacuum analyze ${tables.join(', ')}`)
  })
}

export async function asOwner<T>(database_url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
