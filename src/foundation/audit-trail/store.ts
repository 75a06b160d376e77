// The SQL of the audit trail: it is only read here, since every change writes it by itself.
import { Type } from 'typebox'
import { list } from '../database/list.ts'
import { columns, statement } from '../database/statement.ts'
import { integer, text } from '../shapes.ts'
import { AuditEntry } from './contract.ts'

const selected = columns(AuditEntry, 't').replace('t.prev_hash, t.hash', `encode(t.prev_hash, 'hex') as prev_hash, encode(t.hash, 'hex') as hash`)

export const auditTrail = list({
  item: AuditEntry,
  select: selected,
  from: 'audit_trail t',
  where: 't.business_id = :business_id',
  sorts: { seq: { column: 't.seq', type: 'bigint' } },
  filters: {
    resource_type: 't.resource_type = :resource_type',
    resource_id: 't.resource_id = :resource_id',
    actor_id: 't.actor_id = :actor_id',
    actor_kind: 't.actor_kind = :actor_kind',
    action: 't.action = any(:action)',
    from: 't.at >= :from::timestamptz',
    to: 't.at < :to::timestamptz',
    request_id: 't.request_id = :request_id',
  },
})

export const findEntry = statement(AuditEntry, `select ${selected} from audit_trail t where t.business_id = :business_id and t.id = :id`)

export const entriesBetween = statement(
  AuditEntry,
  `select ${selected} from audit_trail t where t.business_id = :business_id and t.seq between :from_seq and :to_seq order by t.seq limit :limit::int`,
)

export const findHash = statement(
  Type.Object({ hash: text(0, 64) }),
  `select encode(hash, 'hex') as hash from audit_trail where business_id = :business_id and seq = :seq`,
)

export const head = statement(
  Type.Object({ audit_seq: integer(0), audit_hash: text(0, 64) }),
  `select audit_seq, encode(audit_hash, 'hex') as audit_hash from business_heads where business_id = :business_id`,
)
