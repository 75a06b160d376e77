// The chart of accounts: what a ledger is, and what the service itself knows of some of them.
import type { Static } from 'typebox'
import { atomic, BulkResult, MOST_ITEMS } from '../../foundation/bulk.ts'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, cents, id, list, nullable, oneOf, optional, partial, record, shape, text } from '../../foundation/shapes.ts'

export const LEDGER_TYPES = ['asset', 'liability', 'equity', 'income', 'expense'] as const
export type LedgerType = (typeof LEDGER_TYPES)[number]

export const SUBTYPES = {
  asset: [
    'bank', 'cash', 'accounts_receivable', 'inventory', 'prepaid', 'intercompany', 'other_current_asset', 'fixed_asset', 'accumulated_depreciation',
    'intangible', 'other_asset',
  ],
  liability: [
    'accounts_payable', 'credit_card', 'line_of_credit', 'sales_tax', 'payroll_liability', 'deferred_revenue', 'intercompany', 'current_loan', 'long_term_loan',
    'other_current_liability', 'long_term_liability',
  ],
  equity: ['capital', 'distribution', 'retained_earnings', 'opening_balance', 'other_equity'],
  income: ['revenue', 'discount', 'other_income', 'disposal_gain_loss'],
  expense: ['cost_of_goods_sold', 'payroll', 'operating', 'bank_fees', 'depreciation', 'interest_expense', 'income_tax', 'other_expense'],
} as const satisfies Record<LedgerType, readonly string[]>

export type Subtype = (typeof SUBTYPES)[LedgerType][number]
export const ALL_SUBTYPES: readonly Subtype[] = [...new Set(Object.values(SUBTYPES).flat())]

export const CASH_FLOW_CLASSES = ['operating', 'investing', 'financing', 'cash', 'non_cash'] as const
export type CashFlowClass = (typeof CASH_FLOW_CLASSES)[number]

/** By its role the service finds a ledger whatever it is called; the type that each must have. */
export const ROLES = {
  accounts_receivable: 'asset',
  accounts_payable: 'liability',
  undeposited_funds: 'asset',
  sales: 'income',
  sales_tax_payable: 'liability',
  sales_tax_recoverable: 'asset',
  deferred_revenue: 'liability',
  cost_of_goods_sold: 'expense',
  inventory: 'asset',
  inventory_adjustment: 'expense',
  bad_debt: 'expense',
  realized_fx: 'income',
  unrealized_fx: 'income',
  retained_earnings: 'equity',
  opening_balance: 'equity',
  processor_clearing: 'asset',
  processor_fees: 'expense',
  uncategorized_income: 'income',
  uncategorized_expense: 'expense',
  accumulated_depreciation: 'asset',
  depreciation: 'expense',
  customer_deposits: 'liability',
  vendor_prepayments: 'asset',
  goods_received_not_invoiced: 'liability',
  purchase_discounts: 'expense',
  rounding: 'expense',
} as const satisfies Record<string, LedgerType>

export type LedgerRole = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as [LedgerRole, ...LedgerRole[]]

export const currency = oneOf(CURRENCIES)

export const fields = {
  number: nullable(text(1, 20, { pattern: '\\S', description: 'Unique in the business.' })),
  name: text(1, 120, { pattern: '\\S', description: 'Unique among the ledgers of one parent.' }),
  type: oneOf(LEDGER_TYPES),
  subtype: oneOf(ALL_SUBTYPES),
  currency,
  parent_id: nullable(id({ description: 'A ledger of the same type, at most 5 deep.' })),
  is_bank: boolean({ description: 'A bank account, cash box, credit card or line of credit; true for a new ledger of such a subtype unless said.' }),
  description: nullable(text(1, 500)),
  posting: boolean({ description: 'false: a heading, which takes no lines.' }),
  default_tax_code_id: nullable(id()),
  cash_flow_class: oneOf(CASH_FLOW_CLASSES, { description: 'Where the cash-flow statement shows it; follows from the subtype unless said.' }),
  bank_name: nullable(text(1, 120)),
  bank_account_last4: nullable(text(4, 4, { pattern: '^[0-9]{4}$' })),
}

/** A row of the table. */
export const LedgerRow = shape('LedgerRow', {
  ...record,
  ...fields,
  role: nullable(oneOf(ROLE_NAMES, { description: 'What the service uses it for.' })),
  archived: boolean(),
  merged_into_id: nullable(id({ description: 'Statements show it under this ledger.' })),
})
export type LedgerRow = Static<typeof LedgerRow>

export const ledgerResource = resource({
  type: 'ledger',
  group: 'ledgers',
  shape: LedgerRow,
  table: 'ledgers',
  label: 'name',
  events: [
    'ledger.created', 'ledger.updated', 'ledger.archived', 'ledger.restored', 'ledger.merged', 'ledger.unmerged', 'ledger.role_changed', 'ledger.deleted',
  ],
})

export const SIDES = ['debit', 'credit'] as const
export type Side = (typeof SIDES)[number]

const signs = [
  'Positive on the side of its type: debit for assets and expenses, credit for the others.',
  'What is merged into it is included, and counts here only.',
].join(' ')

export const Ledger = shape('Ledger', {
  ...LedgerRow.properties,
  normal_side: oneOf(SIDES, {
    description: 'Where it usually stands: the side of its type, or the other one for accumulated depreciation, distributions and discounts.',
  }),
  balance: cents({ description: `Integer cents of all lines in its own currency. ${signs}` }),
  base_balance: cents({ description: `Integer cents of all lines, whatever their currency, in the base currency. ${signs}` }),
})
export type Ledger = Static<typeof Ledger>

