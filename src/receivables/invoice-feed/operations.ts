// Reading the feed, page by page or as one file.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import { fileOfList } from '../../foundation/list-file.ts'
import type { Column } from '../../foundation/sheets.ts'
import * as store from './store.ts'

const COLUMNS: Column[] = [
  { key: 'id', label: 'id', kind: 'text' }, { key: 'number', label: 'number', kind: 'text' }, { key: 'status', label: 'status', kind: 'text' },
  { key: 'customer_id', label: 'customer_id', kind: 'text' }, { key: 'customer_name', label: 'customer_name', kind: 'text' }, { key: 'external_id', label: 'external_id', kind: 'text' },
  { key: 'currency', label: 'currency', kind: 'text' }, { key: 'invoice_date', label: 'invoice_date', kind: 'date' }, { key: 'due_date', label: 'due_date', kind: 'date' },
  { key: 'total', label: 'total', kind: 'money' }, { key: 'total_paid', label: 'total_paid', kind: 'money' }, { key: 'balance_due', label: 'balance_due', kind: 'money' },
  { key: 'created_at', label: 'created_at', kind: 'text' }, { key: 'updated_at', label: 'updated_at', kind: 'text' }, { key: 'deleted_at', label: 'deleted_at', kind: 'text' },
]

export function feedInvoices(tx: BusinessTx, { format, ...query }: PageQuery & { format?: 'json' | 'csv' }) {
  const asked = { descending: false, ...query }
  if (format !== 'csv') return tx.page(store.feed, asked)
  return fileOfList(tx, {
    title: 'Invoices', file_name: 'invoices', columns: COLUMNS, page: (by, paging) => by.page(store.feed, { ...asked, ...paging }), row: (item) => ({ ...item }),
  })
}
