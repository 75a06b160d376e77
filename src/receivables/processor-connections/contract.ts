// The connection of a business with the card processor: its account there, and how its money is booked.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

export const CONNECTION_STATUSES = ['pending', 'active', 'restricted', 'disconnected'] as const
export const FEE_RECOGNITIONS = ['payout', 'charge'] as const
export const METHODS = ['card'] as const

const settings = {
  bank_ledger_id: nullable(id({ description: 'The bank account that payouts arrive on; null takes the first one of the chart.' })),
  fee_recognition: oneOf(FEE_RECOGNITIONS, { description: 'When fees are booked: with the payout, or with each charge. Payouts made by hand need charge.' }),
  sync_invoices: boolean({ description: 'Finalized invoices are also shown at the processor.' }),
  methods: list(oneOf(METHODS), { maxItems: 5, description: 'How customers may pay.' }),
}

const account = {
  account_id: text(1, 200, { description: 'The account at the processor.' }),
  livemode: boolean({ description: 'Whether real money moves.' }),
  charges_enabled: boolean(),
  payouts_enabled: boolean(),
  requirements: list(Type.String(), { description: 'What the processor still wants to know, in its own words.' }),
  payout_mode: oneOf(['automatic', 'manual'], { description: 'Who makes payouts: the processor by its schedule, or a person.' }),
}

/** A connection as it is kept. */
export const ConnectionRow = Type.Object({
  ...record,
  status: oneOf(CONNECTION_STATUSES),
  ...account,
  ...settings,
  connected_at: nullable(timestamp()),
  disconnected_at: nullable(timestamp()),
})
export type ConnectionRow = Static<typeof ConnectionRow>

export const ProcessorConnection = shape('ProcessorConnection', {
  processor: oneOf(['stripe', 'sandbox']),
  status: oneOf(['none', ...CONNECTION_STATUSES], { description: 'none: never connected.' }),
  id: nullable(id()),
  ...account,
  account_id: nullable(account.account_id),
  ...settings,
  clearing_ledger_id: nullable(id({ description: 'Has the role processor_clearing: what the processor holds.' })),
  fee_ledger_id: nullable(id({ description: 'Has the role processor_fees.' })),
  onboarding_url: nullable(Type.String({ description: 'Where the business tells the processor about itself; only where it was just asked for.' })),
  connected_at: nullable(timestamp()),
  disconnected_at: nullable(timestamp()),
  created_at: nullable(timestamp()),
  updated_at: nullable(timestamp()),
  version: integer(0, 2147483647, { description: 'Counts the changes; the ETag of the answer. 0: never connected.' }),
})
export type ProcessorConnection = Static<typeof ProcessorConnection>

const url = text(1, 2000, { pattern: '^https?://[^\\s]+$', description: 'An absolute http(s) URL.' })

export const ConnectInput = shape('ProcessorConnectInput', { return_url: url, refresh_url: url })
export type ConnectInput = Static<typeof ConnectInput>
export const RefreshInput = partial('ProcessorRefreshInput', { return_url: url, refresh_url: url })
export const ConnectionUpdate = partial('ProcessorConnectionUpdate', settings)
export type ConnectionUpdate = Static<typeof ConnectionUpdate>

export const connectionResource = resource({
  type: 'processor_connection', group: 'processor', shape: ConnectionRow, table: null, label: 'account_id',
  events: ['processor.connected', 'processor.updated', 'processor.disconnected'],
})

const path = '/processor/connection'

export const getConnection = endpoint({
  id: 'get_processor_connection', method: 'GET', path, summary: 'Get the connection with the card processor', scope: 'business',
  permission: 'processor:read', live: true,
  reply: ProcessorConnection,
})

export const connectProcessor = endpoint({
  id: 'connect_processor', method: 'POST', path, summary: 'Connect the business with the card processor', scope: 'business', permission: 'processor:write',
  description: 'Makes an account at the processor, or goes on with the one there is, and answers the address of the page on which the processor '
    + 'asks what it needs to know. A dry run calls nobody: its onboarding_url is null.',
  body: ConnectInput,
  reply: ProcessorConnection,
  refusals: ['The connection is active already.', 'The processor refuses.'],
  example: { return_url: 'https://example.com/done', refresh_url: 'https://example.com/again' },
})

export const updateConnection = endpoint({
  id: 'update_processor_connection', method: 'PUT', path, summary: 'Change how the processor’s money is booked', scope: 'business',
  permission: 'processor:write',
  body: ConnectionUpdate,
  reply: ProcessorConnection,
  refusals: [
    'The ledger is not a bank account, is archived or has another currency.', 'Payouts are made by hand, so fees are booked with each charge.',
    'The way fees are booked cannot change while the processor holds money.',
  ],
})

export const disconnectProcessor = endpoint({
  id: 'disconnect_processor', method: 'DELETE', path, summary: 'Stop taking payments through the card processor', scope: 'business',
  permission: 'processor:write',
  description: 'The account at the processor stays; its later payouts and refunds are still booked.',
  query: shape('DisconnectProcessorQuery', {
    force: optional(boolean({ default: false, description: 'Also with money at the processor or an open checkout, which then expires.' })),
  }),
  reply: ProcessorConnection,
  refusals: ['The processor still holds money, or a customer is about to pay; with force it is done all the same.'],
})

export const refreshConnection = endpoint({
  id: 'refresh_processor_connection', method: 'POST', path: `${path}/refresh`, summary: 'Read the account at the processor again', scope: 'business',
  permission: 'processor:write',
  description: 'With both addresses, and where the processor still wants something, also a fresh onboarding_url.',
  body: RefreshInput,
  reply: ProcessorConnection,
  refusals: ['The business was never connected, or was disconnected.'],
})
