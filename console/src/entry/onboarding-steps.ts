// What the steps of the set-up are called, what they are good for, and which page does them.
import type { StepName } from './use-onboarding.ts'

type Words = { title: string; words: string; pages: string[]; button: string }

export const STEPS: Record<StepName, Words> = {
  profile: { title: 'What the business does', words: 'Name the industry. It chooses sensible ledgers and reports.', pages: [], button: '' },
  chart: {
    title: 'Chart of accounts', words: 'The ledgers that everything is booked on. Yours is filled already; change what does not fit.', pages: ['/ledgers'],
    button: 'Look at the chart',
  },
  fiscal_year: { title: 'Months of this year', words: 'Each month is a period that can be closed.', pages: ['/periods'], button: 'Look at the periods' },
  opening_balances: {
    title: 'Opening balances', words: 'What the business owned and owed on the day its books begin here.',
    pages: ['/opening-balances', '/settings/opening-balances', '/journal/new'], button: 'Write them',
  },
  bank: {
    title: 'Bank transactions', words: 'Bring in what happened on a bank account, then say what each was for.', pages: ['/transactions'],
    button: 'Bring them in',
  },
  import: {
    title: 'Customers and products from before', words: 'Bring over what you had elsewhere, then tick this off.', pages: ['/customers'],
    button: 'Go to customers',
  },
  tax: { title: 'Sales tax', words: 'The rates that you charge.', pages: ['/settings/tax', '/tax', '/tax/rates'], button: 'Make a rate' },
  payments: {
    title: 'Card payments', words: 'Let customers pay invoices by card.', pages: ['/settings/payments', '/settings/processor', '/processor'],
    button: 'Connect the processor',
  },
  team: {
    title: 'People who work with you', words: 'Invite a colleague, a bookkeeper or an advisor.', pages: ['/settings/members'], button: 'Invite somebody',
  },
  first_invoice: { title: 'First invoice', words: 'Write an invoice and finalize it.', pages: ['/invoices/new'], button: 'Write an invoice' },
  first_bill: {
    title: 'First bill', words: 'Book what a vendor billed you, then tick this off.', pages: ['/bills/new', '/bills', '/journal/new'], button: 'Book it',
  },
}
