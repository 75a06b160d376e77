// The matcher: it never gives away more than there is, finds what was planted, and does not care in which order it is told.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DepositFacts, InvoiceFacts } from '../deposit-candidates/contract.ts'
import { keyOf, LEAST_CONFIDENCE, MOST_PER_DEPOSIT, proposalsFor, reconciled, unrivalled, whatChanged } from './rules.ts'

const deposit = (id: string, amount: number, more: Partial<DepositFacts> = {}): DepositFacts => ({
  id, amount, currency: 'USD', datetime: '2026-03-12', counterparty: null, counterparty_raw: null, description: null, reference: null, ledger_id: 'bank', customer_id: null,
  claimed: 0, ...more,
})
const invoice = (id: string, total: number, more: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  id, number: `INV-${id.padStart(5, '0')}`, customer_id: 'acme', customer_name: 'Acme Widgets Inc.', currency: 'USD', total, total_paid: 0, invoice_date: '2026-02-10', due_on: '2026-03-12', ...more,
})

describe('proposals', () => {
  it('pays named invoices first, the oldest before the others', () => {
    const invoices = [invoice('1', 100, { due_on: '2026-03-01' }), invoice('2', 100), invoice('3', 150)]
    const [best] = proposalsFor([deposit('d', 150, { description: 'INV-00002 and INV-00001' })], invoices)
    expect(best).toMatchObject({
      invoice_ids: ['1', '2'], total: 150, allocations: [{ invoice_id: '1', amount: 100 }, { invoice_id: '2', amount: 50 }], reasons: ['invoice_number', 'part', 'date'],
    })
    const [more] = proposalsFor([deposit('d', 500, { description: 'INV-00002' })], invoices)
    expect(more).toMatchObject({ total: 100, reasons: ['invoice_number', 'surplus', 'due_date'] })
  })

  it('keeps to the customer whom the deposit names, unless a number says otherwise', () => {
    const invoices = [invoice('1', 100), invoice('2', 100, { customer_id: 'bolt', customer_name: 'Bolt Brothers' })]
    const proposed = (more: Partial<DepositFacts>) => proposalsFor([deposit('d', 100, more)], invoices).map(({ invoice_ids }) => invoice_ids)
    expect(proposed({})).toEqual([['1'], ['2']])
    expect(proposed({ counterparty: 'BOLT BROTHERS LLC' })).toEqual([['2']])
    expect(proposed({ counterparty: 'BOLT BROTHERS LLC', reference: 'INV-00001' })).toEqual([['1'], ['2']])
    expect(proposed({ customer_id: 'acme', counterparty: 'BOLT BROTHERS LLC' })).toEqual([['1']])
  })

  it('knows a shortfall that this customer has left before', () => {
    const invoices = [invoice('1', 100_000, { total_paid: 98_500 }), invoice('2', 80_000)]
    const [best] = proposalsFor([deposit('d', 78_500, { counterparty: 'Acme Widgets' })], invoices)
    expect(best).toMatchObject({ invoice_ids: ['2'], total: 78_500, reasons: ['known_short_pay', 'customer_name', 'due_date'] })
    expect(proposalsFor([deposit('d', 78_400, { counterparty: 'Acme Widgets' })], invoices)).toEqual([])
  })

  it('does not propose what was rejected', () => {
    const [first] = proposalsFor([deposit('d', 100)], [invoice('1', 100)])
    expect(proposalsFor([deposit('d', 100)], [invoice('1', 100)], (key) => key === keyOf(first!))).toEqual([])
  })

  it('finds the sum of six among forty invoices of a customer it knows, also where all are alike', () => {
    const many = Array.from({ length: 40 }, (_, index) => invoice(String(index + 1), 1_000 + 7 ** (index % 5) * (index + 3)))
    const chosen = [2, 9, 17, 23, 31, 39].map((place) => many[place] as InvoiceFacts)
    const amount = chosen.reduce((sum, { total }) => sum + total, 0)
    const found = proposalsFor([deposit('d', amount, { counterparty: 'Acme Widgets' })], many)
    expect(found[0]?.reasons).toContain('exact_sum')
    expect(found.every(({ total }) => total === amount)).toBe(true)
    const alike = Array.from({ length: 500 }, (_, index) => invoice(String(index + 1), 100))
    expect(proposalsFor([deposit('d', 600, { counterparty: 'Acme Widgets' })], alike)[0]).toMatchObject({ total: 600, reasons: ['exact_sum', 'customer_name', 'due_date'] })
  })
})

