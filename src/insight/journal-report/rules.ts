// The journal as the rows of a file.
import type { Column, TableRow } from '../../foundation/sheets.ts'
import { AMOUNT_COLUMNS } from '../general-ledger/rules.ts'
import type { JournalReportEntry } from './contract.ts'

export const ENTRY_COLUMNS: Column[] = [
  { key: 'entry_number', label: 'Entry', kind: 'integer' },
  { key: 'date', label: 'Date', kind: 'date' },
  { key: 'memo', label: 'Memo', kind: 'text' },
  { key: 'source_type', label: 'Source', kind: 'text' },
  { key: 'source_id', label: 'Source id', kind: 'text' },
  { key: 'ledger_number', label: 'Ledger number', kind: 'text' },
  { key: 'ledger_name', label: 'Ledger', kind: 'text' },
  ...AMOUNT_COLUMNS,
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
