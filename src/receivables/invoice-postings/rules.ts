// The journal entry that an invoice yields.
import { addCents } from '../../foundation/money.ts'
import type { Posting, PostingLine } from '../../ledger/posting/contract.ts'
import type { InvoiceRow } from '../invoices/contract.ts'
import { netOf } from '../sales-lines/rules.ts'
import type { SalesLine } from '../sales-lines/contract.ts'

/** The ledgers that an invoice posts to, beside those of its lines. */
export type Accounts = { receivable: string; opening_balance: () => string }

/** Debits the receivable, credits income line by line and tax by component. The line that payments settle is the first. */
export function finalizationPosting(invoice: InvoiceRow, lines: readonly SalesLine[], date: string, accounts: Accounts): Posting {
  const { customer_id, project_id, tax_mode, total, dimension_value_ids } = invoice
  const receivable: PostingLine = { ledger_id: accounts.receivable, amount: total, customer_id, project_id, dimension_value_ids }
  const credits = invoice.is_opening_balance
    ? [{ ledger_id: accounts.opening_balance(), amount: -total, customer_id }]
    : [...incomeLines(invoice, lines, tax_mode), ...taxLines(lines, customer_id)]
  return {
    date, source_type: 'invoice', source_id: invoice.id, area: 'receivables', currency: invoice.currency, rate: invoice.fx_rate, automatic: true,
    memo: memoOf(invoice.number), lines: [receivable, ...credits],
  }
}

export const memoOf = (number: string | null): string => `Invoice ${number ?? ''}`.trim()

/** Income by line, as an invoice posts it. */
export function incomeLines({ customer_id, project_id, dimension_value_ids }: Pick<InvoiceRow, 'customer_id' | 'project_id' | 'dimension_value_ids'>, lines: readonly SalesLine[], tax_mode: InvoiceRow['tax_mode']): PostingLine[] {
  return lines.flatMap((line): PostingLine[] => {
    const net = netOf(line, tax_mode)
    if (net === 0) return []
    return [{
      ledger_id: line.ledger_id ?? '',
      amount: -net,
      memo: line.description?.slice(0, 500) ?? null,
      customer_id,
      project_id: line.project_id ?? project_id,
      dimension_value_ids: line.dimension_value_ids.length > 0 ? line.dimension_value_ids : dimension_value_ids,
      tax_code_id: line.tax_code_id,
    }]
  })
}

/** One line for each rate of each code, however many lines of the document it was levied on. */
export function taxLines(lines: readonly SalesLine[], customer_id: string): PostingLine[] {
  const levied = lines.flatMap((line) => line.tax_components.map((component) => ({ ...component, tax_code_id: line.tax_code_id })))
  return [...Map.groupBy(levied, ({ rate_id, tax_code_id }) => `${tax_code_id} ${rate_id}`).values()].flatMap((same): PostingLine[] => {
    const [first] = same
    const amount = addCents(...same.map((component) => component.amount))
    return first && amount !== 0 ? [{ ledger_id: first.ledger_id, amount: -amount, memo: first.name.slice(0, 500), customer_id, tax_code_id: first.tax_code_id }] : []
  })
}
