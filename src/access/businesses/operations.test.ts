import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newBusiness, newMember, newPerson, sql, type Person, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { plainRequest, system, transact } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { hashToken, randomToken } from '../../foundation/secrets.ts'
import { nextNumber } from '../numbering/operations.ts'
import { businessResource } from './contract.ts'
import { removeDueBusinesses } from './jobs.ts'
import { createBusiness, type Founder } from './operations.ts'

let person: Person
beforeAll(async () => {
  person = await newPerson('Cora Creator')
})
afterEach(async () => (await service()).clock.set(null))

/** A token of this person, written straight into the tables. */
async function tokenOf(user_id: string, scopes: string[], business_ids: string[] | null = null) {
  const [id, secret] = [newId(), randomToken('dbk_')]
  await sql(
    `insert into api_tokens (id, user_id, name, token_prefix, scopes, business_ids, created_at, updated_at, version)
     values ($1, $2, 'Test', 'dbk_', $3, $4, now(), now(), 1)`,
    [id, user_id, scopes, business_ids])
  await sql('insert into api_token_secrets (token_hash, token_id) values ($1, $2)', [hashToken(secret), id])
  return client(secret)
}

async function eventsOf(business_id: string): Promise<any[]> {
  return sql('select type, data, resource_id from events where business_id = $1 order by seq', [business_id])
}

