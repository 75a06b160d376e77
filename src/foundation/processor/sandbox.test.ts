// The embedded processor: accounts, checkouts, cards, refunds, disputes, payouts, its page and its signature.
import { beforeAll, describe, expect, it } from 'vitest'
import { service, type Service } from '../../../test/support/service.ts'
import { sql } from '../../../test/support/people.ts'
import { plainRequest, transact } from '../database/transact.ts'
import type { PublicTx } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import type { CardProcessor, Charge, Checkout } from './processor.ts'
import { closeDispute, failPayout, openDispute, payCheckout, payOut } from './sandbox-records.ts'
import { exchanged, feeOf, judge, settledPart } from './sandbox-rules.ts'
import { SANDBOX_SIGNATURE, signedMessage } from './sandbox.ts'

let own: Service
let processor: CardProcessor
beforeAll(async () => {
  own = await service()
  processor = own.program.database.surroundings.processor
})

const within = <T>(work: (tx: PublicTx) => Promise<T>) => transact(own.program.database, { business_id: null, read_only: false, request: plainRequest }, ({ tx }) => work(tx))
const GOOD = { number: '4242 4242 4242 4242', expiry: '12/90', cvc: '123' }
const DECLINED = { ...GOOD, number: '4000000000000002' }

async function newAccount(currency = 'USD'): Promise<string> {
  return (await processor.createAccount({ name: 'Test', email: null, country: 'US', currency, reference: newId(), idempotency_key: newId() })).id
}

function newCheckout(account: string, more: object = {}): Promise<Checkout> {
  return processor.createCheckout({
    account, reference: newId(), amount: 100_000, currency: 'USD', description: 'Invoice <1> & more', customer_email: null,
    success_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}', cancel_url: 'https://shop.example/back', idempotency_key: newId(), ...more,
  })
}

async function paid(account: string, more: object = {}): Promise<Charge> {
  const checkout = await newCheckout(account, more)
  await within((tx) => payCheckout(tx, checkout.id, GOOD))
  const { charge_id } = await processor.readCheckout(account, checkout.id)
  return processor.readCharge(account, charge_id ?? '')
}

const eventsAbout = async (object_id: string) =>
  (await sql(`select payload->'event'->>'type' as type from graphile_worker._private_jobs where payload->'event'->>'object_id' = $1 order by id`, [object_id])).map(({ type }) => type)

describe('rules', () => {
  it.each([[100_000, 2_930], [1, 30], [100, 33], [1_000, 59]])('the fee of %i is %i', (amount, fee) => expect(feeOf(amount)).toBe(fee))

  it.each([
    [GOOD, null, null], [DECLINED, null, /declined/], [{ ...GOOD, number: '4242' }, /not complete/, null], [{ ...GOOD, number: '4111111111111111' }, /sandbox/, null],
    [{ ...GOOD, expiry: '13/30' }, /month\/year/, null], [{ ...GOOD, expiry: '02/26' }, /expired/, null], [{ ...GOOD, expiry: '3/2026' }, null, null], [{ ...GOOD, cvc: 'x' }, /security code/, null],
  ])('judges %j', (card, mistake, declined) => {
    const verdict = judge(card, '2026-03-31T00:00:00Z')
    expect(verdict.mistake).toEqual(mistake === null ? null : expect.stringMatching(mistake))
    if (verdict.mistake === null) expect(verdict.declined).toEqual(declined === null ? null : expect.stringMatching(declined))
  })

  it('changes money, and settles the last part with what is left', () => {
    expect([exchanged(10_000, 'EUR', 'USD'), exchanged(11_000, 'USD', 'EUR'), exchanged(5, 'GBP', 'GBP')]).toEqual([11_000, 10_000, 5])
    const charge = { amount: 3, settled_amount: 100 }
    const first = settledPart(1, charge, { amount: 0, settled_amount: 0 })
    expect([first, settledPart(2, charge, { amount: 1, settled_amount: first })]).toEqual([33, 67])
  })
})

