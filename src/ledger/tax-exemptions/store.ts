// The SQL of tax exemptions.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import { TaxExemption } from './contract.ts'

export const insertTaxExemption = insertion('tax_exemptions', TaxExemption)
export const updateTaxExemption = updating('tax_exemptions', 'agency_ids', 'certificate_number', 'valid_from', 'valid_to', 'document_id', 'archived')
export const deleteTaxExemption = deletion('tax_exemptions')
export const findTaxExemption = selectionById('tax_exemptions', TaxExemption)
export const lockTaxExemption = selectionById('tax_exemptions', TaxExemption, true)

export const taxExemptions = list({
  item: TaxExemption,
  from: 'tax_exemptions t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' }, valid_from: { column: 't.valid_from', type: 'date' } },
  filters: {
    customer_id: 't.customer_id = :customer_id',
    agency_id: `t.agency_ids = '{}' or :agency_id = any(t.agency_ids)`,
    archived: `:archived in ('all', t.archived::text)`,
    q: 'position(lower(:q) in lower(t.certificate_number)) > 0',
  },
})

/** Whether it can have kept tax off a posted line. */
export const isTaxExemptionUsed = statement(
  Type.Object({ used: Type.Boolean() }),
  `select exists (select from journal_lines where business_id = :business_id and customer_id = :customer_id and tax_code_id is not null
     and date >= :valid_from::date and date <= coalesce(:valid_to::date, 'infinity')) as used`,
)
