// The test door of the embedded bank: it reports the last days of an account.
import { endpoint } from '../../foundation/endpoint.ts'
import { date, id, integer, shape } from '../../foundation/shapes.ts'

export const SandboxStatement = shape('SandboxStatement', {
  ledger_id: id(),
  from: date(),
  to: date(),
  added: integer(0, undefined, { description: 'New transactions.' }),
  known: integer(0, undefined, { description: 'Transactions of these days that were there already.' }),
  categorized: integer(0, undefined, { description: 'New ones that counterparty defaults have categorized at once.' }),
})

export const MOST_DAYS = 366

export const readSandboxDays = endpoint({
  id: 'sandbox_bank_days', method: 'POST', path: '/sandbox/bank/{ledger_id}/days', scope: 'business', permission: 'transactions:write',
  summary: 'Let the embedded bank report the last days of an account',
  description: [
    'The days up to today, each with what might have happened on such an account: a day looks the same however often it is asked for, and comes in once.',
    'Only with the embedded bank and card processor, and for the owner of the business; with real ones this is a 404.',
  ].join(' '),
  params: shape('SandboxBankParams', { ledger_id: id() }),
  body: shape('SandboxDaysInput', { days: integer(1, MOST_DAYS) }),
  reply: SandboxStatement,
  refusals: ['The ledger is no bank account or card, or archived.'],
  example: { days: 3 },
})
