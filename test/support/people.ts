// People and businesses for tests: written straight into the tables where that is not what is being tested.
import pg from 'pg'
import { inject } from 'vitest'
import type { Role } from '../../src/access/permissions.ts'
import { newId } from '../../src/foundation/ids.ts'
import { hashToken, randomToken } from '../../src/foundation/secrets.ts'
import { client, type Client } from './client.ts'
import { service } from './service.ts'

let pool: pg.Pool | null = null

/** SQL as the owner of the schema: sees every business. */
export async function sql(text: string, values: unknown[] = []): Promise<any[]> {
  pool ??= new pg.Pool({ connectionString: inject('database_url'), max: 2, allowExitOnIdle: true })
  return (await pool.query(text, values)).rows
}

export type Person = { user_id: string; email: string; name: string; token: string; client: Client }

/** A verified user with a fresh session. The password of everybody is in PASSWORD. */
export async function newPerson(name = 'Pat Example'): Promise<Person> {
  const user_id = newId()
  const email = `${user_id}@example.com`
  const token = randomToken('dbs_')
  const now = (await service()).clock.now()
  await sql(
    `with person as (insert into users (id, email, name, password_hash, status, email_verified_at, password_changed_at, created_at, updated_at, version)
       values ($1, $2, $3, $4, 'active', $5, $5, $5, $5, 1))
     insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, reauthenticated_at) values ($6, $1, $7, $5, $5, $5::timestamptz + interval '90 days', $5)`,
    [user_id, email, name, PASSWORD_HASH, now, newId(), hashToken(token)],
  )
  return { user_id, email, name, token, client: client(token) }
}

export const PASSWORD = 'correct horse battery staple'
const PASSWORD_HASH = '$argon2id$v=19$m=19456,t=2,p=1$WYvIzLA7uzuSLLW9UP64Cg$qYRCx7w2eUhi32IaekV09yyxBMu5cWpt6sQzXBkEAZU'

export type Team = { business_id: string; owner: Person; client: Client }

/** A new business with its owner; `client` acts as the owner in it. It has a plan, so that a test may set any date. */
export async function newBusiness(): Promise<Team> {
  const owner = await newPerson('Olive Owner')
  const created = await owner.client.post('/businesses', {
    name: 'Test Trading', entity_type: 'llc', timezone: 'America/New_York', books_start_date: '2026-01-01',
  })
  if (created.status !== 201) throw new Error(`The business was not created: ${JSON.stringify(created.body)}`)
  const business_id: string = created.data.id
  await sql(`update businesses set plan_tier = 'self_directed', trial_ends_at = null where id = $1`, [business_id])
  return { business_id, owner, client: client(owner.token, business_id) }
}

/** Another person with this role in the business, and their client there. */
export async function newMember(business_id: string, role: Role, name = `${role} example`): Promise<Person> {
  const person = await newPerson(name)
  await join(business_id, person.user_id, role)
  return { ...person, client: client(person.token, business_id) }
}

async function join(business_id: string, user_id: string, role: Role): Promise<void> {
  const now = (await service()).clock.now()
  await sql(`insert into memberships (business_id, user_id, role, status, created_at, updated_at, version) values ($1, $2, $3, 'active', $4, $4, 1)`, [business_id, user_id, role, now])
}

/** Another session of this person, as from another device. */
export async function newSession(user_id: string): Promise<Client> {
  const token = randomToken('dbs_')
  await sql(
    `insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, reauthenticated_at)
     values ($1, $2, $3, now(), now(), now() + interval '90 days', now())`,
    [newId(), user_id, hashToken(token)])
  return client(token)
}

/** What was mailed to this address, newest first. */
export function mailsTo(email: string): Promise<{ subject: string; text_body: string }[]> {
  return sql('select subject, text_body from mails where recipient = $1 order by created_at desc, id desc', [email])
}

/** The token in the newest mail to this address that has one, of those with this in their subject. */
export async function mailedToken(email: string, subject = ''): Promise<string> {
  const tokens = (await mailsTo(email)).filter((mail) => mail.subject.includes(subject)).map((mail) => /The token by itself: (\S+)/.exec(mail.text_body)?.[1])
  const token = tokens.find((found) => found !== undefined)
  if (!token) throw new Error(`No token was mailed to ${email}.`)
  return token
}

/** An API token of this person with these scopes. */
export async function newToken(person: Person, scopes: string[]): Promise<string> {
  const { data, detail } = await person.client.post('/api-tokens', { name: 'Test', scopes })
  if (!data) throw new Error(`No token: ${JSON.stringify(detail)}`)
  return data.token
}
