// The books: chart of accounts, journal, periods, bank transactions and reports.
import { area } from '../area.ts'

export const books = area({
  title: 'Books',
  entries: [
    { path: '/reports', load: () => import('./reports.tsx'), name: 'Reports', menu: 'Reports' },
    { path: '/reports/explain', load: () => import('./explanation.tsx'), name: 'ExplanationPage' },
    { path: '/reports/general-ledger', load: () => import('./general-ledger.tsx'), name: 'GeneralLedgerPage' },
    { path: '/reports/$report', load: () => import('./statement.tsx'), name: 'StatementPage' },
    { path: '/journal', load: () => import('./journal.tsx'), name: 'Journal', menu: 'Journal' },
    { path: '/journal/new', load: () => import('./new-entry.tsx'), name: 'NewEntry' },
    { path: '/journal/$entry_id', load: () => import('./entry.tsx'), name: 'EntryPage' },
    { path: '/journal/$entry_id/edit', load: () => import('./edit-draft.tsx'), name: 'EditDraft' },
    { path: '/transactions', load: () => import('./transactions.tsx'), name: 'Transactions', menu: 'Bank transactions' },
    { path: '/transactions/inbox', load: () => import('./inbox.tsx'), name: 'Inbox' },
    { path: '/transactions/defaults', load: () => import('./counterparty-defaults.tsx'), name: 'CounterpartyDefaults' },
    { path: '/transactions/$transaction_id', load: () => import('./transaction.tsx'), name: 'TransactionPage' },
    { path: '/ledgers', load: () => import('./ledgers.tsx'), name: 'Ledgers', menu: 'Chart of accounts' },
    { path: '/periods', load: () => import('./periods.tsx'), name: 'Periods', menu: 'Periods' },
    { path: '/periods/$period_id', load: () => import('./period.tsx'), name: 'PeriodPage' },
  ],
})
