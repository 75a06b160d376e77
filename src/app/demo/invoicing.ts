// Customers, what they buy, and their invoices: made through the public API like everything else, many at a time.
import type { Api, Page } from './api.ts'
import type { Buyer, Client, Item, Sale, SaleLine, Standing } from './plan.ts'

/** What the invoices name, by its name in the plan. */
export type Shop = {
  items: ReadonlyMap<string, { catalog_item_id: string } | { variant_id: string }>
  ledgers: ReadonlyMap<string, string>
  departments: ReadonlyMap<string, string>
  tax_codes: ReadonlyMap<string, string>
}

type Ids = ReadonlyMap<string, string>

/** Well below what a body may hold. */
export const INVOICES_A_CALL = 300

type Named = [code: string, names: { catalog_item_id: string } | { variant_id: string }]

export async function setUpShop(api: Api, business_id: string, client: Client, ledgers: Ids): Promise<Shop['items']> {
  // Money that comes in goes to the bank at once.
  const sales = { deposit_ledger_id: idOf(ledgers, '1000'), invoice_footer: 'Thank you for your business.' }
  const [services, goods] = await Promise.all([
    setUpServices(api, client.items.filter(({ product }) => !product), ledgers),
    setUpGoods(api, client.items.filter(({ product }) => product), ledgers),
    setUpCustomers(api, client),
    api.patch(`/businesses/${business_id}/settings`, { sales }, 'sales settings'),
  ])
  return new Map([...services, ...goods])
}

async function setUpCustomers(api: Api, client: Client): Promise<void> {
  const terms = await api.get<Page<{ id: string; name: string }>>('/payment-terms', { limit: 50 })
  const termOf = new Map(terms.items.map(({ id, name }) => [name, id]))
  await api.post('/customers/bulk', { customers: client.buyers.map((buyer, place) => customerOf(client, buyer, place, termOf)) }, 'customers')
}

async function setUpServices(api: Api, services: readonly Item[], ledgers: Ids): Promise<Named[]> {
  if (services.length === 0) return []
  const items = services.map(({ code, name, ledger, unit, price, deferred = false }) => ({
    code, name, unit, deferred, income_ledger_id: idOf(ledgers, ledger), ...(price !== null && { prices: [{ currency: 'USD', unit_price: price }] }),
  }))
  const { results } = await api.post<{ results: { id: string }[] }>('/catalog-items/bulk', { items }, 'catalog items')
  return results.map(({ id }, index): Named => [services[index]?.code ?? '', { catalog_item_id: id }])
}

async function setUpGoods(api: Api, goods: readonly Item[], ledgers: Ids): Promise<Named[]> {
  if (goods.length === 0) return []
  const items = goods.map(({ code, name, ledger, unit, price }) => ({
    sku: code, name, unit, type: 'non_stocked', price: price ?? 0, income_ledger_id: idOf(ledgers, ledger),
  }))
  await api.post('/inventory/products/bulk', { items }, 'products')
  const products = await api.get<Page<{ variants: { id: string; sku: string }[] }>>('/inventory/products', { limit: 100 })
  return products.items.flatMap(({ variants }) => variants.map(({ id, sku }): Named => [sku, { variant_id: id }]))
}

function customerOf(client: Client, { name, terms, currency = 'USD' }: Buyer, place: number, termOf: Ids) {
  const word = name.toLowerCase().normalize('NFD').replaceAll(/[^a-z ]/g, '').trim().replaceAll(/ +/g, '-')
  const { city, region, postal_code, country } = client.business.address
  const abroad = currency === 'CAD'
    ? { city: 'Montréal', region: 'QC', postal_code: 'H2Y 1C6', country: 'CA' }
    : { city: 'Salzburg', region: 'Salzburg', postal_code: '5020', country: 'AT' }
  return {
    external_id: `demo-${place + 1}`, name, currency, email: `accounts@${word}.example`, payment_terms_id: idOf(termOf, terms),
    billing_address: { line1: `${(place + 1) * 117} Commerce Street`, ...(currency === 'USD' ? { city, region, postal_code, country } : abroad) },
  }
}

/** The ids of the invoices, in their order, drafts among them. */
export async function issueInvoices(api: Api, shop: Shop, client: Client, sales: readonly Sale[], call: number): Promise<string[]> {
  const rows = sales.map(({ external_id, buyer, date, currency, lines, payments, opening, draft }) => ({
    external_id, customer_external_id: customerKey(client, buyer), invoice_date: date, currency, is_opening_balance: opening, finalize: !draft,
    line_items: lines.map((line) => lineOf(shop, line, opening)),
    payments: payments.map((payment) => ({ amount: payment.amount, paid_on: payment.date, method: METHODS[payment.amount % METHODS.length] })),
  }))
  const { results } = await api.post<{ results: { id: string }[] }>('/invoices/bulk', { rows }, `invoices ${call}`)
  return results.map(({ id }) => id)
}

const METHODS = ['ach', 'check', 'bank_transfer'] as const

function customerKey({ buyers }: Client, name: string): string {
  return `demo-${buyers.findIndex((buyer) => buyer.name === name) + 1}`
}

function lineOf({ items, ledgers, departments, tax_codes }: Shop, line: SaleLine, opening: boolean) {
  const { item, ledger, quantity, unit_price, description, department, tax_code } = line
  return {
    ...(item === null ? {} : items.get(item)),
    quantity,
    unit_price,
    ...(description !== undefined && { description }),
    ...(!opening && { ledger_id: idOf(ledgers, ledger) }),
    ...(department !== undefined && departments.size > 0 && { dimension_value_ids: [idOf(departments, department)] }),
    ...(tax_code !== undefined && { tax_code_id: idOf(tax_codes, tax_code) }),
  }
}

export async function giveUp(api: Api, sales: readonly Sale[], invoices: readonly string[]): Promise<void> {
  for (const [index, { external_id, written_off_on }] of sales.entries()) {
    if (written_off_on === null) continue
    const body = { uncollectible_on: written_off_on, reason: 'No answer to three reminders' }
    await api.put(`/invoices/${invoices[index]}/uncollectible`, body, `given up ${external_id}`)
  }
}

export async function repeatInvoices(api: Api, shop: Shop, client: Client, standing: readonly Standing[]): Promise<void> {
  if (standing.length === 0) return
  const customers = await api.get<Page<{ id: string; external_id: string | null }>>('/customers', { limit: 100 })
  const idOfKey = new Map(customers.items.map(({ id, external_id }) => [external_id ?? '', id]))
  await Promise.all(standing.map(({ name, buyer, start_date, line }) => {
    const template = { customer_id: idOf(idOfKey, customerKey(client, buyer)), line_items: [lineOf(shop, line, false)] }
    const body = { kind: 'invoice', name, frequency: 'monthly', start_date, days_until_due: 30, on_generate: 'draft', template }
    return api.post('/recurring', body, `standing ${name}`)
  }))
}

function idOf(ids: Ids, name: string): string {
  const found = ids.get(name)
  if (found === undefined) throw new Error(`The demo cannot go on: there is no ${name}.`)
  return found
}