/** How many rows of every table with a business_id belong to this business. */
async function rowsOf(business_id: string): Promise<Record<string, number>> {
  const tables = await sql(`select table_name from information_schema.columns where table_schema = 'public' and column_name = 'business_id' order by 1`)
  const counts = tables.map(({ table_name }) => `select '${table_name}' as name, count(*)::int as count from ${table_name} where business_id = $1`)
  counts.push(
    `select 'businesses', count(*)::int from businesses where id = $1`,
    `select 'idempotency_keys', count(*)::int from idempotency_keys where scope = $1`,
  )
  const found = await sql(counts.join(' union all '), [business_id])
  return Object.fromEntries(found.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
}

const pathOf = (team: Team) => `/businesses/${team.business_id}`
const confirm = { query: { confirm_name: 'Test Trading' } }

describe('creating a business', () => {
  it('fills in what was not said and makes the caller its owner', async () => {
    ;(await service()).clock.set('2026-03-01T02:00:00Z')
    const someone = await newPerson()
    const { status, data, headers } = await someone.client.post('/businesses', { name: 'Plain' })
    expect(status).toBe(201)
    expect(headers.get('etag')).toBe('"1"')
    expect(data).toEqual({
      id: expect.any(String), name: 'Plain', legal_name: null, entity_type: 'other', industry: null, tax_id: null, tax_id_last4: null,
      country: 'US', timezone: 'UTC',
      base_currency: 'USD', fiscal_year_start_month: 1, books_start_date: '2026-01-01', default_basis: 'accrual',
      address: null, phone: null, email: null, website: null,
      logo_document_id: null, plan_tier: 'trial', trial_ends_at: '2026-03-31T02:00:00.000Z', access: 'full', status: 'active',
      deletion_at: null, is_sample: false,
      role: 'owner', source: 'direct', document_inbox_address: expect.stringMatching(/^[a-z2-7]{40}@inbox\.localhost$/), created_at: '2026-03-01T02:00:00.000Z', updated_at: '2026-03-01T02:00:00.000Z', version: 1,
    })
    expect((await someone.client.get(`/businesses/${data.id}`)).data).toEqual(data)
    const [event] = await eventsOf(data.id)
    expect(event).toMatchObject({ type: 'business.created', resource_id: data.id, data: { name: 'Plain', status: 'active' } })
    expect(event.data).not.toHaveProperty('role')
    expect(await sql('select count(*)::int from numbering_sequences where business_id = $1', [data.id])).toEqual([{ count: 17 }])
  })

  it('starts the books with the fiscal year at the date where the business is', async () => {
    ;(await service()).clock.set('2026-07-01T03:00:00Z') // still June in New York
    const someone = await newPerson()
    const { data } = await someone.client.post('/businesses', { name: 'July', timezone: 'America/New_York', fiscal_year_start_month: 7 })
    expect(data.books_start_date).toBe('2025-07-01')
  })

  it('keeps all that was said', async () => {
    const given = {
      name: 'Full', legal_name: 'Full Ltd', entity_type: 'corporation', industry: 'retail', country: 'CA', timezone: 'America/Toronto', base_currency: 'CAD',
      fiscal_year_start_month: 4, books_start_date: '2024-04-01', default_basis: 'cash', address: { line1: '1 Main St', city: 'Toronto', country: 'CA' },
      phone: '+1 416 555 0100',
      email: 'hello@example.com', website: 'https://example.com', tax_id: '12-3456789',
    }
    const { data } = await person.client.post('/businesses', given)
    expect(data).toMatchObject({ ...given, tax_id_last4: '6789' })
  })

  it.each([
    [{}, [['missing', 'name']]],
    [{ name: '  ' }, [['value_error', 'name']]],
    [{ name: 'x'.repeat(201) }, [['string_too_long', 'name']]],
    [{ name: 'A', country: 'XX', timezone: 'Nowhere' }, [['value_error', 'country'], ['value_error', 'timezone']]],
    [{ name: 'A', entity_type: 'club', base_currency: 'JPY' }, [['enum', 'entity_type'], ['enum', 'base_currency']]],
    [{ name: 'A', fiscal_year_start_month: 13 }, [['less_than_equal', 'fiscal_year_start_month']]],
    [{ name: 'A', books_start_date: '2026-02-30' }, [['date_parsing', 'books_start_date']]],
    [{ name: 'A', website: 'ftp://example.com', tax_id: '12' }, [['string_too_short', 'tax_id'], ['value_error', 'website']]],
  ])('refuses %j', async (body, problems) => {
    const { status, detail } = await person.client.post('/businesses', body)
    expect(status).toBe(422)
    const found = detail.map((problem: { type: string; loc: string[] }) => [problem.type, problem.loc[1]])
    expect(found.toSorted()).toEqual(problems.toSorted())
  })

  it('leaves no trace in a dry run', async () => {
    const { status, data } = await person.client.post('/businesses', { name: 'Dry' }, { query: { dry_run: true } })
    expect([status, data.name, data.role]).toEqual([201, 'Dry', 'owner'])
    expect(await rowsOf(data.id)).toEqual({})
    expect((await person.client.get(`/businesses/${data.id}`)).status).toBe(403)
  })

  it('happens once under an idempotency key', async () => {
    const headers = { 'idempotency-key': newId() }
    const first = await person.client.post('/businesses', { name: 'Once' }, { headers })
    const again = await person.client.post('/businesses', { name: 'Once' }, { headers })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('needs the scope where a token calls', async () => {
    const reader = await tokenOf(person.user_id, ['businesses:read'])
    expect((await reader.post('/businesses', { name: 'No' })).status).toBe(403)
    const writer = await tokenOf(person.user_id, ['businesses:write'])
    expect((await writer.post('/businesses', { name: 'Yes' })).status).toBe(201)
    expect((await client().post('/businesses', { name: 'No' })).status).toBe(401)
  })
})

describe('the founders of a business', () => {
  async function create(founders: Founder[]) {
    const { program } = await service()
    const actor = { ...system, kind: 'user' as const, id: person.user_id, user_id: person.user_id, name: person.name }
    const options = { business_id: null, read_only: false, request: plainRequest }
    return transact(program.database, options, ({ asUser }) => createBusiness(asUser(actor), { name: 'Founded' }, founders))
  }

  it('work inside the new business, one after another, in the same transaction', async () => {
    const { id } = await create([
      async (tx) => void (await nextNumber(tx, 'project', tx.today)),
      async (tx, { id }) => {
        const name = await nextNumber(tx, 'project', tx.today)
        tx.record(businessResource, 'business.updated', { before: null, after: { id, name } })
      },
    ])
    expect((await eventsOf(id)).map((event) => [event.type, event.data.name])).toEqual([['business.created', 'Founded'], ['business.updated', 'PRJ-0002']])
  })

  it('leave nothing behind where one of them refuses', async () => {
    let id = ''
    const refusing: Founder = async (tx) => {
      id = tx.business_id
      throw invalid('No ground to build on.')
    }
    await expect(create([refusing])).rejects.toThrow('No ground to build on.')
    expect(await rowsOf(id)).toEqual({})
  })
})

describe('listing businesses', () => {
  let someone: Person
  let ids: Record<string, string>
  beforeAll(async () => {
    someone = await newPerson()
    ids = {}
    for (const name of ['Beta', 'Alpha', 'Gamma']) ids[name] = (await someone.client.post('/businesses', { name, legal_name: `${name} Holding` })).data.id
    await newBusiness()
  })

  const names = async (query: Record<string, string | boolean | number>, by = someone.client) =>
    (await by.get('/businesses', query)).data.items.map((item: { name: string }) => item.name)

  it('shows the caller\'s own, sorted and in pages', async () => {
    expect(await names({})).toEqual(['Gamma', 'Alpha', 'Beta'])
    expect(await names({ sort_by: 'name', descending: false })).toEqual(['Alpha', 'Beta', 'Gamma'])
    const first = (await someone.client.get('/businesses', { limit: 2, sort_by: 'name', descending: false, include_total_count: true })).data
    expect([first.has_next, first.total]).toEqual([true, 3])
    expect(await names({ limit: 2, sort_by: 'name', descending: false, cursor: first.next_cursor })).toEqual(['Gamma'])
  })

  it('filters by status, role, text and firm, and hides samples unless asked', async () => {
    await sql(`update businesses set status = 'archived' where id = $1`, [ids['Beta']])
    await sql('update businesses set is_sample = true where id = $1', [ids['Gamma']])
    await sql(`update memberships set role = 'viewer' where business_id = $1`, [ids['Alpha']])
    expect(await names({})).toEqual(['Alpha', 'Beta'])
    expect(await names({ include_sample: true })).toEqual(['Gamma', 'Alpha', 'Beta'])
    expect(await names({ status: 'archived' })).toEqual(['Beta'])
    expect(await names({ role: 'viewer' })).toEqual(['Alpha'])
    expect(await names({ q: 'zeta' })).toEqual([])
    expect(await names({ q: 'BETA HOLD' })).toEqual(['Beta'])
    expect(await names({ q: '%' })).toEqual([])
    expect(await names({ firm_id: newId() })).toEqual([])
    expect((await someone.client.get('/businesses', { sort_by: 'tax_id' })).status).toBe(422)
  })

  it('shows a token only what it reaches, and a suspended member nothing', async () => {
    expect(await names({}, await tokenOf(someone.user_id, ['businesses:read'], [ids['Alpha'] ?? '']))).toEqual(['Alpha'])
    expect(await names({}, await tokenOf(someone.user_id, ['businesses:read']))).toEqual(['Alpha', 'Beta'])
    expect((await (await tokenOf(someone.user_id, ['notes:read'])).get('/businesses')).status).toBe(403)
    await sql(`update memberships set status = 'suspended' where business_id = $1`, [ids['Alpha']])
    expect(await names({})).toEqual(['Beta'])
  })
})

describe('one business', () => {
  let team: Team
  let stranger: Team
  beforeAll(async () => {
    team = await newBusiness()
    stranger = await newBusiness()
  })

  it('is closed to the members of another', async () => {
    const calls = [['GET', ''], ['PUT', ''], ['PUT', '/archive'], ['PUT', '/restore'], ['PUT', '/cancel-deletion'], ['DELETE', '?confirm_name=Test']] as const
    for (const [method, rest] of calls) {
      const { status } = await stranger.owner.client.call(method, `${pathOf(team)}${rest}`)
      expect([method, rest, status]).toEqual([method, rest, 403])
    }
    expect((await stranger.client.get(pathOf(team))).status).toBe(400) // the header names another business
    expect((await stranger.owner.client.get('/businesses/nonsense')).status).toBe(422)
    expect((await stranger.owner.client.get(`/businesses/${newId()}`)).status).toBe(403)
  })

  it('is updated field by field; null clears, a stale If-Match is a 412', async () => {
    const before = (await team.client.get(pathOf(team))).data
    const { data, headers } = await team.client.put(pathOf(team), { industry: 'retail', phone: '555', address: { line1: 'Here' }, name: null })
    expect(data).toMatchObject({ industry: 'retail', phone: '555', name: before.name, address: { line1: 'Here' }, version: before.version + 1 })
    expect(headers.get('etag')).toBe(`"${data.version}"`)
    expect((await team.client.put(pathOf(team), { phone: null })).data).toMatchObject({ phone: null, industry: 'retail' })
    expect((await team.client.put(pathOf(team), { phone: '1' }, { headers: { 'if-match': headers.get('etag') ?? '' } })).status).toBe(412)
    expect((await team.client.put(pathOf(team), {})).data.version).toBe(data.version + 1)
    const updates = (await eventsOf(team.business_id)).filter((event) => event.type === 'business.updated')
    expect(updates).toHaveLength(2)
  })

  it('refuses places that do not exist and a logo that is no document here', async () => {
    expect((await team.client.put(pathOf(team), { timezone: 'Mars/Base' })).status).toBe(422)
    expect((await team.client.put(pathOf(team), { logo_document_id: newId() })).status).toBe(404)
  })

  it('keeps its tax id sealed, shows it to accountants and hides it from history', async () => {
    const [accountant, bookkeeper] = await Promise.all([newMember(team.business_id, 'accountant'), newMember(team.business_id, 'bookkeeper')])
    expect((await accountant.client.put(pathOf(team), { tax_id: '98-7654321' })).data.tax_id).toBe('98-7654321')
    expect((await bookkeeper.client.get(pathOf(team))).data).toMatchObject({ tax_id: '•••••4321', tax_id_last4: '4321', role: 'bookkeeper', source: 'direct' })
    expect((await bookkeeper.client.put(pathOf(team), { phone: '1' })).status).toBe(403)
    const rows = await sql(`select position('98-7654321'::bytea in tax_id) as found from businesses where id = $1`, [team.business_id])
    expect(rows).toEqual([{ found: 0 }])
    const history = JSON.stringify([await eventsOf(team.business_id), await sql('select * from audit_trail where business_id = $1', [team.business_id])])
    expect(history).not.toContain('98-7654321')
    expect(history).toContain('"tax_id_last4":"4321"')
    expect((await accountant.client.put(pathOf(team), { tax_id: null })).data).toMatchObject({ tax_id: null, tax_id_last4: null })
  })
})

describe('the states of a business', () => {
  it('archives and restores: an archived business is read-only', async () => {
    const team = await newBusiness()
    const [admin, accountant] = await Promise.all([newMember(team.business_id, 'admin'), newMember(team.business_id, 'accountant')])
    expect((await accountant.client.put(`${pathOf(team)}/archive`)).status).toBe(403)
    const archived = await admin.client.put(`${pathOf(team)}/archive`)
    expect(archived.data).toMatchObject({ status: 'archived', access: 'read_only' })
    expect((await admin.client.put(`${pathOf(team)}/archive`)).data).toEqual(archived.data)
    expect((await team.client.put(pathOf(team), { phone: '1' })).status).toBe(403)
    expect((await team.client.get(pathOf(team))).status).toBe(200)
    expect((await accountant.client.put(`${pathOf(team)}/restore`)).status).toBe(403)
    expect((await admin.client.put(`${pathOf(team)}/restore`)).data).toMatchObject({ status: 'active', access: 'full' })
    expect((await admin.client.put(`${pathOf(team)}/restore`)).data.version).toBe(3)
    expect((await eventsOf(team.business_id)).map((event) => event.type).filter((type) => type.startsWith('business.'))).toEqual(['business.created', 'business.archived', 'business.restored'])
  })

  it('schedules its deletion for its owner, freshly signed in, who says its name', async () => {
    const team = await newBusiness()
    const admin = await newMember(team.business_id, 'admin')
    expect((await admin.client.delete(pathOf(team), confirm)).status).toBe(403)
    expect((await team.client.delete(pathOf(team))).status).toBe(422)
    const misnamed = await team.client.delete(pathOf(team), { query: { confirm_name: 'test trading' } })
    expect([misnamed.status, misnamed.detail]).toEqual([400, 'confirm_name must be the name of the business, Test Trading.'])
    const token = await tokenOf(team.owner.user_id, ['businesses:write'])
    expect((await token.delete(pathOf(team), confirm)).status).toBe(403)
    await sql(`update sessions set reauthenticated_at = now() - interval '11 minutes' where user_id = $1`, [team.owner.user_id])
    expect((await team.client.delete(pathOf(team), confirm)).status).toBe(403)
    await sql('update sessions set reauthenticated_at = now() where user_id = $1', [team.owner.user_id])
    const { status, data } = await team.client.delete(pathOf(team), confirm)
    expect([status, data.status, data.access]).toEqual([200, 'pending_deletion', 'read_only'])
    expect(Date.parse(data.deletion_at) - Date.parse(data.updated_at)).toBe(30 * 86_400_000)
    expect((await team.client.delete(pathOf(team), confirm)).data).toEqual(data)
    expect((await team.client.put(`${pathOf(team)}/archive`)).detail).toContain('pending_deletion')
    expect((await team.client.put(`${pathOf(team)}/restore`)).status).toBe(400)
    expect((await admin.client.put(`${pathOf(team)}/cancel-deletion`)).status).toBe(403)
  })

  it.each(['active', 'archived'])('returns to %s when the deletion is canceled', async (state) => {
    const team = await newBusiness()
    if (state === 'archived') await team.client.put(`${pathOf(team)}/archive`)
    await team.client.delete(pathOf(team), confirm)
    expect((await team.client.put(`${pathOf(team)}/cancel-deletion`)).data).toMatchObject({ status: state, deletion_at: null })
    expect((await team.client.put(`${pathOf(team)}/cancel-deletion`)).status).toBe(200)
    const types = (await eventsOf(team.business_id)).map((event) => event.type)
    expect(types.slice(-2)).toEqual(['business.deletion_scheduled', 'business.deletion_canceled'])
  })

  it('is archived once by two at once', async () => {
    const team = await newBusiness()
    const answers = await Promise.all([team.client.put(`${pathOf(team)}/archive`), team.client.put(`${pathOf(team)}/archive`)])
    expect(answers.map((answer) => [answer.status, answer.data.version])).toEqual([[200, 2], [200, 2]])
    expect((await eventsOf(team.business_id)).filter((event) => event.type === 'business.archived')).toHaveLength(1)
  })

  it('is read-only when the trial and its grace are over, but can still be archived', async () => {
    const { clock } = await service()
    clock.set('2026-03-01T00:00:00Z')
    const someone = await newPerson()
    const { data } = await someone.client.post('/businesses', { name: 'Trial' })
    const path = `/businesses/${data.id}`
    clock.set('2026-04-13T23:00:00Z')
    await sql('update sessions set last_seen_at = $2 where user_id = $1', [someone.user_id, '2026-04-13T23:00:00Z'])
    expect((await someone.client.put(path, { phone: '1' })).status).toBe(200)
    clock.set('2026-04-14T00:00:00Z')
    expect((await someone.client.put(path, { phone: '2' })).detail).toContain('trial')
    expect((await someone.client.get(path)).data.access).toBe('read_only')
    expect((await someone.client.put(`${path}/archive`)).data.status).toBe('archived')
  })
})

describe('the end of a business', () => {
  async function runJob(): Promise<void> {
    const { program } = await service()
    const log = { info() {} } as never
    await removeDueBusinesses.run({ database: program.database, log, mailer: null, job_id: '1' }, {} as never)
  }

  async function livelyBusiness(): Promise<Team> {
    const team = await newBusiness()
    await newMember(team.business_id, 'viewer')
    const headers = { 'idempotency-key': newId() }
    await team.client.put(`${pathOf(team)}/numbering/invoice`, { next_number: 10 }, { headers })
    await sql(
      `insert into mails (id, business_id, recipient, subject, text_body, created_at) values ($1, $2, 'a@example.com', 'Hello', '', now())`,
      [newId(), team.business_id])
    const todo = await team.client.post('/todos', { title: 'Look' })
    const note = await team.client.post('/notes', { resource_type: 'todo', resource_id: todo.data.id, body: 'Seen' })
    await team.client.post('/notes', { ...note.data, parent_id: note.data.id, body: 'Me too' })
    await sql('update users set default_business_id = $1 where id = $2', [team.business_id, team.owner.user_id])
    return team
  }

  it('leaves no row of it anywhere, and every row of its neighbour', async () => {
    const [going, staying] = await Promise.all([livelyBusiness(), livelyBusiness()])
    await going.client.delete(pathOf(going), confirm)
    await staying.client.delete(pathOf(staying), confirm)
    await staying.client.put(`${pathOf(staying)}/cancel-deletion`)
    const before = await rowsOf(staying.business_id)
    expect(Object.keys(before)).toEqual(expect.arrayContaining([
      'audit_trail', 'business_heads', 'events', 'mails', 'memberships', 'notes', 'numbering_marks', 'numbering_sequences',
      'outbox', 'businesses', 'idempotency_keys']))

    const { clock } = await service()
    const due = Date.parse((await going.client.get(pathOf(going))).data.deletion_at)
    clock.set(new Date(due - 1).toISOString())
    await runJob()
    expect((await rowsOf(going.business_id))['businesses']).toBe(1)
    clock.set(new Date(due).toISOString())
    await runJob()
    await runJob()
    clock.set(null)

    expect(await rowsOf(going.business_id)).toEqual({})
    expect(await rowsOf(staying.business_id)).toEqual(before)
    expect((await going.client.get(pathOf(going))).status).toBe(403)
    expect(await sql('select default_business_id from users where id = any($1) order by 1', [[going.owner.user_id, staying.owner.user_id]]))
      .toEqual([{ default_business_id: staying.business_id }, { default_business_id: null }])
  })

  it('comes at once for a sample', async () => {
    const team = await newBusiness()
    await sql('update businesses set is_sample = true where id = $1', [team.business_id])
    const { data } = await team.client.delete(pathOf(team), confirm)
    expect(data.deletion_at).toBe(data.updated_at)
    expect(await sql(`select count(*)::int from graphile_worker.jobs where task_identifier = 'businesses.remove_due'`)).toEqual([{ count: 1 }])
    await runJob()
    expect(await rowsOf(team.business_id)).toEqual({})
  })

  it('cannot be brought about by the role of requests other than through a due deletion', async () => {
    const team = await newBusiness()
    const asApp = async (text: string) => {
      const { pool } = (await service()).program.database
      const connection = await pool.connect()
      try {
        await connection.query(`begin; set local app.business_id = '${team.business_id}'; set local app.removing_business = '${team.business_id}'`)
        return (await connection.query(text)).rows
      } finally {
        await connection.query('rollback')
        pool.release(connection, false)
      }
    }
    expect(await asApp(`select remove_business('${team.business_id}', 'infinity') as removed`)).toEqual([{ removed: false }])
    await expect(asApp('delete from audit_trail')).rejects.toThrow(/permission denied/)
  })
})
