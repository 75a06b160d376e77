// Random work on what customers owe: invoices from draft to void, their payments, deposits, goods and contracts.
import { addDays } from '../../src/foundation/calendar.ts'
import type { Answer, Client } from '../support/client.ts'
import type { Random } from './random.ts'
import { dateIn, expectDone, refuse, type Operation, type World } from './world.ts'

/** An invoice or a credit memo as it was shown last; others may have changed it since. */
type Shown = { id: string; status: string; currency: string; customer_id: string } & Record<string, any>

export type Sales = {
  customers: { id: string; currency: string }[]
  items: string[]
  variants: string[]
  locations: string[]
  contracts: { id: string; customer_id: string }[]
  terms: string[]
  tax_codes: string[]
  /** Cash ledgers that money can come in on. */
  banks: string[]
  invoices: Map<string, Shown>
  memos: Map<string, Shown>
  payments: { id: string; invoice_id: string; amount: number }[]
  deposits: { id: string; currency: string }[]
  adjustments: string[]
  refunds: { id: string; memo_id: string }[]
  unposted: string[]
  /**
   * How many documents there must be of what somebody tried: invoices by external_id, payments by reference, credit memos by description;
   * null while the answer is out, or where it was lost.
   */
  tried: { invoices: Map<string, number | null>; payments: Map<string, number | null>; memos: Map<string, number | null> }
}

/** Everything there is to sell, whom to, and what their money is worth. */
export async function openShop(client: Client, { first_date, days }: World): Promise<Sales> {
  const post = (path: string, body: object) => expectDone(client.post(path, body))
  const { items: terms } = await expectDone(client.get('/payment-terms', { limit: 50 }))
  const { items: ledgers } = await expectDone(client.get('/ledgers', { limit: 500 }))
  const agency = await post('/tax/agencies', { name: 'State', country: 'US', filing_frequency: 'monthly', basis: 'accrual', due_day: 20 })
  const rate = await post('/tax/rates', { agency_id: agency.id, name: 'State tax', versions: [{ percent: '8.25', valid_from: '2020-01-01' }] })
  const code = await post('/tax/codes', { code: 'STATE', name: 'State tax', treatment: 'taxable', rate_id: rate.id })
  const customers: Sales['customers'] = []
  for (const currency of ['USD', 'USD', 'USD', 'USD', 'CAD', 'CAD', 'EUR']) customers.push(await post('/customers', { name: `Buyer ${customers.length + 1}`, currency }))
  const months = Array.from({ length: Math.ceil(days / 28) }, (_, index) => addDays(first_date, index * 28))
  await post('/fx/rates', { rates: ['CAD', 'EUR'].flatMap((from_currency) => months.map((date, index) => ({ from_currency, to_currency: 'USD', date, rate: `0.${7 + (index % 3)}5` }))) })
  const prices = ['USD', 'CAD', 'EUR'].map((currency) => ({ currency, unit_price: 4_250 }))
  const items = [await post('/catalog-items', { name: 'Advice', prices, tax_code_id: code.id }), await post('/catalog-items', { name: 'Support', prices })]
  const locations = [(await expectDone(client.get('/inventory/locations'))).items[0], await post('/inventory/locations', { name: 'Back room', code: 'BACK', type: 'store' })]
  const variants: { id: string }[] = []
  for (const costing_method of ['fifo', 'weighted_average', 'fifo']) {
    const { variants: made } = await post('/inventory/products', { name: `Goods ${variants.length + 1}`, type: 'stocked', costing_method, sku: `GOODS-${variants.length + 1}`, price: 1_990 })
    variants.push(made[0])
  }
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  const sales: Sales = {
    customers: customers.map(({ id, currency }) => ({ id, currency })), items: ids(items), variants: ids(variants), locations: ids(locations), contracts: [],
    terms: ids(terms.filter((term: { discount_percent: string | null }) => term.discount_percent !== null)), tax_codes: [code.id],
    banks: ids(ledgers.filter((ledger: { is_bank: boolean; type: string; posting: boolean }) => ledger.is_bank && ledger.type === 'asset' && ledger.posting)),
    invoices: new Map(), memos: new Map(), payments: [], deposits: [], adjustments: [], refunds: [], unposted: [],
    tried: { invoices: new Map(), payments: new Map(), memos: new Map() },
  }
  for (const { id, currency } of sales.customers) {
    const contract = await post('/contracts', { customer_id: id, title: 'Frame', original_value: 600_000, currency, start_date: first_date, end_date: addDays(first_date, days + 400) })
    sales.contracts.push({ id: contract.id, customer_id: id })
  }
  return sales
}

