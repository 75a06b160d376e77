// Tests of the connection with the card processor over HTTP, with the embedded processor and with Stripe.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, newInvoice, pay } from '../../../test/support/cards.ts'
import { client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, newMember, type Team } from '../../../test/support/people.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { startStripe, type StripeServer } from '../../../test/support/stripe.ts'
import { newId } from '../../foundation/ids.ts'

const PATH = '/processor/connection'
const urls = { return_url: 'https://example.com/done', refresh_url: 'https://example.com/again' }

describe('with the embedded processor', () => {
  it('is none, then active at once, and once only', async () => {
    const { client: own } = await newBusiness()
    expect((await own.get(PATH)).data).toMatchObject({ processor: 'sandbox', status: 'none', account_id: null, version: 0 })
    const made = await own.post(PATH, urls)
    expect(made).toMatchObject({ status: 201, data: { status: 'active', charges_enabled: true, livemode: false, onboarding_url: urls.return_url, fee_recognition: 'payout', version: 1 } })
    expect(made.data).toMatchObject({ bank_ledger_id: expect.any(String), clearing_ledger_id: expect.any(String), fee_ledger_id: expect.any(String) })
    expect(await own.post(PATH, urls)).toMatchObject({ status: 400, detail: 'The business is connected with the card processor already.' })
    expect(await eventsOf(made.data.id)).toEqual(['processor.connected'])
  })

  it('by two at once is one', async () => {
    const { client: own } = await newBusiness()
    const answers = await Promise.all([own.post(PATH, urls), own.post(PATH, urls), own.post(PATH, urls)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
  })

  it('a dry run asks nobody', async () => {
    const { client: own } = await newBusiness()
    expect(await own.call('POST', PATH, { query: { dry_run: true }, body: urls })).toMatchObject({ status: 201, data: { status: 'pending', onboarding_url: null } })
    expect((await own.get(PATH)).data.status).toBe('none')
  })

  it.each([[{ ...urls, return_url: '/done' }], [{ ...urls, refresh_url: 'ftp://example.com' }]])('needs absolute addresses: %j', async (body) => {
    const { client: own } = await newBusiness()
    expect((await own.post(PATH, body)).status).toBe(422)
  })

  it('settings are held against the chart', async () => {
    const team = await newBusiness()
    await connect(team)
    const own = team.client
    const ledger = async (more: object) => (await own.post('/ledgers', { name: `Ledger ${newId()}`, type: 'asset', subtype: 'bank', is_bank: true, ...more })).data.id
    const [second, foreign, plain] = [await ledger({}), await ledger({ currency: 'EUR' }), await ledger({ is_bank: false, subtype: 'other_current_asset' })]
    expect((await own.put(PATH, { bank_ledger_id: second, sync_invoices: true })).data).toMatchObject({ bank_ledger_id: second, sync_invoices: true, version: 2 })
    expect((await own.put(PATH, { bank_ledger_id: foreign })).detail).toMatch(/kept in EUR/)
    expect((await own.put(PATH, { bank_ledger_id: plain })).detail).toMatch(/no bank account/)
    expect((await own.put(PATH, { bank_ledger_id: newId() })).status).toBe(404)
    await pay(team, (await newInvoice(team)).token)
    expect((await own.put(PATH, { fee_recognition: 'charge' })).detail).toMatch(/holds 1,000.00 USD/)
  })

  it('fees can be booked with each charge', async () => {
    const team = await newBusiness()
    await connect(team)
    expect((await team.client.put(PATH, { fee_recognition: 'charge' })).status).toBe(200)
    await pay(team, (await newInvoice(team)).token)
    expect((await team.client.get('/processor/reconciliation')).data).toMatchObject({ charges: 100_000, fees: 2_930, expected: 97_070, ledger_balance: 97_070, difference: 0 })
  })

  it('ends, unless money or a customer is on the way', async () => {
    const team = await newBusiness()
    const own = team.client
    await connect(team)
    const invoice = await newInvoice(team)
    await client().post(`/processor/hosted/${invoice.token}/checkout`, {})
    expect((await own.delete(PATH)).detail).toMatch(/about to pay/)
    await pay(team, invoice.token)
    expect((await own.delete(PATH)).detail).toMatch(/still holds 1,000.00 USD/)
    expect((await own.delete(`${PATH}?force=true`)).data).toMatchObject({ status: 'disconnected', disconnected_at: expect.any(String) })
    const { version } = (await own.delete(PATH)).data
    expect((await own.get(PATH)).data.version).toBe(version)
    expect((await own.post(`${PATH}/refresh`, {})).detail).toMatch(/connect the business again/)
    expect((await own.post(PATH, urls)).data).toMatchObject({ status: 'active', disconnected_at: null })
  })

  it('is for accountants and above', async () => {
    const team = await newBusiness()
    const [bookkeeper, accountant] = [await newMember(team.business_id, 'bookkeeper'), await newMember(team.business_id, 'accountant')]
    expect((await bookkeeper.client.post(PATH, urls)).status).toBe(403)
    expect((await accountant.client.post(PATH, urls)).status).toBe(201)
    expect((await bookkeeper.client.get(PATH)).data.status).toBe('active')
    expect(await accountant.client.post('/sandbox/processor/payouts', {})).toMatchObject({ status: 403, detail: expect.stringMatching(/owner/) })
  })
})

describe('with Stripe', () => {
  let stripe: StripeServer
  let service: Service
  let team: Team
  beforeAll(async () => {
    stripe = await startStripe()
    service = await startService({ DAYBOOK_STRIPE_KEY: 'sk_test_1', DAYBOOK_STRIPE_WEBHOOK_SECRET: 'whsec_1', DAYBOOK_STRIPE_HOST: stripe.url })
    team = await newBusiness()
  })
  afterAll(async () => {
    await service.program.stop()
    await stripe.stop()
  })

  it('is pending until Stripe knows enough, and is read again', async () => {
    const own = client(team.owner.token, team.business_id, service.url)
    const account = { id: `acct_${newId()}`, object: 'account', charges_enabled: false, payouts_enabled: false, requirements: { currently_due: ['external_account'] }, settings: { payouts: { schedule: { interval: 'daily' } } } }
    stripe.tell('POST /v1/accounts', { body: account })
    stripe.tell(`GET /v1/accounts/${account.id}`, { body: account }, { body: { ...account, charges_enabled: true, payouts_enabled: true, requirements: { currently_due: [] } } })
    stripe.tell('POST /v1/account_links', { body: { object: 'account_link', url: 'https://connect.stripe.com/setup/1' } })
    expect((await own.post(PATH, urls)).data).toMatchObject({ processor: 'stripe', status: 'pending', account_id: account.id, requirements: ['external_account'], onboarding_url: 'https://connect.stripe.com/setup/1' })
    expect(stripe.asked[0]).toMatchObject({ path: '/v1/accounts', form: { 'metadata[reference]': team.business_id, country: 'US', default_currency: 'usd', 'business_profile[name]': 'Test Trading' }, headers: { 'idempotency-key': `account-${team.business_id}` } })
    expect((await own.post(`${PATH}/refresh`, urls)).data).toMatchObject({ status: 'pending', onboarding_url: 'https://connect.stripe.com/setup/1', version: 1 })
    expect((await own.post(`${PATH}/refresh`, urls)).data).toMatchObject({ status: 'active', charges_enabled: true, onboarding_url: null, version: 2 })
  })

  it('that does not answer is a 503, and nothing is kept; the test doors are not there', async () => {
    const other = await newBusiness()
    const own = client(other.owner.token, other.business_id, service.url)
    stripe.tell('POST /v1/accounts', { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } })
    expect(await own.post(PATH, urls)).toMatchObject({ status: 503, detail: expect.stringMatching(/does not accept the key/) })
    expect((await own.get(PATH)).data.status).toBe('none')
    expect((await own.post('/sandbox/processor/payouts', {})).status).toBe(404)
    expect((await fetch(`${service.url}/sandbox/checkout/cs_1`)).status).toBe(404)
  })
})
