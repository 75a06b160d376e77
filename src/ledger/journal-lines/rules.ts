// Entries as rows of a file, one per line, under names that the import knows.
import type { Column, TableRow } from '../../foundation/sheets.ts'
import type { Books } from '../books/contract.ts'
import type { Entry } from '../journal-drafts/contract.ts'

/** A column for each dimension of the business stands after those that every file has. */
export function columnsOf({ dimensions }: Books): Column[] {
  return [
    { key: 'entry_ref', label: 'Entry ref', kind: 'text' },
    { key: 'date', label: 'Date', kind: 'date' },
    { key: 'memo', label: 'Memo', kind: 'text' },
    { key: 'status', label: 'Status', kind: 'text' },
    { key: 'source_type', label: 'Source type', kind: 'text' },
    { key: 'position', label: 'Line', kind: 'integer' },
    { key: 'ledger', label: 'Ledger', kind: 'text' },
    { key: 'ledger_name', label: 'Ledger name', kind: 'text' },
    { key: 'debit', label: 'Debit', kind: 'money' },
    { key: 'credit', label: 'Credit', kind: 'money' },
    { key: 'currency', label: 'Currency', kind: 'text' },
    { key: 'base_amount', label: 'Base amount', kind: 'money' },
    { key: 'line_memo', label: 'Line memo', kind: 'text' },
    ...[...dimensions.dimensions.values()].map(({ key }): Column => ({ key: `dimension:${key}`, label: `Dimension:${key}`, kind: 'text' })),
    { key: 'customer_id', label: 'Customer id', kind: 'text' },
    { key: 'vendor_id', label: 'Vendor id', kind: 'text' },
    { key: 'project_id', label: 'Project id', kind: 'text' },
    { key: 'entry_id', label: 'Entry id', kind: 'text' },
  ]
}

export function rowsOf(entry: Entry, { ledgers, dimensions }: Books): TableRow[] {
  return entry.lines.map((line): TableRow => {
    const ledger = ledgers.get(line.ledger_id)
    const values = line.dimension_value_ids.flatMap((id) => {
      const value = dimensions.values.get(id)
      const dimension = value && dimensions.dimensions.get(value.dimension_id)
      return dimension ? [[`dimension:${dimension.key}`, value.code]] : []
    })
    return {
      entry_ref: String(entry.number ?? entry.id),
      date: entry.date,
      memo: entry.memo,
      status: entry.status,
      source_type: entry.source_type,
      position: line.position,
      ledger: ledger?.number ?? ledger?.name ?? line.ledger_id,
      ledger_name: ledger?.name ?? null,
      // One of the two stays empty, as people write it.
      debit: line.amount >= 0 ? line.debit : null,
      credit: line.amount < 0 ? line.credit : null,
      currency: line.currency,
      base_amount: line.base_amount,
      line_memo: line.memo,
      customer_id: line.customer_id,
      vendor_id: line.vendor_id,
      project_id: line.project_id,
      entry_id: entry.id,
      ...Object.fromEntries(values),
    }
  })
}
