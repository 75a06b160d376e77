import { beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, newMember, sql, type Person, type Team } from '../../../test/support/people.ts'

let team: Team
let accountant: Person
let path: string
beforeAll(async () => {
  team = await newBusiness()
  accountant = await newMember(team.business_id, 'accountant')
  path = `/businesses/${team.business_id}/settings`
})

describe('settings', () => {
  it('start with their defaults', async () => {
    const { status, data } = await team.client.get(path)
    expect(status).toBe(200)
    expect(data).toEqual({
      id: team.business_id,
      accounting: { default_basis: 'accrual', approval_required: false, approval_threshold: 0 },
      tax: { default_sales_code_id: null, default_purchase_code_id: null, prices_include_tax: false },
      sales: { invoice_footer: null, reply_to: null, reminder_days: [], deposit_ledger_id: null, credit_policy: 'off', auto_match_threshold: null },
      purchases: { duplicate_bill: 'block' },
      inventory: { costing_method: 'fifo', allow_negative_stock: false, backdating_days: null, recost_limit: 10_000 },
      banking: { auto_match: true, low_cash_threshold: 0 },
      documents: { inbox_enabled: true, retention_years: 7 },
      ai: { enabled: true, provider: 'rules', may_send_documents: false, monthly_runs: 1000 },
      security: { require_two_factor: false, share_links_allowed: true, token_max_days: null },
      updated_at: expect.any(String),
      version: 1,
    })
  })

  it('are merged key by key, and recorded', async () => {
    await accountant.client.patch(path, { sales: { invoice_footer: 'Thank you', reminder_days: [-3, 7] }, documents: { retention_years: 10 } })
    const changes = { sales: { invoice_footer: 'Thanks', unheard_of: 1 }, purchases: { duplicate_bill: 'warn' }, banking: null }
    const { data, headers } = await accountant.client.patch(path, changes)
    expect(data).toMatchObject({
      sales: { invoice_footer: 'Thanks', reminder_days: [-3, 7] }, documents: { retention_years: 10, inbox_enabled: true },
      purchases: { duplicate_bill: 'warn' }, version: 3,
    })
    expect(headers.get('etag')).toBe('"3"')
    expect((await team.client.get(path)).data).toEqual(data)
    expect((await accountant.client.patch(path, { sales: { invoice_footer: null } })).data.sales.invoice_footer).toBeNull()
    expect((await accountant.client.patch(path, { sales: { invoice_footer: null }, ai: {} })).data.version).toBe(4)
    const events = await sql(
      `select resource_id, data from events where business_id = $1 and type = 'business_settings.updated' order by seq`, [team.business_id])
    expect(events.map((event) => event.resource_id)).toEqual([team.business_id, team.business_id, team.business_id])
    expect(events.map((event) => event.data.sales.invoice_footer)).toEqual(['Thank you', 'Thanks', null])
    const [audited] = await sql(
      `select before, after from audit_trail where business_id = $1 and action = 'business_settings.updated' order by seq desc limit 1`, [team.business_id])
    expect(Object.keys(audited.after)).toEqual(['sales'])
  })

  it('hold the basis of the business, which is one and the same', async () => {
    expect((await accountant.client.patch(path, { accounting: { default_basis: 'cash' } })).data.accounting.default_basis).toBe('cash')
    expect((await team.client.get(`/businesses/${team.business_id}`)).data.default_basis).toBe('cash')
    await team.client.put(`/businesses/${team.business_id}`, { default_basis: 'accrual' })
    expect((await team.client.get(path)).data.accounting.default_basis).toBe('accrual')
  })

  it.each([
    [{ colours: {} }, [['value_error', 'body', 'colours']]],
    [{ colours: {}, __proto: 1, sales: {} }, [['value_error', 'body', 'colours'], ['value_error', 'body', '__proto']]],
    [{ documents: { retention_years: 0 } }, [['greater_than_equal', 'body', 'documents', 'retention_years']]],
    [{ purchases: { duplicate_bill: 'ignore' } }, [['enum', 'body', 'purchases', 'duplicate_bill']]],
    [{ sales: { reminder_days: ['x'], reply_to: 'nobody' } },
      [['value_error', 'body', 'sales', 'reply_to'], ['int_type', 'body', 'sales', 'reminder_days', 0]]],
    [{ security: 'strict' }, [['object_type', 'body', 'security']]],
    [[], [['object_type', 'body']]],
  ])('refuse %j', async (body, problems) => {
    const { status, detail } = await team.client.patch(path, body)
    expect(status).toBe(422)
    expect(detail.map((problem: { type: string; loc: string[] }) => [problem.type, ...problem.loc]).toSorted()).toEqual(problems.toSorted())
  })

  it('of security are for those who manage members', async () => {
    expect((await accountant.client.patch(path, { security: { share_links_allowed: false } })).status).toBe(403)
    const admin = await newMember(team.business_id, 'admin')
    const narrow = { share_links_allowed: false, token_max_days: 90 }
    expect((await admin.client.patch(path, { security: narrow })).data.security).toMatchObject(narrow)
    const untimely = await admin.client.patch(path, { security: { require_two_factor: true } })
    expect(untimely.status).toBe(400)
    expect(untimely.detail).toBe('Turn on two-factor sign-in for yourself first, then require it of everybody.')
    await sql('update users set two_factor_enabled = true where id = $1', [admin.user_id])
    expect((await admin.client.patch(path, { security: { require_two_factor: true } })).status).toBe(200)
    expect((await team.client.get(path)).status).toBe(403)
    expect((await admin.client.patch(path, { security: { require_two_factor: false } })).status).toBe(200)
    expect((await team.client.get(path)).status).toBe(200)
  })

  it('of approval are for those who manage members, and stay beside the basis', async () => {
    expect((await accountant.client.patch(path, { accounting: { approval_threshold: 100 } })).status).toBe(403)
    await team.client.patch(path, { accounting: { approval_required: true, approval_threshold: 50_000 } })
    expect((await accountant.client.patch(path, { accounting: { default_basis: 'cash' } })).data.accounting).toEqual({
      default_basis: 'cash', approval_required: true, approval_threshold: 50_000,
    })
    expect((await team.client.patch(path, { accounting: { approval_required: null, approval_threshold: null, default_basis: 'accrual' } })).data.accounting).toEqual({
      default_basis: 'accrual', approval_required: false, approval_threshold: 0,
    })
  })

  it('are closed to bookkeepers, to strangers and while archived; a stale If-Match is a 412', async () => {
    const [bookkeeper, stranger] = await Promise.all([newMember(team.business_id, 'bookkeeper'), newBusiness()])
    expect((await bookkeeper.client.patch(path, { ai: { enabled: false } })).status).toBe(403)
    expect((await bookkeeper.client.get(path)).status).toBe(200)
    expect((await stranger.owner.client.get(path)).status).toBe(403)
    expect((await stranger.owner.client.patch(path, {})).status).toBe(403)
    expect((await team.client.patch(path, { ai: { enabled: false } }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    await team.client.put(`/businesses/${team.business_id}/archive`)
    expect((await team.client.patch(path, { ai: { enabled: false } })).status).toBe(403)
    expect((await team.client.get(path)).status).toBe(200)
  })

  it('changed by two at once lose neither change', async () => {
    const both = await newBusiness()
    const at = `/businesses/${both.business_id}/settings`
    await Promise.all([both.client.patch(at, { sales: { invoice_footer: 'A' } }), both.client.patch(at, { sales: { reply_to: 'b@example.com' } })])
    expect((await both.client.get(at)).data).toMatchObject({ sales: { invoice_footer: 'A', reply_to: 'b@example.com' }, version: 3 })
  })
})
