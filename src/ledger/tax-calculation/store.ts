// The SQL of tax calculation: the part of the set-up that some codes need. Each statement finds them by itself, so that all travel together.
import { Type } from 'typebox'
import { columns, statement } from '../../foundation/database/statement.ts'
import { boolean, id } from '../../foundation/shapes.ts'
import { TaxCode } from '../tax-codes/contract.ts'
import { TaxExemption } from '../tax-exemptions/contract.ts'
import { LeviedRate } from './contract.ts'

const { id: code_id, code, treatment, rate_id, group_id, archived } = TaxCode.properties

/** The codes that were asked for, and the defaults whose keys in the settings are named. */
const chosen = `tax_codes c where c.business_id = :business_id
  and (c.id = any(:code_ids) or c.id in (select (b.settings -> 'tax' ->> k)::uuid from businesses b, unnest(:default_keys::text[]) k where b.id = :business_id))`

export const codes = statement(
  Type.Object({ id: code_id, code, treatment, rate_id, group_id, archived }),
  `select c.id, c.code, c.treatment, c.rate_id, c.group_id, c.archived from ${chosen}`,
)

const components = `tax_group_components g where g.business_id = :business_id and g.group_id in (select c.group_id from ${chosen})`

export const componentsOfGroups = statement(
  Type.Object({ group_id: id(), rate_id: id(), compound: boolean() }),
  `select g.group_id, g.rate_id, g.compound from ${components} order by g.group_id, g.position`,
)

export const rates = statement(
  LeviedRate,
  `select t.id, t.name, t.agency_id, trim_scale(t.recoverable_percent) as recoverable_percent,
     (select jsonb_agg(jsonb_build_object('percent', trim_scale(v.percent)::text, 'valid_from', v.valid_from) order by v.valid_from)
      from tax_rate_versions v where v.business_id = t.business_id and v.rate_id = t.id) as versions
   from tax_rates t where t.business_id = :business_id and t.id in (select c.rate_id from ${chosen} union select g.rate_id from ${components})`,
)

export const exemptionsOf = statement(
  TaxExemption,
  `select ${columns(TaxExemption)} from tax_exemptions
   where business_id = :business_id and customer_id = any(:customer_ids) and not archived order by valid_from, id`,
)