describe('checkouts and charges', () => {
  it('are made once under their key, and belong to their account', async () => {
    const account = await newAccount()
    const idempotency_key = newId()
    const [first, second] = [await newCheckout(account, { idempotency_key }), await newCheckout(account, { idempotency_key })]
    expect(second).toEqual(first)
    expect(first).toMatchObject({ status: 'open', charge_id: null, url: `${own.url}/sandbox/checkout/${first.id}` })
    await expect(processor.readCheckout(await newAccount(), first.id)).rejects.toThrow('Checkout not found.')
  })

  it('a declined card leaves the page open, a good one completes it once', async () => {
    const account = await newAccount()
    const checkout = await newCheckout(account)
    expect(await within((tx) => payCheckout(tx, checkout.id, DECLINED))).toMatchObject({ paid: false, message: expect.stringMatching(/declined/), checkout: { status: 'open' } })
    const outcomes = await Promise.all([1, 2, 3].map(() => within((tx) => payCheckout(tx, checkout.id, GOOD))))
    expect(outcomes.map((outcome) => outcome.paid)).toEqual([true, true, true])
    const { charge_id, status } = await processor.readCheckout(account, checkout.id)
    expect(status).toBe('complete')
    const charge = await processor.readCharge(account, charge_id ?? '')
    expect(charge).toMatchObject({ status: 'succeeded', amount: 100_000, settled: { amount: 100_000, currency: 'USD', fee: 2_930 }, card: { brand: 'visa', last4: '4242' }, disputed: false, refunds: [] })
    expect(await eventsAbout(charge.id)).toEqual(['charge.succeeded'])
    expect(await eventsAbout(checkout.id)).toEqual(['checkout.completed'])
    expect(await sql(`select from sandbox_charges where checkout_id = $1`, [checkout.id])).toHaveLength(2)
  })

  it('expire by order and by time; a complete one does not', async () => {
    const account = await newAccount()
    const checkout = await newCheckout(account)
    expect((await processor.expireCheckout(account, checkout.id)).status).toBe('expired')
    expect(await within((tx) => payCheckout(tx, checkout.id, GOOD))).toMatchObject({ paid: false, message: 'This page has expired.' })
    const { checkout_id } = await paid(account)
    expect((await processor.expireCheckout(account, checkout_id ?? '')).status).toBe('complete')
    const old = await newCheckout(account)
    await sql(`update sandbox_checkouts set expires_at = now() - interval '1 hour' where id = $1`, [old.id])
    expect((await processor.readCheckout(account, old.id)).status).toBe('expired')
  })

  it('settle in the currency of the account', async () => {
    const charge = await paid(await newAccount('USD'), { currency: 'EUR', amount: 10_000 })
    expect(charge).toMatchObject({ amount: 10_000, currency: 'EUR', settled: { amount: 11_000, currency: 'USD', fee: 349 } })
  })
})

describe('refunds, disputes and payouts', () => {
  it('a refund happens once under its key and never beyond the charge', async () => {
    const account = await newAccount()
    const charge = await paid(account)
    const given = { account, charge: charge.id, amount: 40_000, reference: newId(), idempotency_key: newId() }
    const [first, second] = await Promise.all([processor.refund(given), processor.refund(given)])
    expect(second).toEqual(first)
    await expect(processor.refund({ ...given, amount: 60_001, idempotency_key: newId() })).rejects.toThrow('60000 cents are left')
    expect((await processor.readCharge(account, charge.id)).refunds).toEqual([first])
    await expect(processor.refund({ ...given, account: await newAccount(), idempotency_key: newId() })).rejects.toThrow('Charge not found.')
  })

  it('a payout carries everything that moved, once, and gives it back where it fails', async () => {
    const account = await newAccount()
    const charge = await paid(account)
    await processor.refund({ account, charge: charge.id, amount: 40_000, reference: newId(), idempotency_key: newId() })
    const payout = await within((tx) => payOut(tx, account, '2026-03-05'))
    await expect(within((tx) => payOut(tx, account, '2026-03-05'))).rejects.toThrow('There is nothing to pay out.')
    const read = await processor.readPayout(account, payout.id)
    expect(read).toMatchObject({ status: 'paid', amount: 57_070, arrival_date: '2026-03-05', automatic: true })
    expect(read.items.map(({ kind, amount, fee, net, charge_id }) => [kind, amount, fee, net, charge_id])).toEqual([['charge', 100_000, 2_930, 97_070, charge.id], ['refund', -40_000, 0, -40_000, charge.id]])
    await within((tx) => failPayout(tx, account, payout.id))
    expect(await processor.readPayout(account, payout.id)).toMatchObject({ status: 'failed', items: [] })
    const again = await within((tx) => payOut(tx, account, '2026-03-06'))
    expect((await processor.listPayouts(account, '2026-01-01')).map(({ id, status, amount }) => [id, status, amount])).toEqual([[payout.id, 'failed', 57_070], [again.id, 'paid', 57_070]])
  })

  it('a dispute takes the money with a fee, and gives both back where it is won', async () => {
    const account = await newAccount()
    const charge = await paid(account)
    const dispute = await within((tx) => openDispute(tx, account, charge.id))
    expect(await processor.readDispute(account, dispute.id)).toMatchObject({ status: 'open', amount: 100_000, fee: 1_500, charge_id: charge.id })
    expect((await processor.readCharge(account, charge.id)).disputed).toBe(true)
    await expect(within((tx) => openDispute(tx, account, charge.id))).rejects.toThrow('disputed already')
    await expect(within((tx) => payOut(tx, account, '2026-03-05'))).rejects.toThrow('-4430 cents')
    await within((tx) => closeDispute(tx, account, charge.id, 'won'))
    await within((tx) => closeDispute(tx, account, charge.id, 'won'))
    await expect(within((tx) => closeDispute(tx, account, charge.id, 'lost'))).rejects.toThrow('won already')
    expect(await within((tx) => payOut(tx, account, '2026-03-05'))).toMatchObject({ amount: 97_070 })
    expect(await eventsAbout(dispute.id)).toEqual(['dispute.opened', 'dispute.closed'])
  })
})

