// Businesses: the tenants of the service.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, date, email, id, integer, nullable, oneOf, optional, partial, shape, text, timestamp } from '../../foundation/shapes.ts'
import { ROLES } from '../permissions.ts'

export const businessParams = shape('BusinessParams', { business_id: id() })

export const BUSINESS_STATUSES = ['active', 'archived', 'pending_deletion'] as const
export const BASES = ['accrual', 'cash'] as const

const addressLine = optional(nullable(text(0, 200)))
export const Address = shape('Address', {
  line1: addressLine, line2: addressLine, city: addressLine, region: addressLine, postal_code: optional(nullable(text(0, 20))),
  country: optional(nullable(text(2, 2, { pattern: '^[A-Z]{2}$' }))),
})

const name = text(1, 200, { pattern: '\\S' })

/** What the people of a business say about it; the rest comes from the service. */
const profile = {
  legal_name: nullable(text(1, 200)),
  entity_type: oneOf(['sole_proprietor', 'partnership', 'llc', 'corporation', 'nonprofit', 'other']),
  industry: nullable(text(1, 100)),
  country: text(2, 2, { description: 'ISO 3166-1, two capital letters.' }),
  timezone: text(1, 64, { description: 'A name of the time zone database, such as America/New_York.' }),
  base_currency: oneOf(['USD', 'CAD', 'AUD', 'EUR', 'GBP']),
  fiscal_year_start_month: integer(1, 12),
  books_start_date: date({ description: 'The first day that the books cover.' }),
  default_basis: oneOf(BASES),
  address: nullable(Address),
  phone: nullable(text(1, 50)),
  email: nullable(email()),
  website: nullable(text(1, 300, { pattern: '^https?://\\S+$' })),
}

const tax_id = nullable(text(4, 30, { pattern: '^[0-9A-Za-z][0-9A-Za-z ./-]{2,28}[0-9A-Za-z]$', description: 'Kept encrypted.' }))
const logo_document_id = nullable(id())

const recorded = {
  id: id(),
  name: text(1, 200),
  ...profile,
  tax_id: nullable(text(1, 60, { description: 'Whole for accountants and above; for others only the last four characters can be read.' })),
  tax_id_last4: nullable(text(1, 4)),
  logo_document_id,
  plan_tier: oneOf(['grandfathered', 'trial', 'self_directed', 'managed']),
  trial_ends_at: nullable(timestamp()),
  access: oneOf(['full', 'read_only']),
  status: oneOf(BUSINESS_STATUSES),
  deletion_at: nullable(timestamp({ description: 'When the business goes with all its data, unless the deletion is canceled before.' })),
  is_sample: boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
  version: integer(1, 2147483647, { description: 'Counts the changes of this record; the ETag of the answer.' }),
}

/** A business as its history tells it. */
const BusinessRecord = shape('BusinessRecord', recorded)

export const Business = shape('Business', {
  ...recorded,
  role: oneOf(ROLES, { description: 'The caller\'s.' }),
  source: oneOf(['direct', 'firm'], { description: 'Whether the caller is in it directly or through a firm.' }),
  document_inbox_address: text(1, 320, { description: 'What is mailed to it becomes documents of the business, unless documents.inbox_enabled is off.' }),
})

export const BusinessInput = shape('BusinessInput', { name, ...partial('BusinessProfile', { ...profile, tax_id }).properties })
export const BusinessUpdate = partial('BusinessUpdate', { name, ...profile, tax_id, logo_document_id })

export const businessResource = resource({
  type: 'business', group: 'businesses', shape: BusinessRecord, table: null, label: 'name',
  events: [
    'business.created', 'business.updated', 'business.archived', 'business.restored', 'business.deletion_scheduled', 'business.deletion_canceled',
    'business.ownership_transferred',
  ],
})

export const listBusinesses = endpoint({
  id: 'list_businesses', method: 'GET', path: '/businesses', summary: 'List the businesses of the caller', scope: 'user', permission: 'businesses:read',
  description: 'Those the caller is an active member of, archived ones included; for a token, those it reaches.',
  query: listQuery(['created_at', 'name'], {
    status: optional(oneOf(BUSINESS_STATUSES)),
    role: optional(oneOf(ROLES)),
    firm_id: optional(id()),
    include_sample: optional(boolean({ default: false })),
    q: optional(text(1, 200, { description: 'Part of the name or the legal name.' })),
  }),
  reply: pageOf(Business),
})

export const createBusiness = endpoint({
  id: 'create_business', method: 'POST', path: '/businesses', summary: 'Create a business', scope: 'user', permission: 'businesses:write',
  description: [
    'The caller becomes its owner, and its trial of 30 days begins.',
    'What is not said is: entity_type other, country US, timezone UTC, base_currency USD, fiscal_year_start_month 1,',
    'books_start_date the first day of the running fiscal year, default_basis accrual.',
  ].join(' '),
  body: BusinessInput,
  reply: Business,
  example: { name: 'Harbor Coffee Roasters', entity_type: 'llc', timezone: 'America/New_York' },
})

export const getBusiness = endpoint({
  id: 'get_business', method: 'GET', path: '/businesses/{business_id}', summary: 'Get a business', scope: 'business', permission: 'businesses:read',
  params: businessParams,
  reply: Business,
})

export const updateBusiness = endpoint({
  id: 'update_business', method: 'PUT', path: '/businesses/{business_id}', summary: 'Update a business', scope: 'business', permission: 'businesses:write',
  params: businessParams,
  body: BusinessUpdate,
  reply: Business,
  refusals: [
    'The currency, after something was posted.',
    'The first month of the fiscal year, after a period was closed.',
    'The start of the books, after opening balances were posted.',
  ],
  example: { legal_name: 'Harbor Coffee Roasters LLC', industry: 'retail' },
})

export const deleteBusiness = endpoint({
  id: 'delete_business', method: 'DELETE', path: '/businesses/{business_id}', summary: 'Delete a business', scope: 'business', permission: 'businesses:write',
  description: 'For the owner. It becomes read-only and goes with all its data after 30 days, unless the deletion is canceled; a sample goes at once.',
  fresh: true, allow_read_only: true,
  params: businessParams,
  query: shape('DeleteBusinessQuery', { confirm_name: text(1, 200, { description: 'The name of the business, to be sure.' }) }),
  reply: Business,
  refusals: ['confirm_name is not the name of the business.', 'Its paid plan goes on: cancel it first.'],
})

const stateAction = {
  method: 'PUT', scope: 'business', permission: 'businesses:write', allow_read_only: true, params: businessParams, reply: Business,
} as const

export const archiveBusiness = endpoint({
  ...stateAction, id: 'archive_business', path: '/businesses/{business_id}/archive', summary: 'Archive a business',
  description: 'For owners and admins. An archived business can be read, not changed.',
  refusals: ['It is about to be deleted.'],
})

export const restoreBusiness = endpoint({
  ...stateAction, id: 'restore_business', path: '/businesses/{business_id}/restore', summary: 'Restore an archived business',
  description: 'For owners and admins. What fell due in the meantime is not made up for.',
  refusals: ['It is about to be deleted: cancel the deletion instead.'],
})

export const cancelDeletion = endpoint({
  ...stateAction, id: 'cancel_business_deletion', path: '/businesses/{business_id}/cancel-deletion', summary: 'Cancel the deletion of a business',
  description: 'For the owner. The business returns to the state it was in before.',
})