export const SALES = {
  sell: 16, sell_many: 2, sell_from_file: 2, sell_twice: 1, finalize: 7, redraft: 4, amend: 8, amend_number: 2, pay: 12, pay_early: 2, pay_from_deposit: 7, pay_many: 3, change_payment: 5,
  remove_payment: 4, mark_paid: 3, mark_unpaid: 4, write_off: 4, deliver: 8, void: 4, delete: 2, stock: 6, unstock: 1, contract: 1, reprice: 1, post_missing: 1,
}

export const salesOperations: Record<keyof typeof SALES, Operation> = {
  async sell(client, world, random) {
    const sales = salesOf(world)
    const given = invoice(world, random)
    keepInvoices(world, [given], await client.post('/invoices', { ...given, finalize: random.chance(60) }), ({ data }) => [data])
    if (sales.deposits.length < 5) await deposit(client, world, random)
  },
  async sell_many(client, world, random) {
    const invoices = Array.from({ length: random.between(2, 6) }, () => invoice(world, random))
    keepInvoices(world, invoices, await client.post('/invoices/batch', { invoices, finalize: random.chance(60) }), ({ data }) => data.invoices)
  },
  /** The same under one key: one of them makes it, and the other says so. */
  async sell_twice(client, world, random) {
    const given = invoice(world, random)
    const headers = { 'idempotency-key': given.external_id }
    const answers = await Promise.all([1, 2].map(() => client.post('/invoices', { ...given, finalize: true }, { headers })))
    keepInvoices(world, [given], answers.find(({ status }) => status === 201) ?? answers[0]!, ({ data }) => [data])
  },
  async sell_from_file(client, world, random) {
    const { tried, unposted } = salesOf(world)
    const rows = Array.from({ length: random.between(2, 8) }, () => {
      const post_entry = !random.chance(10)
      const given = invoice(world, random, post_entry ? 'sale' : 'unposted sale')
      const finalize = random.chance(80)
      const payments = post_entry && finalize && random.chance(50) ? [{ amount: random.between(1, 900), paid_on: addDays(given.invoice_date, random.between(0, 30)) }] : []
      return { ...given, finalize, post_entry, is_opening_balance: random.chance(8), payments }
    })
    const answer = await client.post('/invoices/bulk', { rows, atomic: random.chance(30) })
    if (answer.status !== 201) return keepInvoices(world, rows, answer, () => [])
    for (const { index, status, id } of answer.data.results) {
      const row = rows[index]!
      tried.invoices.set(row.external_id, status === 'ok' ? 1 : 0)
      if (status !== 'ok') world.refused += 1
      else if (!row.post_entry && row.finalize) unposted.push(id)
    }
    const found = await client.get(`/invoices/${random.pick(answer.data.results as { id: string | null }[]).id ?? rows[0]!.customer_id}`)
    if (found.status === 200) show(world, found.data)
  },
  finalize: (client, world, random) => onInvoice(world, random, ['draft'], ({ id }) =>
    client.put(`/invoices/${id}/finalize`, random.chance(30) ? { invoice_date: dateIn(world, random), due_date: addDays(world.first_date, world.days + 20) } : {}, random.chance(10) ? { query: { dry_run: true } } : {})),
  redraft: (client, world, random) => onInvoice(world, random, ['draft'], ({ id }) => {
    const { external_id: _id, payment_terms_id: _terms, currency: _currency, tax_mode: _mode, ...given } = invoice(world, random, null)
    return client.put(`/invoices/${id}`, { id, ...given, ...(random.chance(50) ? { customer_id: null, contract_id: null } : {}) })
  }),
  amend: (client, world, random) => onInvoice(world, random, FINALIZED, ({ id, customer_id }) => {
    const { contracts, customers } = salesOf(world)
    const date = dateIn(world, random)
    const change = random.weighted({ date: 5, customer: 3, contract: 4, words: 2 })
    const others = contracts.filter((contract) => contract.customer_id === customer_id)
    return client.put(`/invoices/${id}`, {
      id,
      ...(change === 'date' && { invoice_date: date, due_date: addDays(date, random.between(0, 40)) }),
      ...(change === 'customer' && { customer_id: random.pick(customers).id, contract_id: null }),
      ...(change === 'contract' && { contract_id: random.chance(30) || others.length === 0 ? null : random.pick(others).id }),
      ...(change === 'words' && { description: `Seen ${random.between(1, 99)} times` }),
    })
  }),
  amend_number: (client, world, random) => onInvoice(world, random, [...FINALIZED, 'draft'], ({ id }) => client.put(`/invoices/${id}`, { id, invoice_number: typedNumber(world, random) })),
  async delete(client, world, random) {
    const { tried, invoices } = salesOf(world)
    const target = someInvoice(world, random, ['draft'])
    if (!target) return
    // Somebody else may be at it too: whoever is told that it is gone knows.
    if (tried.invoices.get(target.external_id) === 1) tried.invoices.set(target.external_id, null)
    const answer = await client.delete(`/invoices/${target.id}`)
    if (answer.status === 200 || answer.status === 404) {
      tried.invoices.set(target.external_id, 0)
      invoices.delete(target.id)
    } else if (tried.invoices.get(target.external_id) === null) tried.invoices.set(target.external_id, 1)
    if (answer.status !== 200) refuse(world, answer)
  },
  async pay(client, world, random) {
    const target = someInvoice(world, random, OPEN)
    if (!target) return
    const body = { amount: part(target, random), paid_on: dateIn(world, random), ...(random.chance(50) ? { deposit_ledger_id: random.pick(salesOf(world).banks) } : {}), reference: newReference(world) }
    const headers = random.chance(10) ? { 'idempotency-key': body.reference } : {}
    const pay = () => client.post(`/invoices/${target.id}/payments`, body, { headers })
    const answers = await Promise.all('idempotency-key' in headers ? [pay(), pay()] : [pay()])
    keepPayments(world, body.reference, answers.find(({ status }) => status === 201) ?? answers[0]!, ({ data }) => [data])
  },
  async pay_early(client, world, random) {
    const target = someInvoice(world, random, ['open'])
    if (!target) return
    const reference = newReference(world)
    const paid_on = addDays(target['invoice_date'] ?? dateIn(world, random), random.between(0, 11))
    keepPayments(world, reference, await client.post(`/invoices/${target.id}/payments`, { take_discount: true, paid_on, reference }), ({ data }) => [data])
  },
  async pay_from_deposit(client, world, random) {
    if (random.chance(35)) await deposit(client, world, random)
    const target = someInvoice(world, random, OPEN)
    const transaction = recent(salesOf(world).deposits, random)
    if (!target || !transaction) return
    const reference = newReference(world)
    const answer = await client.post(`/invoices/${target.id}/payments`, { transaction_id: transaction.id, ...(random.chance(60) ? { amount: part(target, random) } : {}), reference })
    keepPayments(world, reference, answer, ({ data }) => [data])
  },
  async pay_many(client, world, random) {
    const first = someInvoice(world, random, OPEN)
    if (!first) return
    const others = Array.from({ length: random.between(1, 5) }, () => someInvoice(world, random, OPEN)).filter((other) => other?.currency === first.currency)
    const payments = [...new Set([first, ...others])].map((target) => ({ invoice_id: target!.id, ...(random.chance(60) ? { amount: part(target!, random) } : {}) }))
    const reference = newReference(world)
    const transaction_id = random.chance(40) ? recent(salesOf(world).deposits, random)?.id : undefined
    const answer = await client.post('/invoices/bulk-payments', { payments, reference, ...(transaction_id ? { transaction_id } : { paid_on: dateIn(world, random), one_transaction: random.chance(60) }) })
    keepPayments(world, reference, answer, ({ data }) => data.payments)
  },
  async change_payment(client, world, random) {
    const { payments, deposits } = salesOf(world)
    const target = recent(payments, random)
    if (!target) return
    const change = random.weighted({ amount: 4, date: 4, transaction: 2, note: 1 })
    const answer = await client.patch(`/invoices/${target.invoice_id}/payments/${target.id}`, {
      ...(change === 'amount' && { amount: random.between(1, target.amount * 2) }),
      ...(change === 'date' && { paid_on: dateIn(world, random) }),
      ...(change === 'transaction' && deposits.length > 0 && { transaction_id: random.pick(deposits).id }),
      ...(change === 'note' && { note: 'Looked at' }),
    })
    if (answer.status !== 200) return refuse(world, answer)
    target.amount = answer.data.amount
  },
  async remove_payment(client, world, random) {
    const target = recent(salesOf(world).payments, random)
    if (!target) return
    const answer = await client.delete(`/invoices/${target.invoice_id}/payments/${target.id}`, random.chance(40) ? { query: { reversal_date: dateIn(world, random) } } : {})
    show(world, answer)
  },
  mark_paid: (client, world, random) => onInvoice(world, random, OPEN, ({ id }) => client.put(`/invoices/${id}/paid`, { paid_on: dateIn(world, random) })),
  mark_unpaid: (client, world, random) => onInvoice(world, random, ['partially_paid', 'manual_paid', 'open'], ({ id }) =>
    client.put(`/invoices/${id}/unpaid`, random.chance(40) ? { reversal_date: dateIn(world, random) } : {})),
  write_off: (client, world, random) => onInvoice(world, random, OPEN, ({ id }) => client.put(`/invoices/${id}/uncollectible`, { uncollectible_on: dateIn(world, random) })),
  deliver: (client, world, random) => onInvoice(world, random, FINALIZED, ({ id }) => client.put(`/invoices/${id}/delivered`, { delivered_on: dateIn(world, random) })),
  void: (client, world, random) => onInvoice(world, random, ['open'], ({ id }) => client.put(`/invoices/${id}/void`, random.chance(40) ? { reversal_date: dateIn(world, random) } : {})),
  async post_missing(client, world, random) {
    const id = recent(salesOf(world).unposted, random)
    if (!id) return
    const answer = await client.post(`/invoices/${id}/journal-entry`, {})
    if (answer.status !== 201) return refuse(world, answer)
    show(world, answer.data.invoice)
  },
  /** Mostly in, and early, so that there is something to deliver. */
  async stock(client, world, random) {
    const { variants, locations, adjustments } = salesOf(world)
    const place = () => ({ variant_id: random.pick(variants), location_id: random.pick(locations) })
    const kind = random.weighted({ in: 6, out: 3, value: 1 })
    const lines = Array.from({ length: random.between(1, 3) }, () => ({
      ...place(),
      ...(kind === 'in' && { quantity: random.between(5, 60), unit_cost: random.between(1, 1_500) }),
      ...(kind === 'out' && { quantity: -random.between(1, 12) }),
      ...(kind === 'value' && { value: -random.between(1, 400) }),
    }))
    const adjusted_on = kind === 'in' ? addDays(world.first_date, random.between(0, Math.floor(world.days / 2))) : dateIn(world, random)
    const answer = await client.post('/inventory/adjustments', { kind: kind === 'value' ? 'value' : 'quantity', reason: kind === 'value' ? 'write_down' : 'other', adjusted_on, lines, post: true })
    if (answer.status !== 201) return refuse(world, answer)
    adjustments.push(answer.data.id)
  },
  async unstock(client, world, random) {
    const id = recent(salesOf(world).adjustments, random)
    if (!id) return
    const answer = await client.put(`/inventory/adjustments/${id}/reverse`, {})
    if (answer.status !== 200) refuse(world, answer)
  },
  async contract(client, world, random) {
    const { customers, contracts } = salesOf(world)
    const customer = random.pick(customers)
    const answer = await client.post('/contracts', {
      customer_id: customer.id, title: 'More', original_value: random.between(10_000, 900_000), currency: customer.currency, start_date: world.first_date, allow_overbilling: random.chance(40),
    })
    if (answer.status !== 201) return refuse(world, answer)
    contracts.push({ id: answer.data.id, customer_id: customer.id })
  },
  async reprice(client, world, random) {
    const answer = await client.put('/catalog-items/prices', { filter: {}, percent: random.pick(['2.5', '-2.4', '1.75', '-1.6']) })
    if (answer.status !== 200) refuse(world, answer)
  },
}

