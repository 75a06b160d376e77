// What a tax code needs by its treatment, and what of it stays once it was used.
import { invalid } from '../../foundation/refusal.ts'
import type { TaxCode } from './contract.ts'

/** Codes that every business needs, wherever it is. */
export const PLAIN_CODES = [
  { code: 'EXEMPT', name: 'Exempt', treatment: 'exempt' },
  { code: 'ZERO', name: 'Zero rated', treatment: 'zero_rated' },
  { code: 'OUT', name: 'Out of scope', treatment: 'out_of_scope' },
] as const

export const NO_BOXES: TaxCode['boxes'] = { sales_net: null, sales_tax: null, purchases_net: null, purchases_tax: null }

type Source = Pick<TaxCode, 'treatment' | 'rate_id' | 'group_id'>

export function requireSource({ treatment, rate_id, group_id }: Source): void {
  const given = [rate_id, group_id].filter((id) => id !== null).length
  const taxed = treatment === 'taxable' || treatment === 'reverse_charge'
  if (taxed && given !== 1) throw invalid(`A ${treatment} code needs either a rate_id or a group_id.`)
  if (!taxed && given > 0) {
    throw invalid(`A code that is ${treatment.replaceAll('_', ' ')} has neither a rate nor a group: leave rate_id and group_id out, or null.`)
  }
}

export function sameSource(before: Source, after: Source): boolean {
  return before.treatment === after.treatment && before.rate_id === after.rate_id && before.group_id === after.group_id
}

export function sourceFrozen({ code }: TaxCode) {
  return invalid(`The tax code ${code} was used, so its treatment, rate and group stay: make another code.`)
}

/** Documents would meet a default that taxes nothing. */
export function requireNoDefault({ id, code }: TaxCode, defaults: { default_sales_code_id: string | null; default_purchase_code_id: string | null }): void {
  for (const [name, default_id] of [['sales', defaults.default_sales_code_id], ['purchase', defaults.default_purchase_code_id]] as const) {
    if (default_id?.toLowerCase() === id) throw invalid(`The tax code ${code} is the default ${name} code: choose another one in the settings first.`)
  }
}