const names = ['Acme Widgets', 'Bolt Brothers', 'Cedar & Sons', 'Delta Foods', 'Ember']
const anInvoice = fc.record({ customer: fc.nat(4), total: fc.integer({ min: 1, max: 40 }), paid: fc.nat(39), due: fc.nat(60), currency: fc.constantFrom('USD', 'USD', 'EUR') })
const aDeposit = fc.record({
  amount: fc.integer({ min: 1, max: 120 }), claimed: fc.nat(119), name: fc.option(fc.nat(4)), number: fc.option(fc.integer({ min: 100, max: 120 })), day: fc.nat(60),
  currency: fc.constantFrom('USD', 'USD', 'EUR'), customer: fc.option(fc.nat(4), { freq: 6 }),
})
const day = (count: number) => new Date(Date.UTC(2026, 1, 1 + count)).toISOString().slice(0, 10)
const market = fc.record({ invoices: fc.array(anInvoice, { maxLength: 25 }), deposits: fc.array(aDeposit, { maxLength: 8 }) }).map(({ invoices, deposits }) => ({
  invoices: invoices.map(({ customer, total, paid, due, currency }, index) => invoice(String(100 + index), total, {
    customer_id: `c${customer}`, customer_name: names[customer] ?? '', total_paid: Math.min(paid, total - 1), invoice_date: day(0), due_on: day(due), currency,
  })),
  deposits: deposits.map(({ amount, claimed, name, number, day: on, currency, customer }, index) => deposit(`d${index}`, amount, {
    claimed: Math.min(claimed, amount - 1), counterparty: name === null ? null : names[name] ?? null, description: number === null ? null : `for INV-00${number}`,
    datetime: day(on), currency, customer_id: customer === null ? null : `c${customer}`,
  })),
}))

describe('properties', () => {
  it('never gives an invoice more than its balance, nor more than is left of the deposit', () => {
    fc.assert(fc.property(market, ({ deposits, invoices }) => {
      const invoiceOf = new Map(invoices.map((each) => [each.id, each]))
      const depositOf = new Map(deposits.map((each) => [each.id, each]))
      for (const proposal of proposalsFor(deposits, invoices)) {
        const from = depositOf.get(proposal.transaction_id)!
        expect(proposal.total).toBe(proposal.allocations.reduce((sum, { amount }) => sum + amount, 0))
        expect(proposal.total).toBeLessThanOrEqual(from.amount - from.claimed)
        expect(proposal.confidence).toBeGreaterThanOrEqual(LEAST_CONFIDENCE)
        expect(proposal.confidence).toBeLessThanOrEqual(100)
        expect(new Set(proposal.invoice_ids)).toEqual(new Set(proposal.allocations.map(({ invoice_id }) => invoice_id)))
        expect(new Set(proposal.invoice_ids).size).toBe(proposal.allocations.length)
        expect(new Set(proposal.invoice_ids.map((id) => invoiceOf.get(id)?.customer_id)).size).toBe(1)
        for (const { invoice_id, amount, invoice_paid } of proposal.allocations) {
          const to = invoiceOf.get(invoice_id)!
          expect([to.currency, to.total_paid]).toEqual([from.currency, invoice_paid])
          expect(amount).toBeGreaterThan(0)
          expect(amount).toBeLessThanOrEqual(to.total - to.total_paid)
        }
      }
      const counts = Map.groupBy(proposalsFor(deposits, invoices), ({ transaction_id }) => transaction_id)
      for (const own of counts.values()) expect(own.length).toBeLessThanOrEqual(MOST_PER_DEPOSIT)
    }))
  })

  it('says the same in whatever order it is told', () => {
    fc.assert(fc.property(market.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given.deposits, { minLength: given.deposits.length }), fc.shuffledSubarray(given.invoices, { minLength: given.invoices.length }))),
      ([given, deposits, invoices]) => {
        expect(proposalsFor(deposits, invoices)).toEqual(proposalsFor(given.deposits, given.invoices))
      }))
  })

  it('finds the one set that was planted, with the customer named or not', () => {
    fc.assert(fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 6 }), fc.integer({ min: 6, max: 10 }), fc.boolean(), (places, count, named) => {
      // Powers of two: no other set has the same sum.
      const own = Array.from({ length: count }, (_, index) => invoice(String(index + 1), 2 ** index))
      const chosen = own.filter((_, index) => places.includes(index + 1))
      if (chosen.length === 0) return
      const others = Array.from({ length: 20 }, (_, index) => invoice(`x${index}`, 5_000 + index, { customer_id: `o${index}`, customer_name: `Other ${index}` }))
      const amount = chosen.reduce((sum, { total }) => sum + total, 0)
      const [best] = proposalsFor([deposit('d', amount, { counterparty: named ? 'ACME WIDGETS' : null })], [...others, ...own])
      expect(best?.invoice_ids).toEqual(chosen.map(({ id }) => id).sort())
      expect(best?.total).toBe(amount)
    }))
  })

  it('what is accepted by itself shares no deposit and no invoice, and has no rival within ten', () => {
    fc.assert(fc.property(market, fc.integer({ min: 40, max: 100 }), ({ deposits, invoices }, threshold) => {
      const proposals = proposalsFor(deposits, invoices)
      const sure = unrivalled(proposals, threshold)
      const taken = sure.flatMap(({ transaction_id, invoice_ids }) => [transaction_id, ...invoice_ids])
      expect(new Set(taken).size).toBe(taken.length)
      for (const one of sure) {
        const rivals = proposals.filter((other) => other !== one && (other.transaction_id === one.transaction_id || other.invoice_ids.some((id) => one.invoice_ids.includes(id))))
        expect(rivals.every(({ confidence }) => confidence < one.confidence - 10)).toBe(true)
      }
    }))
  })
})