const OPEN = ['open', 'partially_paid']
const FINALIZED = [...OPEN, 'manual_paid']

export function salesOf({ sales }: World): Sales {
  if (!sales) throw new Error('Nobody sells here.')
  return sales
}

/** Mostly one that was touched lately, so that several people meet on it. */
export function recent<Item>(items: readonly Item[], random: Random): Item | null {
  return items.length === 0 ? null : random.pick(random.chance(75) ? items.slice(-25) : items)
}

export function someInvoice(world: World, random: Random, likely: readonly string[]): Shown | null {
  const all = [...salesOf(world).invoices.values()]
  const fitting = all.filter(({ status }) => likely.includes(status))
  return recent(fitting.length > 0 && random.chance(92) ? fitting : all, random)
}

async function onInvoice(world: World, random: Random, likely: readonly string[], act: (target: Shown) => Promise<Answer>): Promise<void> {
  const target = someInvoice(world, random, likely)
  if (target) show(world, await act(target))
}

/** Remembers an invoice as it was answered, as the one touched last. */
export function show(world: World, shown: Answer | Shown): void {
  if ('headers' in shown) return shown.status === 200 ? show(world, (shown as Answer).data) : refuse(world, shown as Answer)
  const { invoices } = salesOf(world)
  invoices.delete(shown.id)
  invoices.set(shown.id, shown as Shown)
}

