// The data that is measured on: one business with an owner, a token and a record to write notes on.
import pg from 'pg'
import { GROUPS } from '../../src/access/permissions.ts'
import { newId } from '../../src/foundation/ids.ts'
import { hashToken, randomToken } from '../../src/foundation/secrets.ts'

export type Seed = { business_id: string; user_id: string; token: string; note_id: string; record_id: string }

export async function seed(database_url: string): Promise<Seed> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  const [business_id, user_id, token_id, note_id, record_id] = [newId(), newId(), newId(), newId(), newId()]
  const token = randomToken('dbk_')
  const scopes = GROUPS.flatMap(({ group }) => [`${group}:read`, `${group}:write`])
  await client.query(`insert into users (id, email, name, password_hash, status, email_verified_at, password_changed_at, created_at, updated_at, version)
    values ($1, $2, 'Bench', 'none', 'active', now(), now(), now(), now(), 1)`, [user_id, `${user_id}@example.com`])
  await client.query(`insert into businesses (id, name, entity_type, country, timezone, base_currency, fiscal_year_start_month, books_start_date, default_basis, plan_tier, status, created_at, updated_at, version)
    values ($1, 'Bench', 'llc', 'US', 'UTC', 'USD', 1, '2026-01-01', 'accrual', 'managed', 'active', now(), now(), 1)`, [business_id])
  await client.query(`insert into business_heads (business_id) values ($1)`, [business_id])
  await client.query(`insert into memberships (business_id, user_id, role, status, created_at, updated_at, version) values ($1, $2, 'owner', 'active', now(), now(), 1)`, [business_id, user_id])
  await client.query(`insert into api_tokens (id, user_id, name, token_prefix, scopes, created_at, updated_at, version) values ($1, $2, 'bench', 'dbk_', $3, now(), now(), 1)`, [token_id, user_id, scopes])
  await client.query(`insert into api_token_secrets (token_hash, token_id) values ($1, $2)`, [hashToken(token), token_id])
  await client.query(`insert into todos (business_id, id, title, priority, status, source, checklist, tags, created_at, updated_at, version)
    values ($1, $2, 'Bench', 'normal', 'open', 'manual', '[]', '{}', now(), now(), 1)`, [business_id, record_id])
  await client.query(`insert into notes (business_id, id, resource_type, resource_id, body, pinned, author_id, author_name, mentions, deleted, created_at, updated_at, version)
    select $1, case when n = 1 then $2::uuid else gen_random_uuid() end, 'todo', $3, 'Checked with the bank.', false, $4, 'Bench', '{}', false, now(), now(), 1 from generate_series(1, 10000) n`, [business_id, note_id, record_id, user_id])
  await client.query('vacuum analyze')
  await client.end()
  return { business_id, user_id, token, note_id, record_id }
}
