// The lines of a profit and loss by a managerial key.
import type { BookLedger } from '../../ledger/books/contract.ts'
import { isProfitAndLoss } from '../../ledger/posting/rules.ts'
import type { Line } from '../report-shape/contract.ts'
import { ledgerLines, sectionOf, totalOf, type AmountsOf, type Shown } from '../report-shape/rules.ts'

export const UNMAPPED = 'unmapped'

type Value = { value: string; label: string }

/** A section per value in the order given, values that are not among them behind, and last what has none. Sections without rows are left out. */
export function managerialLines(
  ledgers: readonly BookLedger[], amountsOf: AmountsOf, valueOf: ReadonlyMap<string, string | null>, values: readonly Value[], shown: Shown, columns: number,
): Line[] {
  const byValue = Map.groupBy(ledgers.filter(isProfitAndLoss), ({ id }) => valueOf.get(id) ?? null)
  const known = new Set(values.map(({ value }) => value))
  const others = [...byValue.keys()].filter((value) => value !== null && !known.has(value)).sort().map((value) => ({ value: value ?? '', label: value ?? '' }))
  const section = (key: string, label: string, own: readonly BookLedger[]) => sectionOf(key, label, ledgerLines(own, amountsOf, shown, columns), columns)
  const sections = [
    ...[...values, ...others].map(({ value, label }) => section(`value:${value}`.slice(0, 100), label, byValue.get(value) ?? [])),
    section(UNMAPPED, 'Unmapped', byValue.get(null) ?? []),
  ].filter(({ rows }) => rows.length > 0)
  return [...sections, totalOf('total', 'net_income', 'Net income', sections, [], columns)]
}
