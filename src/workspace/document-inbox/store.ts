// The SQL of inboxes.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, nullable, timestamp } from '../../foundation/shapes.ts'

export const businessById = statement(
  Type.Object({
    id: id(), timezone: Type.String(), base_currency: Type.String(), status: Type.String(), plan_tier: Type.String(), trial_ends_at: nullable(timestamp()),
    plan_ends_at: nullable(timestamp()),
  }),
  'select id, timezone, base_currency, status, plan_tier, trial_ends_at, plan_ends_at from businesses where id = :business')

export const countMail = statement(Count, 'select count(*) as count from document_mails where business_id = :business_id and message_hash = :message_hash')

export const insertMail = command(
  `insert into document_mails (business_id, message_hash, received_at) values (:business_id, :message_hash, :now)
   on conflict (business_id, message_hash) do nothing`)
