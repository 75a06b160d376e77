// The journal as the rows of a file.
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { JournalReportEntry } from './contract.ts'

export const ENTRY_COLUMNS: Column[] = [
  { key: 'entry_number', label: 'Entry', kind: 'integer' },
  { key: 'date', label: 'Date', kind: 'date' },
  { key: 'memo', label: 'Memo', kind: 'text' },
  { key: 'source_type', label: 'Source', kind: 'text' },
  { key: 'source_id', label: 'Source id', kind: 'text' },
  { key: 'ledger_number', label: 'Ledger number', kind: 'text' },
  { key: 'ledger_name', label: 'Ledger', kind: 'text' },
  { key: 'debit', label: 'Debit', kind: 'money' },
  { key: 'credit', label: 'Credit', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'amount', label: 'Amount', kind: 'money' },
  { key: 'cash_basis', label: 'Cash basis only', kind: 'text' },
  { key: 'customer_id', label: 'Customer', kind: 'text' },
  { key: 'vendor_id', label: 'Vendor', kind: 'text' },
  { key: 'project_id', label: 'Project', kind: 'text' },
  { key: 'dimension_value_ids', label: 'Dimension values', kind: 'text' },
]

/** A row per line, each with what its entry says. */
export function entryRows({ number, date, memo, source_type, source_id, lines }: JournalReportEntry): TableRow[] {
  return lines.map(({ id: _id, ledger_id: _ledger, memo: own, cash_basis, dimension_value_ids, ...line }) => ({
    ...line,
    entry_number: number,
    date,
    memo: own ?? memo,
    source_type,
    source_id,
    cash_basis: cash_basis ? 'yes' : null,
    dimension_value_ids: dimension_value_ids.join(' '),
  }))
}
