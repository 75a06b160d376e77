// The settings of a business, a section per room of the service. A room adds its section, or a key of one, here: the schema
// says what it may be and what it is while nobody has set it.
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, email, id, integer, list, nullable, oneOf, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { BASES, businessParams } from '../businesses/contract.ts'

export const SECTIONS = {
  accounting: {
    default_basis: oneOf(BASES, { default: 'accrual', description: 'The same as default_basis of the business.' }),
    approval_required: boolean({ default: false, description: 'Journal entries by hand are posted only once somebody else than their preparer has approved them.' }),
    approval_threshold: cents({ minimum: 0, default: 0, description: 'Integer cents in the base currency: entries whose total is below need no approval.' }),
  },
  tax: {
    default_sales_code_id: nullable(id({ default: null, description: 'The tax code of a line of a sale that has none.' })),
    default_purchase_code_id: nullable(id({ default: null, description: 'The tax code of a line of a purchase that has none.' })),
    prices_include_tax: boolean({ default: false, description: 'Prices of sales contain the tax unless a document says otherwise.' }),
  },
  sales: {
    invoice_footer: nullable(text(1, 2000, { default: null })),
    reply_to: nullable(email({ default: null, description: 'Where answers to mailed documents go.' })),
    reminder_days: list(integer(-365, 365), {
      maxItems: 10, default: [], description: 'Days after the due date (negative: before it) on which customers are reminded.',
    }),
    deposit_ledger_id: nullable(id({ default: null, description: 'Where payments go that name no transaction and no ledger; null: undeposited funds.' })),
    credit_policy: oneOf(['off', 'block'], { default: 'off', description: 'block: no invoice takes a customer above their credit limit.' }),
    auto_match_threshold: nullable(integer(50, 100, { default: null, description: 'Payment suggestions at least this sure are accepted by themselves; null: none.' })),
  },
  purchases: {
    duplicate_bill: oneOf(['warn', 'block'], { default: 'block' }),
  },
  inventory: {
    costing_method: oneOf(['fifo', 'weighted_average'], { default: 'fifo' }),
    allow_negative_stock: boolean({ default: false }),
    backdating_days: nullable(integer(0, 36_500, { default: null, description: 'How many days back stock may still be moved; null: any open period.' })),
    recost_limit: integer(1, 1_000_000, { default: 10_000, description: 'The most movements that one backdated movement may cost anew.' }),
  },
  banking: {
    auto_match: boolean({ default: true, description: 'Match bank transactions to documents by themselves where only one fits.' }),
    low_cash_threshold: cents({ default: 0, description: 'Integer cents in the base currency: a bank ledger below it raises a live alert.' }),
  },
  documents: {
    inbox_enabled: boolean({ default: true }),
    retention_years: integer(1, 100, { default: 7 }),
  },
  ai: {
    enabled: boolean({ default: true }),
    provider: oneOf(['rules', 'model'], { default: 'rules', description: 'rules: nothing leaves the service.' }),
    may_send_documents: boolean({ default: false }),
    monthly_runs: integer(0, 1_000_000, { default: 1000 }),
  },
  security: {
    require_two_factor: boolean({ default: false }),
    share_links_allowed: boolean({ default: true }),
    token_max_days: nullable(integer(1, 3650, { default: null, description: 'The longest life of a new API token.' })),
  },
} satisfies Record<string, TProperties>

export type SectionName = keyof typeof SECTIONS

type Sections = { [Name in SectionName]: Static<TObject<(typeof SECTIONS)[Name]>> }

/** For whoever walks over all of them. */
export const sections: Record<string, TProperties> = SECTIONS

const Settings = shape('BusinessSettings', {
  id: id({ description: 'That of the business.' }),
  ...mapValues(sections, (keys) => Type.Object(keys)),
  updated_at: timestamp(),
  version: integer(1),
})

export const BusinessSettings = Type.Unsafe<{ id: string; updated_at: string; version: number } & Sections>(Settings)

/** What is given of them: any section, any key. null puts a key back to its default. */
export type SettingsChanges = { [Name in SectionName]?: { [Key in keyof Sections[Name]]?: Sections[Name][Key] | null } | null }

const changes = partial(
  'BusinessSettingsUpdate',
  mapValues(sections, (keys) => nullable(Type.Object(mapValues(keys, (schema) => Type.Optional(nullable(schema)))))),
)

/** Inside an anyOf the body arrives as it was sent, so that a section nobody knows can be refused by its name. */
const SettingsUpdate = Type.Unsafe<SettingsChanges>({ anyOf: [changes] })

export const settingsResource = resource({
  type: 'business_settings', group: 'businesses', shape: Settings, table: null, label: 'id', events: ['business_settings.updated'],
})

export const getSettings = endpoint({
  id: 'get_business_settings', method: 'GET', path: '/businesses/{business_id}/settings', summary: 'Get the settings of a business',
  scope: 'business', permission: 'businesses:read',
  params: businessParams,
  reply: BusinessSettings,
})

export const updateSettings = endpoint({
  id: 'update_business_settings', method: 'PATCH', path: '/businesses/{business_id}/settings', summary: 'Change settings of a business',
  scope: 'business', permission: 'businesses:write',
  description: 'Merged key by key; null puts a key back to its default. The section security and the approval of entries need the permission members:manage.',
  params: businessParams,
  body: SettingsUpdate,
  reply: BusinessSettings,
  refusals: ['Two-factor sign-in is made a duty by somebody who does not use it.'],
  example: { sales: { invoice_footer: 'Thank you for your business.' }, purchases: { duplicate_bill: 'warn' } },
})

export function mapValues<Value, Result>(object: Readonly<Record<string, Value>>, map: (value: Value, key: string) => Result): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
}
