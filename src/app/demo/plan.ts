// What a client of the demo is made of, as plain data: the calls that make it follow from this and nothing else.
import type { Currency } from '../../foundation/money.ts'
import type { LedgerInput } from '../../ledger/ledgers/contract.ts'

/** A line of an entry, with the number of its ledger; debit positive. */
export type Line = {
  ledger: string
  amount: number
  currency?: Currency
  base_amount?: number
  department?: string
  tax_code?: string
}

/** Why an entry is worth coming back to: to correct it, tag it, write a note on it, or have a template make it. */
export type Mark = 'rent' | 'entered_twice' | 'misdated' | 'unclear' | 'one_off' | 'large'

export type Entry = {
  date: string
  memo: string
  currency?: Currency
  is_adjusting?: true
  auto_reverse_on?: string
  lines: Line[]
  mark?: Mark
  /** An invoice or a payment posts it; nobody writes it by hand. */
  document?: true
}

export type Buyer = { name: string; terms: 'Net 7' | 'Net 15' | 'Net 30'; currency?: Currency; exempt?: true }

/** What is sold on account: a product or else a catalog item. Without a price it costs what was agreed. */
export type Item = { code: string; name: string; ledger: string; unit: string; price: number | null; product?: true; deferred?: true }

export type SaleLine = {
  item: string | null
  ledger: string
  quantity: number
  unit_price: number
  description?: string
  department?: string
  tax_code?: string
  /** What the tax code adds. */
  tax?: number
}

/** An invoice and what became of it. */
export type Sale = {
  external_id: string
  date: string
  buyer: string
  currency: Currency
  lines: SaleLine[]
  payments: { date: string; amount: number }[]
  written_off_on: string | null
  opening: boolean
  draft: boolean
}

/** An invoice that goes out again every month. */
export type Standing = { name: string; buyer: string; start_date: string; line: SaleLine }

export type NewLedger = LedgerInput & { number: string }

export type Rate = { from_currency: Currency; to_currency: Currency; date: string; rate: string }

export type TaxSetup = {
  agency: { name: string; country: string; region: string; filing_frequency: 'monthly' | 'quarterly'; due_day: number; registration_number: string }
  payable_ledger: string
  rates: { name: string; percent: string }[]
  group: string
  code: { code: string; name: string }
}

export type Departments = {
  key: string
  name: string
  values: { code: string; name: string }[]
  /** For costs that nobody has assigned. */
  overhead: string
}

export type Recurring = { name: string; memo: string; lines: Line[]; dates: string[] }

/** `entry` is the place of the entry that is put right. */
export type Correction = { kind: 'reverse'; entry: number; date: string; memo: string } | { kind: 'redate'; entry: number; date: string }

export type Task = { title: string; due_date: string; priority: 'low' | 'normal' | 'high'; assignee: 'advisor' | 'owner'; done: boolean; checklist: string[] }

export type Client = {
  name: string
  business: {
    name: string
    legal_name: string
    entity_type: 'llc' | 'corporation'
    industry: string
    timezone: string
    fiscal_year_start_month: number
    books_start_date: string
    tax_id: string
    phone: string
    email: string
    website: string
    address: { line1: string; city: string; region: string; postal_code: string; country: string }
  }
  owner: { name: string; email: string }
  plan_tier: 'grandfathered' | 'self_directed' | 'managed'
  ledgers: NewLedger[]
  tax: TaxSetup | null
  departments: Departments | null
  managerial_keys: { ledger: string; key: string; value: string }[]
  rates: Rate[]
  /** In the order of their dates; the first is the opening balance. */
  entries: Entry[]
  buyers: readonly Buyer[]
  items: readonly Item[]
  /** In the order of their dates, drafts last. */
  sales: Sale[]
  standing: Standing[]
  /** The rent of the second year: a template makes it, month by month up to this one, and goes on by itself. */
  rent: Recurring
  /** Not posted yet. */
  drafts: Entry[]
  corrections: Correction[]
  /** Month ends at which foreign balances are revalued. */
  revaluations: string[]
  tasks: Task[]
  notes: { entry: number; body: string }[]
  tags: { name: string; color: string; entries: number[] }[]
}

export type Practice = {
  advisor: { name: string; email: string }
  /** Two years: from the first day of the first month to the last day of the month before the date. */
  first_day: string
  last_day: string
  closed_through: string
  soft_closed_through: string
  clients: Client[]
}
