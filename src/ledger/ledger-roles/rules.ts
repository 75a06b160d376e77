// What each role is for, and which ledger can have it.
import { formatCents, type Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import { ROLES, type LedgerRole, type LedgerRow } from '../ledgers/contract.ts'
import { signOf } from '../ledgers/rules.ts'
import { isCashLedger, isControlLedger, nameOf } from '../posting/rules.ts'

export const NEEDED_BY: Readonly<Record<LedgerRole, readonly string[]>> = {
  accounts_receivable: ['invoices', 'credit-memos', 'customer-statements'],
  accounts_payable: ['bills', 'vendor-credits', 'expense-reports'],
  undeposited_funds: ['invoices', 'sales-receipts', 'bank-deposits'],
  sales: ['invoices', 'sales-receipts', 'catalog-items'],
  sales_tax_payable: ['tax', 'invoices', 'sales-receipts'],
  sales_tax_recoverable: ['tax', 'bills', 'expense-reports'],
  deferred_revenue: ['deferred-revenue', 'revenue-schedules'],
  cost_of_goods_sold: ['inventory', 'invoices', 'sales-receipts'],
  inventory: ['inventory', 'purchase-orders'],
  inventory_adjustment: ['inventory'],
  bad_debt: ['invoices'],
  realized_fx: ['invoices', 'bills', 'journal-entries'],
  unrealized_fx: ['fx-rates'],
  retained_earnings: ['reports', 'accounting-periods'],
  opening_balance: ['businesses'],
  processor_clearing: ['invoices', 'o2c-webhooks'],
  processor_fees: ['invoices', 'o2c-webhooks'],
  uncategorized_income: ['transactions'],
  uncategorized_expense: ['transactions'],
  accumulated_depreciation: ['fixed-assets'],
  depreciation: ['fixed-assets'],
  customer_deposits: ['credit-memos', 'orders', 'transactions'],
  vendor_prepayments: ['vendor-credits', 'transactions'],
  goods_received_not_invoiced: ['purchase-orders', 'inventory', 'bills'],
  purchase_discounts: ['bills'],
  rounding: ['invoices', 'bills', 'reports'],
}

type Balance = { currency: Currency; amount: number; base_amount: number }

/** What the ledger itself must be, whoever had the role before. */
export function requireFit(role: LedgerRole, ledger: LedgerRow, stands_for_others: boolean): void {
  const name = nameOf(ledger)
  if (ledger.type !== ROLES[role]) throw invalid(`The role ${role} needs a ledger of the type ${ROLES[role]}; ${name} is of the type ${ledger.type}.`)
  if (ledger.archived) throw invalid(`${name} is archived: restore it first.`)
  if (!ledger.posting) throw invalid(`${name} is a heading and takes no lines: choose another ledger.`)
  if (ledger.role) throw invalid(`${name} has the role ${ledger.role} already: a ledger has one role.`)
  if (stands_for_others) throw invalid(`Other ledgers are merged into ${name}: unmerge them, or choose another ledger.`)
  if (ledger.is_bank && !isCash(role)) throw invalid(`${name} is a bank account and cannot have the role ${role}.`)
}

/** The documents behind a role and its ledger agree to the cent: neither side may bring anything that the other does not know. */
export function requireNothingOpen(role: LedgerRole, ledger: LedgerRow, [balance]: readonly Balance[], open_items: number, base_currency: Currency): void {
  if (!isControlLedger({ role }) && !isCash(role)) return
  const name = nameOf(ledger)
  if (open_items > 0) throw invalid(`${name} has ${open_items} open item${open_items === 1 ? '' : 's'}: the role ${role} can move once they are settled.`)
  if (!balance) return
  const [amount, currency] = balance.amount === 0 ? [balance.base_amount, base_currency] : [balance.amount, balance.currency]
  throw invalid(`${name} has a balance of ${formatCents(amount * signOf(ledger.type), currency)} ${currency}: the role ${role} can move once it is zero.`)
}

/** Ledgers of money take lines in their own currency only. */
export function requireOwnCurrency(role: LedgerRole, ledger: LedgerRow, currencies: readonly string[]): void {
  const foreign = isCash(role) ? currencies.find((currency) => currency !== ledger.currency) : undefined
  if (foreign) throw invalid(`${nameOf(ledger)} has lines in ${foreign}: the role ${role} needs a ledger with lines in ${ledger.currency} only.`)
}

function isCash(role: LedgerRole): boolean {
  return isCashLedger({ role, is_bank: false })
}
