// Everything that can be exported: the reports, the books as plain text, and the lists that the rooms below keep.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Download } from '../../foundation/endpoint.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import * as transactionContract from '../../banking/transactions/contract.ts'
import * as transactions from '../../banking/transactions/operations.ts'
import * as catalogContract from '../../directory/catalog-items/contract.ts'
import * as catalog from '../../directory/catalog-items/operations.ts'
import * as customerContract from '../../directory/customers/contract.ts'
import * as customers from '../../directory/customers/operations.ts'
import * as termContract from '../../directory/payment-terms/contract.ts'
import * as terms from '../../directory/payment-terms/operations.ts'
import * as recurringContract from '../../directory/recurring-templates/contract.ts'
import * as recurring from '../../directory/recurring-templates/operations.ts'
import * as adjustmentContract from '../../inventory/adjustments/contract.ts'
import * as adjustments from '../../inventory/adjustments/operations.ts'
import * as locationContract from '../../inventory/locations/contract.ts'
import * as locations from '../../inventory/locations/operations.ts'
import * as productContract from '../../inventory/products/contract.ts'
import * as products from '../../inventory/products/operations.ts'
import * as movementContract from '../../inventory/stock-movements/contract.ts'
import * as movements from '../../inventory/stock-movements/operations.ts'
import * as periodContract from '../../ledger/accounting-periods/contract.ts'
import * as periods from '../../ledger/accounting-periods/operations.ts'
import { EXPORT_FORMATS, exportBooks as booksEndpoint, type ExportFormat as BookFormat } from '../../ledger/book-export/contract.ts'
import { exportBooks } from '../../ledger/book-export/operations.ts'
import * as rateContract from '../../ledger/fx-rates/contract.ts'
import * as rates from '../../ledger/fx-rates/operations.ts'
import * as entryContract from '../../ledger/journal-entries/contract.ts'
import * as entries from '../../ledger/journal-entries/operations.ts'
import * as lineContract from '../../ledger/journal-lines/contract.ts'
import * as lines from '../../ledger/journal-lines/operations.ts'
import * as ledgerContract from '../../ledger/ledgers/contract.ts'
import * as ledgers from '../../ledger/ledgers/operations.ts'
import * as taxCodeContract from '../../ledger/tax-codes/contract.ts'
import * as taxCodes from '../../ledger/tax-codes/operations.ts'
import * as contractContract from '../../projects/contracts/contract.ts'
import * as contracts from '../../projects/contracts/operations.ts'
import * as projectContract from '../../projects/projects/contract.ts'
import * as projects from '../../projects/projects/operations.ts'
import * as memoContract from '../../receivables/credit-memos/contract.ts'
import * as memos from '../../receivables/credit-memos/operations.ts'
import * as invoiceContract from '../../receivables/invoices/contract.ts'
import * as invoices from '../../receivables/invoices/operations.ts'
import * as chargeContract from '../../receivables/processor-charges/contract.ts'
import * as charges from '../../receivables/processor-charges/operations.ts'
import * as documentContract from '../../workspace/documents/contract.ts'
import * as documents from '../../workspace/documents/operations.ts'
import * as noteContract from '../../workspace/notes/contract.ts'
import * as notes from '../../workspace/notes/operations.ts'
import * as tagContract from '../../workspace/tags/contract.ts'
import * as tags from '../../workspace/tags/operations.ts'
import * as todoContract from '../../workspace/todos/contract.ts'
import * as todos from '../../workspace/todos/operations.ts'
import type { ReportDefinition } from '../report-shape/contract.ts'
import type { ExportFormat, ExportKind, FileKind, ListEndpoint, ListNotes, ListOperation } from './contract.ts'
import { filtersOf, listKind } from './rules.ts'

export function allExportKinds(reports: readonly ReportDefinition[]): ExportKind[] {
  return [...reports.flatMap(reportKind), books, ...LISTS.map(([endpoint, operation, said]) => listKind(endpoint as unknown as ListEndpoint, operation, said))]
}

type Known = readonly [object, ListOperation, ListNotes]

