// The kinds themselves: their fields as data, the mapping that the names of columns suggest, and what a mapping must have.
import { CURRENCIES } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { Column, TableRow } from '../../foundation/sheets.ts'
import { KINDS as ITEM_KINDS } from '../../directory/catalog-items/contract.ts'
import { PRODUCT_TYPES } from '../../inventory/variants/contract.ts'
import { BILLING_METHODS } from '../../projects/projects/contract.ts'
import type { Field, ImportKindName, Kind, Mapping } from './contract.ts'

type Given = Partial<Field> & { also?: readonly string[] }

function field(name: string, label: string, example: string, given: Given = {}): Field {
  return { name, label, type: 'text', required: false, choices: [], description: '', example, path: name, also: [], ...given }
}

const needed: Given = { required: true }
const money = (name: string, label: string, example: string, given: Given = {}) => field(name, label, example, { type: 'money', ...given })
const choice = (name: string, label: string, choices: readonly string[], given: Given = {}) =>
  field(name, label, choices[0] ?? '', { type: 'choice', choices: [...choices], ...given })
const currency = (given: Given = {}) =>
  choice('currency', 'Currency', CURRENCIES, { description: 'Where it is empty, that of the options, else the one that the record would have anyway.',
    ...given })
const day = (name: string, label: string, example: string, also: readonly string[] = []) => field(name, label, example, { type: 'date', also })
const named = (name: string, label: string, reference: NonNullable<Field['reference']>, path: string, example: string, given: Given = {}) =>
  field(name, label, example, { type: 'reference', reference, path, ...given })

const taxCode = (path: string) => named('tax_code', 'Tax code', 'tax_code', path, '', { description: 'The code of a tax code.', also: ['tax'] })

const PART_WORDS = { line1: 'street', line2: 'address line 2', city: 'city', region: 'state or region', postal_code: 'postal code', country: 'country' }

function address(kind: 'billing' | 'shipping', also: (part: string) => string[]): Field[] {
  const parts = [
    ['line1', 'street', '1 Pier Road'], ['line2', 'address line 2', ''], ['city', 'city', 'Tampa'], ['region', 'state', 'FL'],
    ['postal_code', 'zip', '33602'], ['country', 'country', 'US'],
  ] as const
  return parts.map(([part, word, example]) => field(`${kind}_${part}`, `${kind === 'billing' ? 'Billing' : 'Shipping'} ${PART_WORDS[part]}`, example, {
    path: `${kind}_address.${part}`, also: [`${kind} ${word}`, ...also(word)], ...(part === 'country' && { description: 'Two letters, as in ISO 3166-1.' }),
  }))
}

const external = (what: string) => field('external_id', 'External id', 'crm-1', {
  description: `What another system calls the ${what}: by it a second import knows it again.`, also: ['id', `${what} id`, 'reference id', 'external reference'],
})

const customers: Kind = {
  kind: 'customers', title: 'Customers', group: 'customers', grouped: false, folded: false,
  key: ['external_id'], one_of: [], duplicates: ['skip', 'update', 'error'],
  description: 'One customer in each row.',
  fields: [
    external('customer'), field('name', 'Name', 'Harbor Books', { ...needed, also: ['customer', 'customer name', 'company', 'company name', 'display name',
      'client', 'client name'] }),
    field('email', 'Email', 'accounts@harborbooks.example', { also: ['e-mail', 'email address', 'mail'] }),
    field('phone', 'Phone', '+1 813 555 0100', { also: ['telephone', 'phone number', 'tel'] }),
    field('website', 'Website', 'https://harborbooks.example', { also: ['web', 'url'] }),
    field('tax_number', 'Tax number', '', { also: ['vat', 'vat number', 'tax id', 'ein', 'abn'] }),
    currency({ also: ['currency code'] }), money('credit_limit', 'Credit limit', '5000.00'),
    field('language', 'Language', 'en', { also: ['locale'] }), field('notes', 'Notes', '', { also: ['note', 'comment', 'comments', 'memo'] }),
    named('payment_terms', 'Payment terms', 'payment_term', 'payment_terms_id', '', { description: 'The name of payment terms.', also: ['terms'] }),
    taxCode('default_tax_code_id'),
    ...address('billing', (word) => [word, ...(word === 'street' ? ['address', 'address line 1', 'billing address'] : []),
      ...(word === 'zip' ? ['postal code', 'postcode', 'zip code'] : []),
      ...(word === 'state' ? ['region', 'province'] : [])]),
    ...address('shipping', (word) => (word === 'street' ? ['shipping address'] : [])),
  ],
}

