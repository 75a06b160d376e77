// The SQL of billing.
import { Type } from 'typebox'
import { changing, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, integer, timestamp } from '../../foundation/shapes.ts'
import { billing_interval, target_plan } from '../billing-plans/contract.ts'
import { AccountRow } from './contract.ts'

const names = Object.keys(AccountRow.properties)

/** Made by whoever comes first. */
export const insertAccount = command(
  `insert into billing_accounts (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')}) on conflict do nothing`)
export const updateAccount = updating('billing_accounts', ...changing(AccountRow, 'updated_at', 'version'))
const selected = `select ${columns(AccountRow)} from billing_accounts where business_id = :business_id`
export const findAccount = statement(AccountRow, selected)
export const lockAccount = statement(AccountRow, `${selected} for update`)

/** Which business a customer of the processor stands for. */
export const insertCustomer = command('insert into billing_customers (customer_id, business_id) values (:customer_id, :business_id) on conflict do nothing')

export const openSession = statement(
  Type.Object({ session_id: Type.String(), target_plan, billing_interval, checkout_url: Type.String(), expires_at: timestamp() }),
  `select session_id, target_plan, billing_interval, checkout_url, expires_at from billing_sessions
   where business_id = :business_id and status = 'open' and expires_at > :now::timestamptz`)

export const usage = statement(
  Type.Object({ members: integer(0), api_tokens: integer(0) }),
  `select (select count(*) from memberships where business_id = :business_id and status = 'active') as members,
     (select count(*) from api_tokens t where t.revoked_at is null and (t.expires_at is null or t.expires_at > :now::timestamptz)
        and exists (select from memberships m where m.business_id = :business_id and m.user_id = t.user_id and m.status = 'active')
        and (t.business_ids is null or :business_id = any(t.business_ids))) as api_tokens`)

export const businessesWithNews = statement(Type.Object({ id: id() }), 'select businesses_with_billing_news(:now::timestamptz) as id')
