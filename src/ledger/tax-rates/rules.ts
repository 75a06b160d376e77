// The versions of a rate: which one holds on a date, and what a change of them changes.
import { compareDates } from '../../foundation/calendar.ts'
import { invalid } from '../../foundation/refusal.ts'
import { plainDecimal } from '../posting/rules.ts'
import type { TaxRate, TaxRateVersion } from './contract.ts'

/** In the order of their dates, each percent in its one writing; refuses two of one date. */
export function tidyVersions(given: readonly TaxRateVersion[]): TaxRateVersion[] {
  const versions = given
    .map(({ percent, valid_from }) => ({ percent: plainDecimal(percent), valid_from }))
    .sort((a, b) => compareDates(a.valid_from, b.valid_from))
  const twice = versions.find(({ valid_from }, index) => valid_from === versions[index + 1]?.valid_from)
  if (twice) throw invalid(`Two versions are valid from ${twice.valid_from}: leave one of them out.`)
  return versions
}

/** The percent on this date: of the latest version that begins on or before it. Versions come in the order of their dates. */
export function percentOn(versions: readonly TaxRateVersion[], date: string): string | null {
  return versions.findLast(({ valid_from }) => valid_from <= date)?.percent ?? null
}

/** From this date on, up to the other one; null: for good. */
export type Span = { from: string; before: string | null }

/** The dates on which two sets of versions give different percents. */
export function changedSpans(old: readonly TaxRateVersion[], renewed: readonly TaxRateVersion[]): Span[] {
  const dates = [...new Set([...old, ...renewed].map(({ valid_from }) => valid_from))].sort(compareDates)
  return dates.map((from, index) => ({ from, before: dates[index + 1] ?? null })).filter(({ from }) => percentOn(old, from) !== percentOn(renewed, from))
}

export function requireUsable(rate: TaxRate): void {
  if (rate.archived) throw invalid(`The tax rate “${rate.name}” is archived: restore it first.`)
}

export function usedOn(rate: TaxRate, date: string) {
  return invalid(`“${rate.name}” was used on ${date}, so its percent of that date stays: add a version with a later valid_from.`)
}
