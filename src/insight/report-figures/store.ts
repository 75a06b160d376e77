// The SQL of the figures. Whole months come from balances by month and the days at their edges from balances by day; lines are
// read only where no balance is kept: days by party, two axes at once, what was recorded after a moment, adjusting entries.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id, integer, nullable } from '../../foundation/shapes.ts'

const sums = { ledger_id: id(), segment: integer(), debit: Type.String(), credit: Type.String() }

const side = (table: string, name: 'debit' | 'credit') => `${table}.${name} + case when :cash then ${table}.cash_${name} else 0 end as ${name}`
const amounts = (table: string) => `${side(table, 'debit')}, ${side(table, 'credit')}`

/** The plain case: every ledger, every segment, one statement, no line. */
export const balances = statement(
  Type.Object(sums),
  `select ledger_id, segment, sum(debit) as debit, sum(credit) as credit
   from (select m.ledger_id, width_bucket(m.month, :bounds::date[]) as segment, ${amounts('m')}
         from ledger_months m
         where m.business_id = :business_id and m.month between :first_date and :last_date and m.month <> all(:broken_months::date[])
         union all
         select d.ledger_id, width_bucket(d.date, :bounds::date[]) as segment, ${amounts('d')}
         from unnest(:day_starts::date[], :day_ends::date[]) as span (first_date, last_date)
         join ledger_days d on d.business_id = :business_id and d.date between span.first_date and span.last_date) as moved
   group by ledger_id, segment`)

const analysis = `
  select a.value_id as first_value, a.ledger_id, width_bucket(a.month, :bounds::date[]) as segment,
    sum(a.debit + case when :cash then a.cash_debit else 0 end) as debit, sum(a.credit + case when :cash then a.cash_credit else 0 end) as credit
  from analysis_months a
  where a.business_id = :business_id and a.axis = :axis and a.month between :first_date and :last_date and a.month <> all(:broken_months::date[])`

const ofValue = Type.Object({ first_value: id(), ...sums })

/** Whole months by the values of an axis: all of them, or these. */
export const analysisOfAll = statement(ofValue, `${analysis} group by 1, 2, 3`)
export const analysisOfSome = statement(ofValue, `${analysis} and a.value_id = any(:value_ids) group by 1, 2, 3`)

const value = (which: 'first' | 'second') => `case :${which}_split
    when 'customer' then l.customer_id when 'vendor' then l.vendor_id when 'project' then l.project_id
    when 'dimension' then (select carried from unnest(l.dimension_value_ids) as carried where carried = any(:${which}_ids::uuid[]) limit 1)
  end as ${which}_value`

/** One value of each dimension that is filtered by. */
const tags = `(:customer_id::uuid is null or l.customer_id = :customer_id) and (:vendor_id::uuid is null or l.vendor_id = :vendor_id)
    and (:project_id::uuid is null or l.project_id = :project_id)
    and (:dimension_count::int = 0 or l.dimension_value_ids && :dimension_value_ids::uuid[] and (:dimension_count = 1 or :dimension_count = (
      select count(distinct wanted.dimension) from unnest(:dimension_value_ids::uuid[], :dimension_numbers::int[]) as wanted (value_id, dimension)
      where wanted.value_id = any(l.dimension_value_ids))))`

/** Lines of the journal and, on the cash basis, what it counts otherwise: each reached by an index of its own. */
function lines({ journal, cash }: { journal: string; cash: string }) {
  const part = (from: string) => `select ${value('first')}, ${value('second')}, l.ledger_id, l.date, l.base_amount from ${from} and ${tags}`
  return statement(
    Type.Object({ first_value: nullable(id()), second_value: nullable(id()), ...sums }),
    `select first_value, second_value, ledger_id, width_bucket(date, :bounds::date[]) as segment,
       sum(greatest(base_amount, 0)) as debit, sum(greatest(-base_amount, 0)) as credit
     from (${part(journal)}
           union all
           ${part(cash)} and :cash) as moved
     group by 1, 2, 3, 4`)
}

const own = 'l.business_id = :business_id'
const between = 'l.date between :first_date and :last_date'
const spans = 'unnest(:day_starts::date[], :day_ends::date[]) as span (first_date, last_date)'
const cashOfRange = `cash_basis_lines l where ${own} and ${between}`

export const linesOfDays = lines({
  journal: `${spans} join journal_lines l on ${own} and l.date between span.first_date and span.last_date where true`,
  cash: `${spans} join cash_basis_lines l on ${own} and l.date between span.first_date and span.last_date where true`,
})

export const linesOfRange = lines({ journal: `journal_lines l where ${own} and ${between}`, cash: cashOfRange })

/** By the index of the filter that is given. */
export const linesOf = {
  customer: lines({ journal: `journal_lines l where ${own} and l.customer_id = :customer_id and ${between}`, cash: cashOfRange }),
  vendor: lines({ journal: `journal_lines l where ${own} and l.vendor_id = :vendor_id and ${between}`, cash: cashOfRange }),
  project: lines({ journal: `journal_lines l where ${own} and l.project_id = :project_id and ${between}`, cash: cashOfRange }),
  // A line carries one value of a dimension at most, so it comes once.
  dimension: lines({
    journal: `journal_line_dimensions d join journal_lines l on ${own} and l.id = d.line_id
      where d.business_id = :business_id and d.value_id = any(:one_dimension_ids::uuid[]) and d.date between :first_date and :last_date`,
    cash: cashOfRange,
  }),
}

/** What was recorded after the entry of this number: little, where the moment is not long ago. */
export const linesRecordedAfter = lines({
  journal: `journal_lines l where ${own} and l.entry_number > :known_number and ${between}`,
  cash: `cash_basis_lines l where ${own} and l.entry_number > :known_number and ${between}`,
})

/** Adjusting lines among those recorded up to this number. */
export const adjustingLines = lines({
  journal: `journal_lines l where ${own} and l.is_adjusting and ${between} and l.entry_number <= :known_number`,
  cash: `journal_entries e join cash_basis_lines l on ${own} and l.entry_number = e.number
    where e.business_id = :business_id and e.is_adjusting and e.date between :first_date and :last_date and e.number <= :known_number`,
})

/** Recorded times never go back, so the last entry recorded by then is the last one known. */
export const lastNumberAt = statement(
  Type.Object({ number: integer() }),
  `select number from journal_entries where business_id = :business_id and recorded_at <= :known_at order by recorded_at desc, number desc limit 1`)

export const dimensions = statement(
  Type.Object({ id: id(), key: Type.String(), name: Type.String() }),
  'select id, key, name from accounting_dimensions where business_id = :business_id order by position, id')

export const dimensionValues = statement(
  Type.Object({ id: id(), dimension_id: id(), code: Type.String(), name: Type.String(), parent_id: nullable(id()), merged_into_id: nullable(id()) }),
  `select id, dimension_id, code, name, parent_id, merged_into_id from dimension_values where business_id = :business_id order by code, id`)
