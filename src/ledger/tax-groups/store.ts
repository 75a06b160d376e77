// The SQL of tax groups and their components.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, updating } from '../../foundation/database/rows.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { TaxGroup, TaxGroupRow } from './contract.ts'

export const insertTaxGroup = insertion('tax_groups', TaxGroupRow)
export const updateTaxGroup = updating('tax_groups', 'name', 'archived')
export const deleteTaxGroup = deletion('tax_groups')

const selected = `t.id, t.business_id, t.name, t.archived,
  (select jsonb_agg(jsonb_build_object('rate_id', c.rate_id, 'compound', c.compound) order by c.position)
   from tax_group_components c where c.business_id = t.business_id and c.group_id = t.id) as components,
  t.created_at, t.updated_at, t.version`
const byId = `select ${selected} from tax_groups t where t.business_id = :business_id and t.id = :id`

export const findTaxGroup = statement(TaxGroup, byId)
export const lockTaxGroup = statement(TaxGroup, `${byId} for update of t`)

export const insertComponents = command(
  `insert into tax_group_components (business_id, group_id, position, rate_id, compound)
   select :business_id, :id, position, rate_id, compound
   from unnest(:rate_ids::uuid[], :compounds::boolean[]) with ordinality as given (rate_id, compound, position)`)
export const deleteComponents = command('delete from tax_group_components where business_id = :business_id and group_id = :id')

export const taxGroups = list({
  item: TaxGroup,
  select: selected,
  from: 'tax_groups t',
  where: 't.business_id = :business_id',
  sorts: { name: { column: 't.name_key', type: 'text' }, created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: {
    agency_id: `t.id in (select c.group_id from tax_group_components c join tax_rates r on r.business_id = c.business_id and r.id = c.rate_id
      where c.business_id = :business_id and r.agency_id = :agency_id)`,
    archived: `:archived in ('all', t.archived::text)`,
    q: 'position(lower(:q) in t.name_key) > 0',
  },
})

/** used: a code has it. posted: a line of the journal carries such a code. */
export const useOfTaxGroup = statement(
  Type.Object({ used: Type.Boolean(), posted: Type.Boolean() }),
  `select exists (select from tax_codes where business_id = :business_id and group_id = :id) as used,
     exists (select from tax_codes c join journal_lines l on l.business_id = c.business_id and l.tax_code_id = c.id
             where c.business_id = :business_id and c.group_id = :id) as posted`,
)