const { name, type, subtype } = fields
const optionalFields = partial('LedgerFields', fields).properties

export const LedgerInput = shape('LedgerInput', { ...optionalFields, name, type, subtype })
export const LedgerUpdate = partial('LedgerUpdate', fields)
export const LedgerBulkItem = shape('LedgerBulkItem', {
  id: optional(id({ description: 'The ledger to change; without it a new one is made, which needs name, type and subtype.' })),
  ...optionalFields,
})
export const LedgerBulk = shape('LedgerBulk', { items: list(LedgerBulkItem, { minItems: 1, maxItems: MOST_ITEMS }), atomic })

export type LedgerInput = Static<typeof LedgerInput>
export type LedgerUpdate = Static<typeof LedgerUpdate>
export type LedgerBulk = Static<typeof LedgerBulk>

export const ledgerFilters = {
  type: optional(oneOf(LEDGER_TYPES)),
  subtype: optional(oneOf(ALL_SUBTYPES)),
  is_bank: optional(boolean()),
  role: optional(oneOf(ROLE_NAMES)),
  parent_id: optional(id({ description: 'Only the ledgers right below this one.' })),
  archived: optional(oneOf(['false', 'true', 'all'], { default: 'false' })),
  q: optional(text(1, 120, { description: 'Part of the number or the name.' })),
}

const endpoint = endpointsOf('ledgers', 'business')
const params = shape('LedgerParams', { ledger_id: id() })

const shapeRefusals = [
  'The number, or the name among the ledgers of its parent, is taken.',
  'The parent is of another type, is archived, stands below the ledger itself, or the chart would be more than 5 deep.',
  'The subtype does not belong to the type, or is_bank to the subtype.',
  'An income or expense ledger is in another currency than the base currency.',
]

export const listLedgers = endpoint({
  id: 'list_ledgers', method: 'GET', path: '', summary: 'List ledgers',
  description: 'sort_by=balance goes by the balance in the base currency.',
  query: listQuery(['number', 'name', 'type', 'balance', 'created_at'], ledgerFilters),
  reply: pageOf(Ledger),
})

export const createLedger = endpoint({
  id: 'create_ledger', method: 'POST', path: '', summary: 'Create a ledger',
  body: LedgerInput,
  reply: Ledger,
  refusals: shapeRefusals,
  example: { number: '6205', name: 'Stationery', type: 'expense', subtype: 'operating' },
})

export const getLedger = endpoint({
  id: 'get_ledger', method: 'GET', path: '/{ledger_id}', summary: 'Get a ledger',
  live: true,
  params,
  reply: Ledger,
})

export const updateLedger = endpoint({
  id: 'update_ledger', method: 'PUT', path: '/{ledger_id}', summary: 'Update a ledger',
  description: 'cash_flow_class follows a new subtype, unless it is given or was chosen before.',
  params,
  body: LedgerUpdate,
  reply: Ledger,
  refusals: [
    ...shapeRefusals, 'type, currency, is_bank or posting, once the ledger has lines or is part of a merge.', 'type or posting of a ledger with a role.',
  ],
  example: { description: 'Paper, pens and the like' },
})

export const deleteLedger = endpoint({
  id: 'delete_ledger', method: 'DELETE', path: '/{ledger_id}', summary: 'Delete a ledger',
  description: 'Only where nothing points at it; otherwise archive it.',
  params,
  reply: Ledger,
  refusals: ['It has lines, a role, ledgers below it or merged into it, or another record refers to it.'],
})

export const archiveLedger = endpoint({
  id: 'archive_ledger', method: 'PUT', path: '/{ledger_id}/archive', summary: 'Archive a ledger',
  description: 'It takes no more lines. For income and expenses only the balance of the running fiscal year counts: earlier ones are in retained earnings.',
  params,
  reply: Ledger,
  refusals: ['It has a balance in any currency, a role, or an active ledger below it.'],
})

export const restoreLedger = endpoint({
  id: 'restore_ledger', method: 'PUT', path: '/{ledger_id}/restore', summary: 'Restore an archived ledger',
  params,
  reply: Ledger,
  refusals: ['It is merged into another one: unmerge it.', 'The ledger above it is archived.'],
})

export const mergeLedger = endpoint({
  id: 'merge_ledger', method: 'PUT', path: '/{ledger_id}/merge', summary: 'Merge a ledger into another',
  description: 'No line is rewritten: balances and statements show it under the other one, and it is archived. What was merged into it goes along.',
  params,
  body: shape('LedgerMerge', { into_id: id() }),
  reply: Ledger,
  refusals: [
    'Both are the same, or differ in type or currency.', 'One of them is archived, a heading, a bank account, or has a role.',
    'An active ledger stands below it.',
  ],
})

export const unmergeLedger = endpoint({
  id: 'unmerge_ledger', method: 'PUT', path: '/{ledger_id}/unmerge', summary: 'Undo the merge of a ledger',
  description: 'It is active again, with its own lines.',
  params,
  reply: Ledger,
  refusals: ['The ledger above it is archived.'],
})

export const bulkLedgers = endpoint({
  id: 'bulk_ledgers', method: 'POST', path: '/bulk', summary: 'Create and update ledgers',
  description: 'The rules hold for the chart as it is afterwards: ledgers may swap numbers in one call.',
  body: LedgerBulk,
  reply: BulkResult,
  refusals: ['An item breaks a rule, and atomic is true.'],
  example: { items: [{ number: '6206', name: 'Printing', type: 'expense', subtype: 'operating' }] },
})
