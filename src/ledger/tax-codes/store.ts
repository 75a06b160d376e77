// The SQL of tax codes.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { TaxCode } from './contract.ts'

constraintMeans('tax_codes_code', 'Another tax code is written like this: choose another code.')

export const insertTaxCode = insertion('tax_codes', TaxCode)
export const insertTaxCodes = command(
  `insert into tax_codes (${columns(TaxCode)})
   select ${columns(TaxCode)} from json_populate_recordset(null::tax_codes, :codes::json) where business_id = :business_id`)
export const updateTaxCode = updating('tax_codes', 'code', 'name', 'treatment', 'rate_id', 'group_id', 'boxes', 'archived')
export const deleteTaxCode = deletion('tax_codes')
export const findTaxCode = selectionById('tax_codes', TaxCode)
export const lockTaxCode = selectionById('tax_codes', TaxCode, true)

export const taxCodes = list({
  item: TaxCode,
  from: 'tax_codes t',
  where: 't.business_id = :business_id',
  sorts: {
    code: { column: 't.code_key', type: 'text' },
    name: { column: 't.name_key', type: 'text' },
    created_at: { column: 't.created_at', type: 'timestamptz' },
  },
  filters: {
    agency_id: `exists (select from tax_rates r where r.business_id = :business_id and r.agency_id = :agency_id and (r.id = t.rate_id
      or r.id in (select c.rate_id from tax_group_components c where c.business_id = :business_id and c.group_id = t.group_id)))`,
    treatment: 't.treatment = :treatment',
    archived: `:archived in ('all', t.archived::text)`,
    q: 'position(lower(:q) in t.code_key) > 0 or position(lower(:q) in t.name_key) > 0',
  },
})

/** posted: a line of the journal carries it. preset: a ledger has it as its default. */
export const useOfTaxCode = statement(
  Type.Object({ posted: Type.Boolean(), preset: Type.Boolean() }),
  `select exists (select from journal_lines where business_id = :business_id and tax_code_id = :id) as posted,
     exists (select from ledgers where business_id = :business_id and default_tax_code_id = :id) as preset`,
)
