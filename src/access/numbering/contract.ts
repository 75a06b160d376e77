// Numbering: how each kind of document of a business gets its number.
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { id, integer, list, nullable, oneOf, partial, record, shape, text } from '../../foundation/shapes.ts'
import { businessParams } from '../businesses/contract.ts'
import { RESETS } from './rules.ts'

/** Each kind with the prefix that a new business starts with. */
export const FIRST_PREFIXES = {
  invoice: 'INV-',
  credit_memo: 'CM-',
  estimate: 'EST-',
  sales_receipt: 'SR-',
  order: 'SO-',
  contract: 'CON-',
  bill: 'BILL-',
  vendor_credit: 'VC-',
  purchase_order: 'PO-',
  purchase_requisition: 'PR-',
  expense_report: 'EXP-',
  journal_entry: 'JE-',
  bank_deposit: 'DEP-',
  transfer: 'TR-',
  count: 'CNT-',
  adjustment: 'ADJ-',
  project: 'PRJ-',
} as const

export type NumberingKind = keyof typeof FIRST_PREFIXES

const kind = oneOf(Object.keys(FIRST_PREFIXES) as NumberingKind[])
const affix = text(0, 20, {
  pattern: '^[^{}\\u0000-\\u001f]*(?:\\{(?:YYYY|YY|MM)\\}[^{}\\u0000-\\u001f]*)*$',
  description: 'May hold {YYYY}, {YY} and {MM} of the document\'s date.',
})
const settable = {
  prefix: affix,
  suffix: affix,
  padding: integer(1, 10, { description: 'The least number of digits.' }),
  next_number: integer(1, 9_999_999_999, { description: 'What a document dated today would get.' }),
  reset: oneOf(RESETS, { description: 'When the numbers start again at 1, by the document\'s date.' }),
}

export const Numbering = shape('Numbering', {
  ...record,
  kind,
  ...settable,
  preview: text(1, 100, { description: 'The whole number that a document dated today would get.' }),
  last_assigned: nullable(text(1, 100)),
})

export const NumberingUpdate = partial('NumberingUpdate', settable)

export const numberingResource = resource({
  type: 'numbering', group: 'businesses', shape: Numbering, table: null, label: 'kind', events: ['numbering.updated'],
})

export const listNumbering = endpoint({
  id: 'list_numbering', method: 'GET', path: '/businesses/{business_id}/numbering', summary: 'List the numbering of every kind of document',
  scope: 'business', permission: 'businesses:read',
  params: businessParams,
  reply: list(Numbering),
})

export const updateNumbering = endpoint({
  id: 'update_numbering', method: 'PUT', path: '/businesses/{business_id}/numbering/{kind}', summary: 'Change the numbering of a kind of document',
  scope: 'business', permission: 'businesses:write',
  description: 'Counts for numbers drawn from now on. Without next_number the numbers go on where they stand.',
  params: shape('NumberingParams', { business_id: id(), kind }),
  body: NumberingUpdate,
  reply: Numbering,
  refusals: [
    'next_number is not above the highest number used with this prefix and suffix in the running reset window.',
    'The numbers start again every year or month, but prefix and suffix do not tell the years or months apart.',
  ],
  example: { prefix: 'INV-{YYYY}-', padding: 5, reset: 'yearly' },
})
