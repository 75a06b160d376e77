// The audit trail: who changed what, when and through what, in an unbroken chain of hashes per business.
import { endpoint, listQuery, pageOf } from '../endpoint.ts'
import { anyObject, boolean, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../shapes.ts'

export const ACTOR_KINDS = ['user', 'token', 'grant', 'system', 'public_link'] as const

const hash = (description: string) => text(0, 64, { description })

export const AuditEntry = shape('AuditEntry', {
  id: id({ description: 'Also the id of the event that tells of the same change.' }),
  seq: integer(1, Number.MAX_SAFE_INTEGER, { description: 'Counts the entries of the business without a gap.' }),
  at: timestamp(),
  actor_kind: oneOf(ACTOR_KINDS),
  actor_id: nullable(id()),
  actor_name: text(0, 200),
  on_behalf_of: nullable(id({ description: 'The person behind a token or a grant.' })),
  action: text(1, 100),
  resource_type: text(1, 50),
  resource_id: id(),
  resource_label: nullable(text(0, 200)),
  before: nullable(anyObject({ description: 'The changed members as they were; null for a new record, and where the caller may not read the record.' })),
  after: nullable(anyObject({ description: 'The changed members as they became; null for a deleted record, and where the caller may not read the record.' })),
  reason: nullable(text(0, 1000)),
  request_id: text(1, 100),
  ip: nullable(text(1, 100)),
  prev_hash: hash('The hash of the entry before, in hexadecimal; empty for the first.'),
  hash: hash('SHA-256 over the bytes of prev_hash and the canonical JSON of the entry, in hexadecimal.'),
})

export const ChainReport = shape('ChainReport', {
  checked: integer(0, Number.MAX_SAFE_INTEGER, { description: 'How many entries were recomputed.' }),
  ok: boolean(),
  first_broken_seq: nullable(integer(1)),
  head_hash: hash('The hash at the head of the chain. Kept elsewhere, it proves later that nothing up to here was rewritten.'),
})

export const MOST_CHECKED = 100_000

export const listAuditTrail = endpoint({
  id: 'list_audit_trail', method: 'GET', path: '/audit-trail', summary: 'List the audit trail', scope: 'business', permission: 'audit-trail:read',
  description: 'Newest first. Entries about records that the caller may not read come without before and after.',
  query: listQuery(['seq'], {
    resource_type: optional(text(1, 50)),
    resource_id: optional(id()),
    actor_id: optional(id()),
    actor_kind: optional(oneOf(ACTOR_KINDS)),
    action: optional(list(text(1, 100), { maxItems: 100, description: 'One or more, such as invoice.finalized.' })),
    from: optional(timestamp({ description: 'Not before this moment.' })),
    to: optional(timestamp({ description: 'Before this moment.' })),
    request_id: optional(text(1, 100)),
  }),
  reply: pageOf(AuditEntry),
})

export const getAuditEntry = endpoint({
  id: 'get_audit_entry', method: 'GET', path: '/audit-trail/{entry_id}', summary: 'Get an entry of the audit trail',
  scope: 'business', permission: 'audit-trail:read',
  params: shape('AuditEntryParams', { entry_id: id() }),
  reply: AuditEntry,
})

export const listRecordHistory = endpoint({
  id: 'list_record_history', method: 'GET', path: '/audit-trail/resources/{resource_type}/{resource_id}', summary: 'List the history of one record',
  scope: 'business', permission: 'audit-trail:read',
  description: 'Also of a record that is archived or gone. A record without entries is a 404.',
  params: shape('RecordHistoryParams', { resource_type: text(1, 50), resource_id: id() }),
  query: listQuery(['seq']),
  reply: pageOf(AuditEntry),
})

export const verifyAuditTrail = endpoint({
  id: 'verify_audit_trail', method: 'GET', path: '/audit-trail/verify', summary: 'Recompute the chain of hashes',
  scope: 'business', permission: 'audit-trail:read',
  description: 'Recomputes every hash of the range from what is stored, and checks that no entry is missing. Without bounds: the whole chain and its head.',
  query: shape('VerifyQuery', { from_seq: optional(integer(1)), to_seq: optional(integer(1)) }),
  reply: ChainReport,
  refusals: [`The range holds more than ${MOST_CHECKED} entries.`, 'to_seq lies before from_seq or behind the head.'],
})