describe('the hosted page', () => {
  const post = (checkout: Checkout, fields: Record<string, string>) => fetch(checkout.url ?? '', { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

  it('shows what is paid, runs nothing but its own style, and leads back', async () => {
    const checkout = await newCheckout(await newAccount())
    const answer = await fetch(checkout.url ?? '')
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('1,000.00 USD')
    expect(text).toContain('Invoice &lt;1&gt; &amp; more')
    expect(text).toContain('name="viewport"')
    expect(text).not.toMatch(/<script|https?:\/\/(?!shop\.example)/)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'none'.*style-src 'sha256-[^']+'; script-src 'none'; form-action 'self' https:\/\/shop\.example/)
    expect([answer.headers.get('referrer-policy'), answer.headers.get('cache-control'), answer.headers.get('x-frame-options')]).toEqual(['no-referrer', 'no-store', 'DENY'])
  })

  it('a declined card is told on the page, a good one leads on, and afterwards nothing can be paid twice', async () => {
    const checkout = await newCheckout(await newAccount())
    const declined = await post(checkout, DECLINED)
    expect([declined.status, /role="alert">The bank of this card declined/.test(await declined.text())]).toEqual([400, true])
    const good = await post(checkout, GOOD)
    expect([good.status, good.headers.get('location')]).toEqual([303, `https://shop.example/thanks?session=${checkout.id}`])
    expect(await (await fetch(checkout.url ?? '')).text()).toContain('This was paid')
  })

  it('an unknown one is a page that says so', async () => {
    const answer = await fetch(`${own.url}/sandbox/checkout/cs_nothing%00`)
    expect([answer.status, answer.headers.get('content-type'), (await answer.text()).includes('Checkout not found.')]).toEqual([404, 'text/html; charset=utf-8', true])
  })
})

describe('the signature', () => {
  it('is good for five minutes and for these bytes only', async () => {
    const event = { id: 'evt_1', type: 'charge.succeeded', subject: 'charge' as const, object_id: 'ch_1', account: 'acct_1', created_at: '2026-03-01T00:00:00.000Z' }
    const now = new Date('2026-03-01T00:00:00Z')
    const message = signedMessage(own.program.database.surroundings.encryption_key, event, now)
    expect(await processor.verifyEvent(message, new Date('2026-03-01T00:04:59Z'))).toEqual(event)
    const wrong = [
      processor.verifyEvent(message, new Date('2026-03-01T00:05:01Z')),
      processor.verifyEvent({ ...message, body: Buffer.from('{}') }, now),
      processor.verifyEvent({ ...message, headers: {} }, now),
      processor.verifyEvent(signedMessage(Buffer.alloc(32, 1), event, now), now),
      processor.verifyEvent({ ...message, headers: { [SANDBOX_SIGNATURE]: 't=1' } }, now),
    ]
    for (const one of wrong) await expect(one).rejects.toMatchObject({ status: 401 })
  })
})