const catalogItems: Kind = {
  kind: 'catalog_items', title: 'Services', group: 'catalog-items', grouped: false, folded: true,
  key: ['code'], one_of: [], duplicates: ['skip', 'update', 'error'],
  description: 'One service or fee in each row.',
  fields: [
    field('code', 'Code', 'CONSULT', { description: 'By it a second import knows the item again.', also: ['item code', 'sku', 'number', 'item number', 'id'] }),
    field('name', 'Name', 'Consulting', { ...needed, also: ['item', 'item name', 'service', 'service name', 'product/service', 'title'] }),
    field('description', 'Description', 'By the hour', { also: ['details', 'sales description'] }),
    choice('kind', 'Kind', ITEM_KINDS, { also: ['type'] }), field('unit', 'Unit', 'hour', { also: ['unit of measure', 'uom'] }),
    money('price', 'Price', '150.00', { path: 'prices.0.unit_price', also: ['unit price', 'sales price', 'rate', 'amount'] }),
    currency({ path: 'prices.0.currency', also: ['currency code'] }),
    named('income_ledger', 'Income ledger', 'ledger', 'income_ledger_id', '', { description: 'Its number or name.', also: ['income account', 'account',
      'sales account'] }),
    named('expense_ledger', 'Expense ledger', 'ledger', 'expense_ledger_id', '', { description: 'Its number or name.', also: ['expense account'] }),
    taxCode('tax_code_id'),
  ],
}

const products: Kind = {
  kind: 'products', title: 'Products', group: 'inventory', grouped: false, folded: true,
  key: ['sku', 'external_id'], one_of: ['sku', 'external_id'],
  duplicates: ['skip', 'update', 'error'],
  description: 'One product or variant in each row: another sku of a known external id is a variant of that product. Stock comes in through adjustments.',
  fields: [
    external('product'), field('sku', 'Sku', 'MUG-RED', { also: ['code', 'item code', 'product code', 'number'] }),
    field('name', 'Name', 'Coffee mug', { ...needed, also: ['product', 'product name', 'item', 'title'] }),
    field('variant_name', 'Variant name', 'Red', { also: ['variant'] }), choice('type', 'Type', PRODUCT_TYPES), field('unit', 'Unit', 'piece',
      { also: ['unit of measure', 'uom'] }),
    field('category', 'Category', 'Kitchen', { also: ['product category'] }), field('description', 'Description', ''), field('barcode', 'Barcode', '',
      { also: ['ean', 'upc', 'gtin'] }),
    money('price', 'Price', '12.90', { description: 'In the base currency.', also: ['sales price', 'unit price', 'retail price'] }),
    money('standard_cost', 'Standard cost', '4.00', { description: 'In the base currency.', also: ['cost', 'unit cost', 'purchase price'] }),
    field('weight_grams', 'Weight in grams', '350', { type: 'integer', also: ['weight'] }),
    named('income_ledger', 'Income ledger', 'ledger', 'income_ledger_id', '', { description: 'Its number or name.', also: ['income account'] }),
    named('cogs_ledger', 'Cost ledger', 'ledger', 'cogs_ledger_id', '', { description: 'Its number or name.', also: ['cogs account', 'expense account'] }),
    taxCode('tax_code_id'),
  ],
}

const projects: Kind = {
  kind: 'projects', title: 'Projects', group: 'projects', grouped: false, folded: true,
  key: ['code'], one_of: [], duplicates: ['skip', 'update', 'error'],
  description: 'One project in each row; its customer must be there already.',
  fields: [
    field('code', 'Code', 'KITCHEN', { ...needed, description: 'By it a second import knows the project again.', also: ['project code', 'job code', 'number',
      'id'] }),
    field('name', 'Name', 'New kitchen', { ...needed, also: ['project', 'project name', 'job', 'job name', 'title'] }),
    named('customer', 'Customer', 'customer_name', 'customer_id', 'Harbor Books', { description: 'Its exact name.', also: ['customer name', 'client'] }),
    named('customer_external_id', 'Customer external id', 'customer_external_id', 'customer_id', '', { also: ['customer id'] }),
    choice('billing_method', 'Billing method', BILLING_METHODS), day('start_date', 'Start date', '2026-03-01', ['start', 'begins']), day('end_date',
      'End date', '2026-06-30', ['end', 'due date', 'deadline']),
    money('default_rate', 'Rate per hour', '95.00', { also: ['rate', 'hourly rate'] }), money('budget_revenue', 'Budget of income', '25000.00',
      { path: 'budget.revenue', also: ['budget', 'budget revenue'] }),
    money('budget_cost', 'Budget of cost', '16000.00', { path: 'budget.cost' }),
  ],
}