function keepInvoices(world: World, given: readonly { external_id: string }[], answer: Answer, shownIn: (answer: Answer) => Shown[]): void {
  const made = answer.status === 201
  for (const { external_id } of given) salesOf(world).tried.invoices.set(external_id, made ? 1 : 0)
  if (!made) return refuse(world, answer)
  for (const shown of shownIn(answer)) show(world, shown)
}

function keepPayments(world: World, reference: string, answer: Answer, paymentsIn: (answer: Answer) => Sales['payments']): void {
  const { tried, payments, invoices } = salesOf(world)
  const made = answer.status === 201 ? paymentsIn(answer) : []
  tried.payments.set(reference, made.length)
  if (answer.status !== 201) refuse(world, answer)
  payments.push(...made.map(({ id, invoice_id, amount }) => ({ id, invoice_id, amount })))
  for (const { invoice_id, amount } of made) {
    const paid = invoices.get(invoice_id)
    if (paid) show(world, { ...paid, balance_due: paid['balance_due'] - amount, status: paid['balance_due'] > amount ? 'partially_paid' : 'manual_paid' })
  }
}

function newReference(world: World): string {
  const { payments } = salesOf(world).tried
  const reference = `pay ${payments.size + 1}`
  payments.set(reference, null)
  return reference
}

