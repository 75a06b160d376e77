// The SQL of tax agencies.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { TaxAgency } from './contract.ts'

constraintMeans('tax_agencies_payable_ledger', 'A tax agency is owed on this ledger: give the agency another payable ledger first.')

export const insertTaxAgency = insertion('tax_agencies', TaxAgency)
export const updateTaxAgency = updating(
  'tax_agencies', 'name', 'country', 'region', 'registration_number', 'filing_frequency', 'basis', 'due_day', 'first_period_start',
  'payable_ledger_id', 'archived')
export const deleteTaxAgency = deletion('tax_agencies')
export const findTaxAgency = selectionById('tax_agencies', TaxAgency)
export const lockTaxAgency = selectionById('tax_agencies', TaxAgency, true)
export const taxAgenciesById = statement(TaxAgency, `select ${columns(TaxAgency)} from tax_agencies where business_id = :business_id and id = any(:ids)`)

export const taxAgencies = list({
  item: TaxAgency,
  from: 'tax_agencies t',
  where: 't.business_id = :business_id',
  sorts: { name: { column: 't.name_key', type: 'text' }, created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { archived: `:archived in ('all', t.archived::text)`, q: 'position(lower(:q) in t.name_key) > 0' },
})

export const isTaxAgencyUsed = statement(
  Type.Object({ used: Type.Boolean() }),
  `select exists (select from tax_rates where business_id = :business_id and agency_id = :id)
     or exists (select from tax_exemptions where business_id = :business_id and :id = any(agency_ids)) as used`,
)