describe('a run over what waits', () => {
  const [proposal] = proposalsFor([deposit('d', 100)], [invoice('1', 100)])
  const kept = { ...proposal!, standing: true }
  const all = [new Set(['d']), new Set(['1'])] as const

  it('leaves alone what it would propose again, and what it did not look at', () => {
    expect(reconciled([kept], [proposal!], ...all)).toEqual({ superseded: [], updated: [], unchanged: [kept], created: [] })
    expect(reconciled([kept], [], new Set(['d']), new Set(['2']))).toMatchObject({ superseded: [], unchanged: [kept] })
    expect(reconciled([kept], [], new Set(['e']), new Set(['1']))).toMatchObject({ superseded: [], unchanged: [kept] })
  })

  it('renews what has other reasons now, and ends what it would not say any more', () => {
    const other = { ...proposal!, confidence: 77 }
    expect(reconciled([kept], [other], ...all)).toMatchObject({ superseded: [], updated: [{ kept, proposal: other }], unchanged: [], created: [] })
    expect(reconciled([kept], [], ...all)).toMatchObject({ superseded: [kept], unchanged: [] })
    expect(reconciled([{ ...kept, standing: false }], [proposal!], ...all)).toMatchObject({ superseded: [{ standing: false }], created: [proposal] })
    expect(reconciled([kept], [{ ...proposal!, transaction_claimed: 7 }], ...all)).toMatchObject({ superseded: [kept], created: [{ transaction_claimed: 7 }] })
  })

  it('says what has changed', () => {
    const same = { kind: 'invoice' as const, name: 'A', status: 'open', dismissed: false, uncollectible: false, was: 100, now: 100 }
    const said = (more: object) => whatChanged([{ ...same, ...more }], 'USD')
    expect(said({})).toMatch(/found something else/)
    expect(said({ now: 40 })).toMatch(/invoice A has 0.40 USD left instead of 1.00 USD/)
    expect(said({ status: 'void' })).toMatch(/invoice A was voided/)
    expect(said({ uncollectible: true })).toMatch(/written off/)
    expect(said({ kind: 'transaction', dismissed: true })).toMatch(/its deposit was dismissed/)
    expect(said({ kind: 'transaction', status: 'excluded' })).toMatch(/its deposit was excluded/)
  })
})