/** Some of what was owed when it was shown last, at times all of it and at times too much. */
export function part({ balance_due, total }: Record<string, any>, random: Random): number {
  const owed = Math.max(1, balance_due ?? total ?? 1)
  return random.chance(30) ? owed : random.chance(5) ? owed + 1 : random.between(1, owed)
}

async function deposit(client: Client, world: World, random: Random): Promise<void> {
  const { banks, deposits } = salesOf(world)
  const answer = await client.post('/transactions', { ledger_id: random.pick(banks), amount: random.between(100, 60_000), datetime: dateIn(world, random), counterparty: 'Somebody' })
  if (answer.status !== 201) return refuse(world, answer)
  deposits.push({ id: answer.data.id, currency: answer.data.currency })
}

/** One of another pattern, or one that the sequence comes to later or has given already. */
function typedNumber(world: World, random: Random): string {
  const { invoices } = salesOf(world).tried
  return random.chance(60) ? `T-${random.between(1, 9_999)}` : `INV-${String(random.between(1, invoices.size + 10)).padStart(4, '0')}`
}

/** Without a word for the external id none is noted. */
function invoice(world: World, random: Random, word: string | null = 'sale') {
  const { customers, contracts, terms, tried } = salesOf(world)
  const customer = random.pick(customers)
  const external_id = `${word} ${tried.invoices.size + 1}`
  if (word) tried.invoices.set(external_id, null)
  const invoice_date = dateIn(world, random)
  const own = contracts.filter(({ customer_id }) => customer_id === customer.id)
  return {
    customer_id: customer.id,
    external_id,
    invoice_date,
    currency: customer.currency,
    tax_mode: random.weighted({ exclusive: 6, inclusive: 3, none: 1 }),
    line_items: Array.from({ length: random.between(1, 4) }, () => line(world, random, customer.currency)),
    contract_id: random.chance(25) ? recent(own, random)?.id ?? null : null,
    ...(random.chance(30) ? { payment_terms_id: random.pick(terms) } : {}),
    ...(random.chance(4) ? { invoice_number: typedNumber(world, random) } : {}),
  }
}

export function line(world: World, random: Random, currency: string) {
  const { items, variants, locations, tax_codes } = salesOf(world)
  const kind = random.weighted({ hand: 4, item: 3, goods: 4, free: 0.3 })
  const discount = random.weighted({ none: 8, percent: 2, amount: 1 })
  return {
    quantity: random.between(1, random.pick([1, 3, 9])),
    ...(kind === 'hand' && { description: 'Work', unit_price: random.between(1, random.pick([99, 9_999, 250_000])) }),
    ...(kind === 'free' && { description: 'Gift', unit_price: 0 }),
    ...(kind === 'item' && { catalog_item_id: random.pick(items) }),
    ...(kind === 'goods' && { variant_id: random.pick(variants), ...(random.chance(40) ? { location_id: random.pick(locations) } : {}), ...(currency === 'USD' ? {} : { unit_price: random.between(100, 3_000) }) }),
    ...(discount === 'percent' && { discount_percent: random.pick(['10', '33.3333', '2.5', '100']) }),
    ...(discount === 'amount' && { discount_amount: random.between(0, 50) }),
    ...(random.chance(50) && { tax_code_id: random.pick(tax_codes) }),
  }
}