const LISTS: readonly Known[] = [
  [customerContract.listCustomers, customers.listCustomers, {
    kind: 'customers', title: 'Customers', money: { base_currency: ['credit_limit', 'open_balance', 'overdue_balance', 'unapplied_credit', 'deposit_balance'] },
  }],
  [invoiceContract.listInvoices, invoices.listInvoices, {
    kind: 'invoices', title: 'Invoices', decimals: ['fx_rate'],
    money: {
      currency: ['subtotal', 'discount_total', 'tax_total', 'total', 'total_paid', 'total_credited', 'written_off', 'balance_due'],
      base_currency: ['base_total', 'base_balance'],
    },
  }],
  [invoiceContract.listInvoices, invoices.listInvoices, {
    kind: 'invoice_lines', title: 'Lines of invoices',
    each: {
      list: 'line_items', prefix: 'invoice_', facts: ['id', 'number', 'status', 'invoice_date', 'due_date', 'customer_id', 'customer_name', 'currency'],
      query: { include: ['line_items'], limit: 200 }, decimals: ['discount_percent'],
      money: { currency: ['unit_price', 'discount_amount', 'gross', 'discount', 'amount', 'tax_amount'] },
    },
  }],
  [memoContract.listMemos, memos.listMemos, {
    kind: 'credit_memos', title: 'Credit memos', decimals: ['fx_rate'],
    money: { currency: ['subtotal', 'tax_total', 'total', 'applied_total', 'refunded_total', 'remaining'], base_currency: ['base_total', 'base_remaining'] },
  }],
  [recurringContract.listTemplates, recurring.listTemplates, { kind: 'recurring', title: 'Recurring templates', money: { currency: ['amount'] } }],
  [catalogContract.listCatalogItems, catalog.listCatalogItems, {
    kind: 'catalog_items', title: 'Catalog items',
    more: {
      columns: CURRENCIES.map((currency) => ({ key: `price_${currency.toLowerCase()}`, label: `Price ${currency}`, kind: 'money' as const, currency: null })),
      cells: ({ prices }: catalogContract.CatalogItem) => (
        Object.fromEntries(prices.map(({ currency, unit_price }) => [`price_${currency.toLowerCase()}`, unit_price]))),
    },
  }],
  [termContract.listPaymentTerms, terms.listPaymentTerms, { kind: 'payment_terms', title: 'Payment terms', decimals: ['discount_percent'] }],
  [contractContract.listContracts, contracts.listContracts, {
    kind: 'contracts', title: 'Contracts', decimals: ['retention_percent'],
    money: {
      currency: ['original_value', 'change_total', 'value', 'billed_amount', 'credited_amount', 'paid_amount', 'retained_amount', 'unbilled_amount'],
    },
  }],
  [projectContract.listProjects, projects.listProjects, {
    kind: 'projects', title: 'Projects', decimals: ['percent_complete'],
    money: { base_currency: ['default_rate', 'budget_revenue', 'budget_cost', 'income', 'cost', 'margin'] },
  }],
  [productContract.listProducts, products.listProducts, { kind: 'products', title: 'Products', money: { base_currency: ['value'] } }],
  [productContract.listProducts, products.listProducts, {
    kind: 'product_variants', title: 'Variants of products',
    each: {
      list: 'variants', prefix: 'product_', facts: ['name', 'type', 'unit', 'category'], query: { limit: 200 },
      money: { base_currency: ['price', 'standard_cost', 'value'] }, leave_out: ['unit_cost'],
    },
  }],
  [locationContract.listLocations, locations.listLocations, { kind: 'locations', title: 'Locations', money: { base_currency: ['value'] } }],
  [adjustmentContract.listAdjustments, adjustments.listAdjustments, {
    kind: 'stock_adjustments', title: 'Stock adjustments', money: { base_currency: ['total_value'] },
  }],
  [movementContract.listMovements, movements.listMovements, { kind: 'stock_movements', title: 'Stock movements', money: { base_currency: ['value'] } }],
  [ledgerContract.listLedgers, ledgers.listLedgers, {
    kind: 'ledgers', title: 'Chart of accounts', money: { currency: ['balance'], base_currency: ['base_balance'] },
  }],
  [entryContract.listEntries, entries.listEntries, {
    kind: 'journal_entries', title: 'Journal entries', decimals: ['rate'], money: { base_currency: ['total'] },
  }],
  [lineContract.listLines, lines.listLines, {
    kind: 'journal_lines', title: 'Journal lines', decimals: ['rate'], money: { currency: ['amount'], base_currency: ['debit', 'credit', 'base_amount'] },
  }],
  [periodContract.listPeriods, periods.listPeriods, { kind: 'accounting_periods', title: 'Accounting periods' }],
  [taxCodeContract.listTaxCodes, taxCodes.listTaxCodes, { kind: 'tax_codes', title: 'Tax codes' }],
  [rateContract.listFxRates, rates.listFxRates, { kind: 'fx_rates', title: 'Exchange rates', decimals: ['rate'] }],
  [transactionContract.listTransactions, transactions.listTransactions, {
    kind: 'transactions', title: 'Bank transactions', leave_out: ['suggestion'], money: { currency: ['amount', 'allocated_amount', 'unallocated_amount'] },
  }],
  [chargeContract.listCharges, charges.listCharges, {
    kind: 'processor_charges', title: 'Card charges', money: { currency: ['amount', 'refunded'], settled_currency: ['settled_amount', 'fee'] },
  }],
  [todoContract.listTodos, todos.listTodos, { kind: 'todos', title: 'Tasks' }],
  [noteContract.listNotes, notes.listNotes, { kind: 'notes', title: 'Notes' }],
  [tagContract.listTags, tags.listTags, { kind: 'tags', title: 'Tags' }],
  [documentContract.listDocuments, documents.listDocuments, { kind: 'documents', title: 'Documents, without their files' }],
]

/** A report that can be a file; as JSON it is what the API answers, where that is not one page of many. */
function reportKind({ report, title, endpoint, run, file }: ReportDefinition): FileKind[] {
  const properties = (endpoint.query as { properties?: object }).properties ?? {}
  if (!('format' in properties)) return []
  const whole = !('cursor' in properties)
  return [{
    kind: report, title, permission: 'reports:read', formats: ['csv', 'xlsx', 'pdf', ...(whole ? ['json' as const] : [])], filters: filtersOf(endpoint.query),
    async file(tx: BusinessTx, filters: object, format: ExportFormat) {
      if (format === 'csv' || format === 'xlsx' || format === 'pdf') return file(tx, filters as never, format)
      return new Download('application/json', report, Buffer.from(`${JSON.stringify(await run(tx, filters as never))}\n`))
    },
  }]
}

const books: FileKind = {
  kind: 'books', title: 'The books as a plain-text journal', permission: 'books:read', formats: EXPORT_FORMATS, filters: filtersOf(booksEndpoint.query),
  file: (tx, filters, format) => exportBooks(tx, { ...filters, format: format as BookFormat }),
}
