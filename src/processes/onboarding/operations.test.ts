import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { deliver } from '../../../test/support/events.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'

let team: Team
let other: Team

beforeAll(async () => {
  team = await newBusiness()
  other = await newBusiness()
})

const read = async (of: Team = team) => (await of.client.get('/onboarding')).data
const stepOf = async (step: string, of: Team = team) => (await read(of)).steps.find((one: any) => one.step === step)
const told = async (business_id: string) =>
  (await sql(`select data->>'step' as step from events where business_id = $1 and type = 'onboarding.step_done' order by seq`, [business_id])).map(({ step }) => step)

describe('the set-up', () => {
  it('begins with what a new business has', async () => {
    const found = await read(other)
    expect(found).toMatchObject({ status: 'not_started', next_step: 'profile', ended_at: null })
    expect(found.steps.filter(({ status }: any) => status === 'done').map(({ step }: any) => step)).toEqual(['chart', 'fiscal_year'])
    expect(found.percent).toBe(18)
  })

  it('answers say which steps apply and undo no work', async () => {
    expect((await team.client.put('/onboarding/steps/import/complete')).data.steps.find((one: any) => one.step === 'import').status).toBe('done')
    const without = await team.client.put('/onboarding', { answers: { previous_system: 'none', team_size: 1 } })
    expect(without.data).toMatchObject({ status: 'in_progress', answers: { previous_system: 'none', team_size: 1, sales_tax: null } })
    expect(without.data.steps.map(({ step }: any) => step)).not.toContain('import')
    expect((await team.client.put('/onboarding/steps/import/complete')).detail).toMatch(/does not apply/)
    const back = await team.client.put('/onboarding', { answers: { previous_system: 'quickbooks' } })
    expect(back.data.steps.find((one: any) => one.step === 'import').status).toBe('done')
    expect((await team.client.put('/onboarding', { answers: { team_size: 0 } })).status).toBe(422)
    expect((await team.client.put('/onboarding', { answers: { previous_system: null, team_size: null } })).data.answers).toMatchObject({ previous_system: null, team_size: null })
  })

  it('steps are ticked off, passed over and taken up again', async () => {
    const act = (step: string, verb: string) => team.client.put(`/onboarding/steps/${step}/${verb}`)
    expect((await act('first_bill', 'complete')).status).toBe(200)
    const first = await stepOf('first_bill')
    expect(first).toMatchObject({ status: 'done', derived: false, blocking: false })
    await act('first_bill', 'complete')
    expect(await stepOf('first_bill')).toEqual(first)
    expect((await act('first_bill', 'skip')).detail).toMatch(/is done/)
    expect((await act('first_bill', 'reopen')).data.steps.at(-1)).toMatchObject({ status: 'todo', done_at: null })
    expect((await act('first_bill', 'reopen')).status).toBe(200)
    expect((await act('first_bill', 'skip')).data.steps.at(-1).status).toBe('skipped')
    expect((await act('first_bill', 'skip')).status).toBe(200)
    expect((await act('first_bill', 'complete')).detail).toMatch(/skipped/)
    expect((await act('bank', 'complete')).detail).toMatch(/POST \/transactions/)
    expect((await act('profile', 'complete')).detail).toMatch(/industry/)
    expect((await act('profile', 'skip')).detail).toMatch(/cannot/)
    expect((await act('chart', 'reopen')).detail).toMatch(/fact/)
    expect((await act('chart', 'complete')).status).toBe(200)
    expect((await act('world', 'complete')).status).toBe(422)
    expect((await told(team.business_id)).filter((step) => step === 'first_bill')).toHaveLength(1)
  })

  it('derived steps follow the facts, and are told once', async () => {
    const mine = await newBusiness()
    expect((await mine.client.put('/onboarding', { answers: { sales_tax: true } })).status).toBe(200)
    expect(await told(mine.business_id)).toEqual(['chart', 'fiscal_year'])
    await mine.client.put(`/businesses/${mine.business_id}`, { industry: 'retail' })
    const chart = await chartOf(mine.business_id)
    await mine.client.post('/transactions', { ledger_id: chart.named('Checking'), amount: 4200, datetime: '2026-02-01' })
    const agency = await mine.client.post('/tax/agencies', { name: 'State', country: 'US', filing_frequency: 'monthly' })
    await mine.client.post('/tax/rates', { name: 'State', agency_id: agency.data.id, versions: [{ percent: '6', valid_from: '2020-01-01' }] })
    await mine.client.post('/invitations', { email: `someone-${mine.business_id}@example.com`, role: 'viewer' })
    const customer_id = await newCustomer(mine.client)
    await mine.client.post('/invoices', { customer_id, invoice_date: '2026-02-02', line_items: [{ description: 'Work', quantity: 1, unit_price: 900 }], finalize: true })
    const done = (await read(mine)).steps.filter(({ status }: any) => status === 'done').map(({ step }: any) => step)
    expect(done).toEqual(['profile', 'chart', 'fiscal_year', 'bank', 'tax', 'team', 'first_invoice'])
    await deliver(mine.business_id)
    expect((await told(mine.business_id)).toSorted()).toEqual(done.toSorted())
    await deliver(mine.business_id)
    expect(await told(mine.business_id)).toHaveLength(done.length)
    await mine.client.put(`/businesses/${mine.business_id}`, { industry: null })
    expect(await stepOf('profile', mine)).toMatchObject({ status: 'todo', done_at: null })
  })

  it('the processor connection is the step payments', async () => {
    expect((await stepOf('payments', other)).status).toBe('todo')
    await sql(`insert into processor_connections select (jsonb_populate_record(null::processor_connections, jsonb_build_object(
      'business_id', $1::text, 'id', gen_random_uuid(), 'status', 'active', 'account_id', 'acct_onboarding', 'livemode', false, 'charges_enabled', true,
      'payouts_enabled', true, 'requirements', '[]'::jsonb, 'payout_mode', 'automatic', 'fee_recognition', 'payout', 'sync_invoices', true, 'methods', '[]'::jsonb,
      'created_at', now(), 'updated_at', now(), 'version', 1))).*`, [other.business_id])
    expect((await stepOf('payments', other)).status).toBe('done')
  })

  it('ends when nothing blocks it, once', async () => {
    const mine = await newBusiness()
    expect((await mine.client.put('/onboarding/finish')).detail).toMatch(/profile/)
    expect((await mine.client.put('/onboarding/dismiss')).status).toBe(400)
    expect((await read(mine)).status).toBe('not_started')
    await mine.client.put(`/businesses/${mine.business_id}`, { industry: 'retail' })
    const answers = await Promise.all([mine.client.put('/onboarding/finish'), mine.client.put('/onboarding/finish')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.data).toMatchObject({ status: 'finished', ended_at: expect.any(String) })
    expect((await mine.client.put('/onboarding/dismiss')).detail).toMatch(/finished/)
    const ends = await sql(`select type from events where business_id = $1 and type in ('onboarding.finished', 'onboarding.dismissed')`, [mine.business_id])
    expect(ends).toEqual([{ type: 'onboarding.finished' }])
    await sql(`delete from onboardings where business_id = $1`, [mine.business_id])
    expect((await mine.client.put('/onboarding/dismiss')).data.status).toBe('dismissed')
    expect((await mine.client.put('/onboarding/finish')).detail).toMatch(/dismissed/)
  })
})

describe('charts', () => {
  const names = async (of: Team) => new Set((await of.client.get('/ledgers', { limit: 300 })).data.items.map(({ name }: any) => name))

  it('industries and templates are there to choose from', async () => {
    const industries = (await team.client.get('/onboarding/industries')).data
    expect(industries).toHaveLength(10)
    const all = (await team.client.get('/onboarding/chart-templates', { country: 'US' })).data
    expect(all.map(({ industry }: any) => industry)).toEqual(industries.map(({ code }: any) => code))
    const [one, ...none] = (await team.client.get('/onboarding/chart-templates', { industry: 'restaurant' })).data
    expect(none).toEqual([])
    expect(one.ledgers.some(({ role }: any) => role === 'accounts_receivable')).toBe(true)
    expect((await team.client.get('/onboarding/chart-templates', { industry: 'alchemy' })).status).toBe(422)
  })

  it('before anything is posted the new one takes the place of the old; what somebody made or names stays', async () => {
    const mine = await newBusiness()
    await mine.client.post('/onboarding/chart-template', { industry: 'retail' })
    const chart = await chartOf(mine.business_id)
    await mine.client.post('/ledgers', { name: 'Ours', type: 'expense', subtype: 'operating' })
    await mine.client.post('/counterparty-defaults', { counterparty: 'Packer', ledger_id: chart.named('Packaging') })
    const rehearsed = await mine.client.post('/onboarding/chart-template', { industry: 'restaurant' }, { query: { dry_run: true } })
    const replaced = await mine.client.post('/onboarding/chart-template', { industry: 'restaurant' })
    expect(replaced.data).toEqual(rehearsed.data)
    expect(replaced).toMatchObject({ status: 201, data: { industry: 'restaurant', mode: 'replaced', kept: 2 } })
    const now = await names(mine)
    for (const name of ['Food Sales', 'Ours', 'Packaging', 'Tips Payable']) expect(now).toContain(name)
    for (const name of ['Merchandise Sales', 'Store Supplies', 'Gift Cards Outstanding']) expect(now).not.toContain(name)
    const again = await mine.client.post('/onboarding/chart-template', { industry: 'restaurant' })
    expect(again.data).toMatchObject({ added: 0, renamed: 0, removed: 0 })
    expect((await stepOf('chart', mine)).status).toBe('done')
    expect((await mine.client.get('/books/verification')).data.checks.filter((one: any) => !one.ok)).toEqual([])
  })

  it('afterwards it only adds', async () => {
    const mine = await newBusiness()
    const chart = await chartOf(mine.business_id)
    await post(mine.business_id, { date: '2026-02-01', lines: [[chart.named('Checking'), 100], [chart.role('sales'), -100]] })
    const before = await names(mine)
    const added = await mine.client.post('/onboarding/chart-template', { industry: 'restaurant' })
    expect(added.data).toMatchObject({ mode: 'added', renamed: 0, removed: 0 })
    expect(added.data.added).toBeGreaterThan(5)
    const after = await names(mine)
    for (const name of before) expect(after).toContain(name)
  })
})

describe('who may', () => {
  it('everybody reads, accountants write, others see nothing', async () => {
    const bookkeeper = (await newMember(team.business_id, 'bookkeeper')).client
    const accountant = (await newMember(team.business_id, 'accountant')).client
    for (const path of ['/onboarding', '/onboarding/industries', '/onboarding/chart-templates']) expect((await bookkeeper.get(path)).status).toBe(200)
    const writes = (by: typeof bookkeeper) => [
      by.put('/onboarding', { answers: {} }), by.put('/onboarding/steps/import/complete'), by.put('/onboarding/steps/import/skip'),
      by.put('/onboarding/steps/import/reopen'), by.put('/onboarding/finish'), by.put('/onboarding/dismiss'), by.post('/onboarding/chart-template', { industry: 'general' }),
    ]
    for (const answer of await Promise.all(writes(bookkeeper))) expect(answer.status).toBe(403)
    expect((await accountant.put('/onboarding', { answers: { has_employees: true } })).data.answers.has_employees).toBe(true)
    const stranger = client(other.owner.token, team.business_id)
    for (const answer of [...(await Promise.all(writes(stranger))), await stranger.get('/onboarding')]) expect(answer.status).toBe(403)
    const token = await newToken(team.owner, ['onboarding:read'])
    expect((await client(token, team.business_id).get('/onboarding')).status).toBe(200)
    expect((await client(token, team.business_id).put('/onboarding', { answers: {} })).status).toBe(403)
  })
})
