// The SQL of payment terms.
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { PaymentTerm } from './contract.ts'

constraintMeans('payment_terms_name', 'Other payment terms have this name: use them, or choose another name.')
constraintMeans('payment_terms_default', 'Other payment terms became the default meanwhile: read them again.')

export const insertTerms = command(
  `insert into payment_terms (${columns(PaymentTerm)})
   select ${columns(PaymentTerm)} from json_populate_recordset(null::payment_terms, :rows::json) where business_id = :business_id`)
export const updateTerm = updating(
  'payment_terms', 'name', 'kind', 'days', 'day', 'cutoff_day', 'discount_percent', 'discount_days', 'late_fee', 'is_default', 'archived')
export const deleteTerm = deletion('payment_terms')

/** A percent in its one writing, without zeros at its end. */
const selected = columns(PaymentTerm, 't').replace('t.discount_percent', 'trim_scale(t.discount_percent) as discount_percent')
const own = `select ${selected} from payment_terms t where t.business_id = :business_id`

export const findTerm = statement(PaymentTerm, `${own} and t.id = :id`)
export const lockTerm = statement(PaymentTerm, `${own} and t.id = :id for update`)
export const lockDefault = statement(PaymentTerm, `${own} and t.is_default for update`)
export const findDefault = statement(PaymentTerm, `${own} and t.is_default`)
export const termsByIds = statement(PaymentTerm, `${own} and t.id = any(:ids)`)

export const terms = list({
  item: PaymentTerm,
  select: selected,
  from: 'payment_terms t',
  where: 't.business_id = :business_id',
  sorts: { name: { column: 't.name_key', type: 'text' } },
  filters: {
    archived: `:archived in ('all', t.archived::text)`,
    search: 'position(lower(:search) in t.name_key) > 0',
  },
})
