// The SQL of ledgers. Balances come from the months, never from lines, and count for the ledger that another one is merged into.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, selectionById } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { cents, id } from '../../foundation/shapes.ts'
import { currency, LedgerRow } from './contract.ts'

constraintMeans('ledgers_number', 'A ledger with this number exists already: choose another number.')
constraintMeans('ledgers_name', 'A ledger of this name exists at this place already: choose another name.')
constraintMeans('ledgers_role', 'Another ledger has this role already.')

const filters = {
  type: 't.type = :type',
  subtype: 't.subtype = :subtype',
  is_bank: 't.is_bank = :is_bank',
  role: 't.role = :role',
  parent_id: 't.parent_id = :parent_id',
  archived: 't.archived = :archived',
  q: `(strpos(t.name_key, lower(:q)) > 0 or strpos(lower(t.number), lower(:q)) > 0)`,
}

export const ledgers = list({
  item: LedgerRow,
  from: 'ledgers t',
  where: 't.business_id = :business_id',
  sorts: {
    number: { column: 't.number', type: 'text', nullable: true },
    name: { column: 't.name_key', type: 'text' },
    type: { column: 't.type', type: 'text' },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
  filters,
})

const months = 'ledger_months m join ledgers s on s.business_id = m.business_id and s.id = m.ledger_id'
const shown_id = 'coalesce(s.merged_into_id, s.id)'

/** In the order of balances in the base currency, which are worked out for all ledgers: there are some hundreds. */
export const ledgersByBalance = list({
  item: LedgerRow,
  from: `ledgers t left join (
    select ${shown_id} as ledger_id, sum(m.debit - m.credit) as base_amount from ${months}
    where m.business_id = :business_id group by 1) b on b.ledger_id = t.id`,
  where: 't.business_id = :business_id',
  sorts: { balance: { column: `(case when t.type in ('asset', 'expense') then 1 else -1 end) * coalesce(b.base_amount, 0)::bigint`, type: 'bigint' } },
  filters,
})

export const findLedger = selectionById('ledgers', LedgerRow)

const amounts = { amount: cents(), base_amount: cents() }

/** Debit positive: in the ledger's own currency, and of all lines in the base currency; those without lines are left out. */
export const balances = statement(
  Type.Object({ ledger_id: id(), ...amounts }),
  `select ${shown_id} as ledger_id, coalesce(sum(m.amount) filter (where m.currency = s.currency), 0)::bigint as amount,
     sum(m.debit - m.credit)::bigint as base_amount
   from ${months} where m.business_id = :business_id and ${shown_id} = any(:ids) group by 1`)

/** The whole chart; `used` says whether the ledger has lines. */
export const chart = statement(
  Type.Object({ ...LedgerRow.properties, used: Type.Boolean() }),
  `select ${columns(LedgerRow, 't')}, exists (select from ledger_months m where m.business_id = t.business_id and m.ledger_id = t.id) as used
   from ledgers t where t.business_id = :business_id order by t.number, t.name_key, t.id`)

/** What stands on these ledgers from a month on, per currency, where it is not zero. */
export const balancesSince = statement(
  Type.Object({ currency, ...amounts }),
  `select currency, sum(amount)::bigint as amount, sum(debit - credit)::bigint as base_amount from ledger_months
   where business_id = :business_id and ledger_id = any(:ids) and month >= :since::date
   group by currency having sum(amount) <> 0 or sum(debit - credit) <> 0 order by currency`)

const changing = Object.keys(LedgerRow.properties).filter((column) => !['id', 'business_id', 'created_at'].includes(column))
const rowsIn = (parameter: string) => `jsonb_populate_recordset(null::ledgers, :${parameter}::jsonb)`

/** New and changed ledgers in one statement, at the end of which the constraints are held: numbers may be swapped, and new ones may be parents. */
export const writeLedgers = command(
  `with made as (insert into ledgers (${columns(LedgerRow)}) select ${columns(LedgerRow)} from ${rowsIn('made')} where business_id = :business_id)
   update ledgers t set ${changing.map((column) => `${column} = r.${column}`).join(', ')} from ${rowsIn('changed')} r
   where t.business_id = :business_id and t.id = r.id`)

export const deleteLedger = deletion('ledgers')
export const deleteLedgers = command('delete from ledgers where business_id = :business_id and id = any(:ids)')
