// The SQL of document links.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, integer, nullable, text, timestamp } from '../../foundation/shapes.ts'

export const insertLinks = command(
  `insert into document_links (token_hash, business_id, document_type, document_id, generation, created_at)
   select token_hash, :business_id, document_type, document_id, :generation::int, :now
   from unnest(:hashes::bytea[], :types::text[], :ids::uuid[]) as link (token_hash, document_type, document_id)
   on conflict (token_hash) do nothing`)

export const revokeLinks = command(
  `update document_links set revoked_at = :now
   where business_id = :business_id and document_type = :document_type and document_id = any(:ids) and revoked_at is null`)

export const latestGeneration = statement(
  Type.Object({ generation: integer(0) }),
  `select coalesce(max(generation), 0) as generation from document_links
   where business_id = :business_id and document_type = :document_type and document_id = :document_id`)

export const currentGenerations = statement(
  Type.Object({ document_id: id(), generation: integer(1) }),
  `select document_id, generation from document_links
   where business_id = :business_id and document_type = :document_type and document_id = any(:ids) and revoked_at is null`)

const OfBusiness = Type.Object({
  business_id: id(), timezone: Type.String(), base_currency: Type.String(), status: Type.String(), plan_tier: Type.String(), trial_ends_at: nullable(timestamp()),
  plan_ends_at: nullable(timestamp()),
})
const of_business = 'b.id as business_id, b.timezone, b.base_currency, b.status, b.plan_tier, b.trial_ends_at, b.plan_ends_at'

export const linkByToken = statement(
  Type.Object({ document_type: text(1, 50), document_id: id(), ...OfBusiness.properties }),
  `select l.document_type, l.document_id, ${of_business} from document_links l join businesses b on b.id = l.business_id
   where l.token_hash = :token_hash and l.revoked_at is null`)

export const businessOf = statement(OfBusiness, `select ${of_business} from businesses b where b.id = :business`)
