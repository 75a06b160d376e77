// The SQL of tax rates and their versions.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { date } from '../../foundation/shapes.ts'
import { TaxRate, TaxRateRow } from './contract.ts'

export const insertTaxRate = insertion('tax_rates', TaxRateRow)
export const updateTaxRate = updating('tax_rates', 'name', 'agency_id', 'recoverable_percent', 'archived')
export const deleteTaxRate = deletion('tax_rates')

const selected = `t.id, t.business_id, t.name, t.agency_id, trim_scale(t.recoverable_percent) as recoverable_percent, t.archived,
  (select jsonb_agg(jsonb_build_object('percent', trim_scale(v.percent)::text, 'valid_from', v.valid_from) order by v.valid_from)
   from tax_rate_versions v where v.business_id = t.business_id and v.rate_id = t.id) as versions,
  t.created_at, t.updated_at, t.version`
const byId = `select ${selected} from tax_rates t where t.business_id = :business_id and t.id = :id`

export const findTaxRate = statement(TaxRate, byId)
export const lockTaxRate = statement(TaxRate, `${byId} for update of t`)
export const taxRatesById = statement(TaxRate, `select ${selected} from tax_rates t where t.business_id = :business_id and t.id = any(:ids)`)

export const insertVersions = command(
  `insert into tax_rate_versions (business_id, rate_id, valid_from, percent)
   select :business_id, :id, valid_from, percent from unnest(:dates::date[], :percents::numeric[]) as given (valid_from, percent)`)
export const deleteVersions = command('delete from tax_rate_versions where business_id = :business_id and rate_id = :id')

export const taxRates = list({
  item: TaxRate,
  select: selected,
  from: 'tax_rates t',
  where: 't.business_id = :business_id',
  sorts: { name: { column: 't.name_key', type: 'text' }, created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: {
    agency_id: 't.agency_id = :agency_id',
    archived: `:archived in ('all', t.archived::text)`,
    q: 'position(lower(:q) in t.name_key) > 0',
  },
})

export const isTaxRateReferredTo = statement(
  Type.Object({ used: Type.Boolean() }),
  `select exists (select from tax_codes where business_id = :business_id and rate_id = :id)
     or exists (select from tax_group_components where business_id = :business_id and rate_id = :id) as used`,
)

/** The first date in these spans on which a line carries a code that has this rate, by itself or in a group. */
export const firstUse = statement(
  Type.Object({ date: date() }),
  `select l.date from tax_codes c
   join journal_lines l on l.business_id = c.business_id and l.tax_code_id = c.id
   join unnest(:from::date[], :before::date[]) as span (first, beyond) on l.date >= span.first and l.date < coalesce(span.beyond, 'infinity')
   where c.business_id = :business_id
     and (c.rate_id = :id or c.group_id in (select group_id from tax_group_components where business_id = :business_id and rate_id = :id))
   order by l.date limit 1`,
)
