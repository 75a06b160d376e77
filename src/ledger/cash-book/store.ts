// The SQL of the cash book. Rows and claims are written many at a time, as JSON, so that one and a thousand take the same path.
import { constraintMeans } from '../../foundation/database/errors.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { Claim, TransactionRow, TransactionSummary } from './contract.ts'

constraintMeans('transactions_ledger', 'This ledger has transactions: it cannot be deleted and keeps its currency. Archive it instead.')
constraintMeans('transactions_external_id', 'This ledger has a transaction with this external id already.')
constraintMeans('transactions_claimed', 'Less is left of the transaction than is claimed: read it again and claim what is left.')
constraintMeans('transactions_excluded', 'The transaction is excluded, so nothing can be claimed of it: restore it first.')

const { status: _status, ...written } = TransactionRow.properties
const names = Object.keys(written)

export const insertRows = command(
  `insert into transactions (${names.join(', ')})
   select ${names.join(', ')} from json_populate_recordset(null::transactions, :rows::json) where business_id = :business_id`)

const changing = names.filter((name) => !['id', 'business_id', 'kind', 'source', 'claimed', 'categorized', 'created_at'].includes(name))

export const updateRow = command(
  `update transactions set ${changing.map((name) => `${name} = :${name}`).join(', ')} where business_id = :business_id and id = :id`)

export const renameRows = command(
  `update transactions t set counterparty = r.counterparty, updated_at = :now::timestamptz, version = t.version + 1
   from unnest(:ids::uuid[], :names::text[]) as r (id, counterparty) where t.business_id = :business_id and t.id = r.id`)

export const deleteRows = command('delete from transactions where business_id = :business_id and id = any(:ids)')

export const rowsByIds = statement(TransactionRow, `select ${columns(TransactionRow)} from transactions where business_id = :business_id and id = any(:ids)`)

/** One after another in the order of their ids, so that two who want the same rows never hold each other up for good. */
export const lockRows = statement(
  TransactionRow, `select ${columns(TransactionRow)} from transactions where business_id = :business_id and id = any(:ids) order by id for update`)

export const summariesByIds = statement(
  TransactionSummary, `select ${columns(TransactionSummary)} from transactions where business_id = :business_id and id = any(:ids)`)

export const rowsByExternalIds = statement(
  TransactionRow,
  `select ${columns(TransactionRow, 't')} from transactions t
   join unnest(:ledger_ids::uuid[], :external_ids::text[]) as wanted (ledger_id, external_id)
     on wanted.ledger_id = t.ledger_id and wanted.external_id = t.external_id
   where t.business_id = :business_id`)

export const claimsOfRows = statement(
  Claim, `select ${columns(Claim)} from transaction_claims where business_id = :business_id and transaction_id = any(:ids) order by transaction_id, id`)

export const claimsByIds = statement(Claim, `select ${columns(Claim)} from transaction_claims where business_id = :business_id and id = any(:ids)`)

/** Relative to what stands in the row, so that the constraint on it also stops a caller who has not locked it. */
export const insertClaims = command(
  `with given as (select * from json_to_recordset(:claims::json) as g (id uuid, transaction_id uuid, document_type text, document_id uuid, amount bigint)),
     made as (insert into transaction_claims (business_id, id, transaction_id, document_type, document_id, amount, created_at)
       select :business_id, id, transaction_id, document_type, document_id, amount, :now::timestamptz from given)
   update transactions t set claimed = t.claimed + g.amount, updated_at = :now::timestamptz, version = t.version + 1
   from (select transaction_id, sum(amount)::bigint as amount from given group by transaction_id) g
   where t.business_id = :business_id and t.id = g.transaction_id`)

/** Rows that are to be removed afterwards are left as they are. The amount of a book row moves along. */
export const deleteClaims = command(
  `with gone as (delete from transaction_claims where business_id = :business_id and id = any(:ids) returning transaction_id, amount)
   update transactions t set claimed = t.claimed - g.amount, amount = t.amount - case when t.kind = 'book' then sign(t.amount)::bigint * g.amount else 0 end,
     updated_at = :now::timestamptz, version = t.version + 1
   from (select transaction_id, sum(amount)::bigint as amount from gone group by transaction_id) g
   where t.business_id = :business_id and t.id = g.transaction_id and t.id <> all(:removed_ids)`)

export const changeClaims = command(
  `with given as (select * from json_to_recordset(:changes::json) as g (id uuid, amount bigint, difference bigint)),
     made as (update transaction_claims c set amount = g.amount from given g where c.business_id = :business_id and c.id = g.id
       returning c.transaction_id, g.difference)
   update transactions t set claimed = t.claimed + g.difference,
     amount = t.amount + case when t.kind = 'book' then sign(t.amount)::bigint * g.difference else 0 end,
     updated_at = :now::timestamptz, version = t.version + 1
   from (select transaction_id, sum(difference)::bigint as difference from made group by transaction_id) g
   where t.business_id = :business_id and t.id = g.transaction_id`)

/** A category takes all that documents leave of a row: its claim is made, or takes another amount. */
export const categorizeRows = command(
  `with given as (select * from json_to_recordset(:claims::json) as g (id uuid, transaction_id uuid, document_type text, document_id uuid, amount bigint)),
     made as (insert into transaction_claims (business_id, id, transaction_id, document_type, document_id, amount, created_at)
       select :business_id, id, transaction_id, document_type, document_id, amount, :now::timestamptz from given
       on conflict (business_id, id) do update set amount = excluded.amount)
   update transactions t set claimed = t.claimed - t.categorized + g.amount, categorized = g.amount, updated_at = :now::timestamptz, version = t.version + 1
   from given g where t.business_id = :business_id and t.id = g.transaction_id`)

export const uncategorizeRows = command(
  `with gone as (delete from transaction_claims where business_id = :business_id and id = any(:ids) returning transaction_id, amount)
   update transactions t set claimed = t.claimed - g.amount, categorized = 0, updated_at = :now::timestamptz, version = t.version + 1
   from gone g where t.business_id = :business_id and t.id = g.transaction_id`)
