// Selling: invoices and what belongs to them.
import { area } from '../area.ts'

export const sales = area({
  title: 'Sales',
  entries: [
    { path: '/invoices', load: () => import('./invoices.tsx'), name: 'Invoices', menu: 'Invoices' },
    { path: '/invoices/new', load: () => import('./invoice-editor.tsx'), name: 'NewInvoice' },
    { path: '/invoices/$invoice_id', load: () => import('./invoice.tsx'), name: 'InvoicePage' },
    { path: '/invoices/$invoice_id/edit', load: () => import('./invoice-editor.tsx'), name: 'EditInvoice' },
    { path: '/credit-memos', load: () => import('./credit-memos.tsx'), name: 'CreditMemos', menu: 'Credit memos' },
    { path: '/credit-memos/$memo_id', load: () => import('./credit-memo.tsx'), name: 'CreditMemoPage' },
    { path: '/receivables', load: () => import('./receivables.tsx'), name: 'Receivables', menu: 'Receivables' },
  ],
})
