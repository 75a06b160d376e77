// The default charts of accounts by industry, and laying one over the chart of a business.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { LedgerRow } from '../ledgers/contract.ts'
import { INDUSTRIES } from './rules.ts'

const { number, name, type, subtype, role, is_bank } = LedgerRow.properties
const TemplateLedger = shape('LedgerTemplateLedger', { number, name, type, subtype, role, is_bank })

export const LedgerTemplate = shape('LedgerTemplate', {
  key: oneOf(INDUSTRIES),
  name: Type.String(),
  description: Type.String(),
  ledgers: list(TemplateLedger),
})

export const TemplateApplication = shape('LedgerTemplateApplication', {
  template: oneOf(INDUSTRIES),
  preview: optional(boolean({ description: 'Only say what would be added.' })),
})
export type TemplateApplication = Static<typeof TemplateApplication>

export const TemplateResult = shape('LedgerTemplateResult', {
  template: oneOf(INDUSTRIES),
  preview: boolean(),
  present: integer(0, undefined, { description: 'How many ledgers of the template the business has already.' }),
  added: list(shape('AddedLedger', { ...TemplateLedger.properties, id: nullable(id({ description: 'null in a preview.' })) })),
})
export type TemplateResult = Static<typeof TemplateResult>

const endpoint = endpointsOf('ledgers', 'business')

export const listTemplates = endpoint({
  id: 'list_ledger_templates', method: 'GET', path: '/templates', summary: 'List the default charts by industry',
  description: 'A new business gets the one of its industry, general where it names none of these.',
  reply: list(LedgerTemplate),
})

export const applyTemplate = endpoint({
  id: 'apply_ledger_template', method: 'POST', path: '/apply-template', summary: 'Add the ledgers of a default chart',
  description: [
    'Adds what is missing and never changes or removes a ledger. One counts as present where its role is taken, its number stands for a ledger of',
    'the same type, or its name is in use.',
  ].join(' '),
  body: TemplateApplication,
  reply: TemplateResult,
  example: { template: 'restaurant' },
})
