// The SQL of businesses.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { insertion } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { anyObject, id, nullable, timestamp } from '../../foundation/shapes.ts'
import { Business } from './contract.ts'

const { access: _access, document_inbox_address: _inbox, role, source, ...kept } = Business.properties

/** A row of the table: the tax id is sealed. */
export const BusinessRow = Type.Object({
  ...kept,
  tax_id: Type.Unsafe<Buffer | null>({ type: ['buffer', 'null'] }),
  status_before_deletion: nullable(kept.status),
  plan_ends_at: nullable(timestamp()),
  settings: anyObject(),
})

/** A row with what the caller is in it. */
export const CallersRow = Type.Object({ ...BusinessRow.properties, role, source })

const select = `${columns(BusinessRow, 't')}, m.role, m.source`
const from = `businesses t join memberships m on m.business_id = t.id and m.user_id = :actor_id and m.status = 'active'`

export const businesses = list({
  item: CallersRow,
  select,
  from,
  where: 'true',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, name: { column: 't.name', type: 'text' } },
  filters: {
    status: 't.status = :status',
    role: 'm.role = :role',
    firm_id: 'm.firm_id = :firm_id',
    include_sample: '(:include_sample::boolean or not t.is_sample)',
    q: `strpos(lower(concat_ws(' ', t.name, t.legal_name)), lower(:q)) > 0`,
    // A token may be limited to some businesses, and a grant always is.
    token_id: 'exists (select from api_tokens k where k.id = :token_id and (k.business_ids is null or t.id = any(k.business_ids)))',
    grant_id: 'exists (select from oauth_grants g where g.id = :grant_id and t.id = any(g.business_ids))',
  },
})

export const findBusiness = statement(CallersRow, `select ${select} from ${from} where t.id = :business_id`)
export const lockBusiness = statement(CallersRow, `select ${select} from ${from} where t.id = :business_id for update of t`)

export const insertBusiness = insertion('businesses', BusinessRow)

export const updateBusiness = command(
  `update businesses set name = :name, legal_name = :legal_name, entity_type = :entity_type, industry = :industry, tax_id = :tax_id,
     tax_id_last4 = :tax_id_last4, country = :country, timezone = :timezone, base_currency = :base_currency,
     fiscal_year_start_month = :fiscal_year_start_month, books_start_date = :books_start_date, default_basis = :default_basis, address = :address,
     phone = :phone, email = :email, website = :website, logo_document_id = :logo_document_id, settings = :settings,
     status = :status, status_before_deletion = :status_before_deletion, deletion_at = :deletion_at, updated_at = :updated_at, version = :version
   where id = :business_id`)

/** What billing says of the plan. */
export const Plan = Type.Object({ plan_tier: kept.plan_tier, trial_ends_at: kept.trial_ends_at, plan_ends_at: nullable(timestamp()) })
export const findPlan = statement(Plan, `select ${columns(Plan)} from businesses where id = :business_id`)
export const lockPlan = statement(Plan, `select ${columns(Plan)} from businesses where id = :business_id for update`)
export const updatePlan = command(
  `update businesses set plan_tier = :plan_tier, trial_ends_at = :trial_ends_at, plan_ends_at = :plan_ends_at, updated_at = :now, version = version + 1
   where id = :business_id`)
export const runningPlan = statement(Type.Object({ running: Type.Boolean() }), 'select has_running_plan(:business_id) as running')

export const insertOwner = command(
  `insert into memberships (business_id, user_id, role, status, source, created_at, updated_at, version)
   values (:business_id, :actor_id, 'owner', 'active', 'direct', :now, :now, 1)`)

export const insertHead = command('insert into business_heads (business_id) values (:business_id)')

export const dueBusinesses = statement(
  Type.Object({ id: id() }),
  `select id from businesses where deletion_at <= :now::timestamptz and status = 'pending_deletion' order by deletion_at`)

/** A sample goes without waiting, whatever its state; any other business stays as it is. */
export const endSample = command(
  `update businesses set status = 'pending_deletion', status_before_deletion = 'active', deletion_at = :now where id = :id and is_sample`)

export const endOldSamples = command(
  `update businesses set status = 'pending_deletion', status_before_deletion = 'active', deletion_at = :now
   where is_sample and status <> 'pending_deletion' and created_at <= :now::timestamptz - make_interval(days => :days::int)`)

export const removeBusiness = statement(Type.Object({ removed: Type.Boolean() }), 'select remove_business(:id, :now) as removed')