const invoices: Kind = {
  kind: 'invoices', title: 'Invoices', group: 'invoices', grouped: true, folded: true,
  key: ['invoice_number', 'external_id'], one_of: ['customer',
    'customer_external_id'],
  duplicates: ['skip', 'error'],
  description: 'One line in each row; rows with the same invoice number are one invoice. '
    + 'They come in as drafts, which post nothing; their customers must be there already.',
  fields: [
    field('invoice_number', 'Invoice number', 'INV-1001', { also: ['invoice', 'number', 'invoice no', 'invoice #', 'doc number', 'num'] }),
    { ...external('invoice'), example: '', description: 'What another system calls the invoice; the invoice number unless said.' },
    named('customer', 'Customer', 'customer_name', 'customer_id', 'Harbor Books', { description: 'Its exact name.', also: ['customer name', 'client',
      'client name', 'bill to', 'name'] }),
    named('customer_external_id', 'Customer external id', 'customer_external_id', 'customer_id', '', { also: ['customer id'] }),
    day('invoice_date', 'Invoice date', '2026-03-02', ['date', 'issued', 'issue date']), day('due_date', 'Due date', '2026-04-01', ['due', 'due on']),
      currency({ also: ['currency code'] }),
    field('invoice_description', 'Description of the invoice', '', { path: 'description', also: ['subject'] }), field('purchase_order_number',
      'Purchase order number', '', { also: ['po', 'po number'] }),
    field('customer_message', 'Message to the customer', '', { also: ['message', 'memo'] }),
    field('line_description', 'Line description', 'Consulting', { path: 'line_items.*.description', also: ['item description', 'description', 'line item',
      'details'] }),
    field('quantity', 'Quantity', '2', { type: 'integer', path: 'line_items.*.quantity', also: ['qty', 'units'] }),
    money('unit_price', 'Unit price', '150.00', { path: 'line_items.*.unit_price', also: ['price', 'rate', 'unit amount', 'amount'] }),
    named('item_code', 'Service code', 'catalog_item', 'line_items.*.catalog_item_id', '', { description: 'The code of a service.', also: ['item',
      'item code', 'service'] }),
    named('sku', 'Sku', 'variant', 'line_items.*.variant_id', '', { description: 'The sku of a product.', also: ['product code', 'product'] }),
    taxCode('line_items.*.tax_code_id'),
    named('project_code', 'Project code', 'project', 'line_items.*.project_id', '', { also: ['project', 'job'] }),
  ],
}

export const KINDS: Record<ImportKindName, Kind> = { customers, catalog_items: catalogItems, products, projects, invoices }

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** By the names of columns: first those that say exactly what a field is called, then other names for it. Each field once. */
export function suggestedMapping(kind: Kind, columns: readonly string[]): Mapping {
  const mapping: Mapping = {}
  const taken = new Set<string>()
  const ways: ((one: Field) => readonly string[])[] = [({ name }) => [name], ({ label }) => [label], ({ also }) => also]
  for (const namesOf of ways) {
    for (const one of kind.fields) {
      if (taken.has(one.name)) continue
      const names = new Set(namesOf(one).map(plain))
      const column = columns.find((given) => !Object.hasOwn(mapping, given) && names.has(plain(given)))
      if (column === undefined) continue
      mapping[column] = one.name
      taken.add(one.name)
    }
  }
  return mapping
}

/** Refuses what cannot be carried out: an unknown column or field, a field twice, a needed one that is missing. */
export function requireMapping(kind: Kind, columns: readonly string[], mapping: Mapping): void {
  const fields = new Map(kind.fields.map((one) => [one.name, one]))
  const by = new Map<string, string>()
  for (const [column, name] of Object.entries(mapping)) {
    if (!columns.includes(column)) throw invalid(`The file has no column “${shown(column)}”.`)
    if (!fields.has(name)) throw invalid(`${kind.title} have no field “${shown(name)}”: use one of ${[...fields.keys()].join(', ')}.`)
    const other = by.get(name)
    if (other !== undefined) throw invalid(`The columns “${shown(other)}” and “${shown(column)}” are both mapped to ${name}: map one of them.`)
    by.set(name, column)
  }
  const missing = kind.fields.find(({ name, required }) => required && !by.has(name))
  if (missing) throw invalid(`No column is mapped to ${missing.name}, which every row needs.`)
  if (kind.one_of.length > 0 && !kind.one_of.some((name) => by.has(name))) throw invalid(`Map a column to ${kind.one_of.join(' or ')}: rows need one of them.`)
}

/** The column by which rows are known again; null where none is mapped. */
export function keyColumn(kind: Kind, mapping: Mapping): string | null {
  const columns = new Map(Object.entries(mapping).map(([column, name]) => [name, column]))
  const name = kind.key.find((one) => columns.has(one))
  return name === undefined ? null : columns.get(name) ?? null
}

export function templateOf(kind: Kind): { columns: Column[]; rows: TableRow[] } {
  const columns = kind.fields.map(({ name }): Column => ({ key: name, label: name, kind: 'text' }))
  return { columns, rows: [Object.fromEntries(kind.fields.map(({ name, example }) => [name, example]))] }
}

export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
