// When an exemption is valid, and for whom.
import { invalid } from '../../foundation/refusal.ts'
import type { TaxExemption } from './contract.ts'

export function requirePeriod({ valid_from, valid_to }: { valid_from: string; valid_to: string | null }): void {
  if (valid_to !== null && valid_to < valid_from) throw invalid(`The exemption would end on ${valid_to}, before it begins on ${valid_from}.`)
}

/** The exemption by which this customer does not pay the tax of this agency on this date. */
export function exemptionFor(exemptions: readonly TaxExemption[], customer_id: string | null, agency_id: string, date: string): TaxExemption | null {
  return exemptions.find((exemption) =>
    !exemption.archived && exemption.customer_id === customer_id
    && exemption.valid_from <= date && (exemption.valid_to === null || date <= exemption.valid_to)
    && (exemption.agency_ids.length === 0 || exemption.agency_ids.includes(agency_id))) ?? null
}
