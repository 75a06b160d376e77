// How counterparties are told apart, which default counts, what a default may name, and when choices become one.
import { canonicalJson } from '../../foundation/canonical.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { isCashLedger, isControlLedger, nameOf } from '../../ledger/posting/rules.ts'
import type { Choice, DefaultRow, HumanChoice, Streak, Wanted } from './contract.ts'

/** Equal choices in a row that make a default. */
export const CHOICES_TO_LEARN = 3
/** Corrections in a row that stop one from being applied without asking. */
export const CORRECTIONS_TO_STOP = 2

/** A name as it is compared: letters and digits in lower case without accents, single blanks between. One made of signs alone is compared as it is. */
export function nameKey(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}+/gu, '').toLowerCase()
  const words = plain.replaceAll(/['’.]/g, '').replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return words === '' ? plain.trim().replaceAll(/\s+/g, ' ') : words
}

type Place = Pick<DefaultRow, 'direction' | 'bank_ledger_id'>

/** Whether a default is for this transaction; the counterparty is the caller's to compare. */
export function covers(place: Place, wanted: Omit<Wanted, 'counterparty'>): boolean {
  return (place.direction === 'any' || place.direction === wanted.direction) && (place.bank_ledger_id === null || place.bank_ledger_id === wanted.bank_ledger_id)
}

/** The direction says more than the cash ledger, and both together most. */
export function specificity({ direction, bank_ledger_id }: Place): number {
  return (direction === 'any' ? 0 : 2) + (bank_ledger_id === null ? 0 : 1)
}

/** Of the defaults of one counterparty, the one that counts; null where none is for this transaction. */
export function mostSpecific<Row extends Place>(defaults: readonly Row[], wanted: Omit<Wanted, 'counterparty'>): Row | null {
  const fitting = defaults.filter((one) => covers(one, wanted))
  return fitting.reduce<Row | null>((best, one) => (best && specificity(best) >= specificity(one) ? best : one), null)
}

/** What of a choice makes two of them equal. */
export function choiceOf({ ledger_id, tax_code_id, customer_id, vendor_id, project_id, dimension_value_ids }: Choice): Choice {
  return { ledger_id, tax_code_id, customer_id, vendor_id, project_id, dimension_value_ids: dimension_value_ids.toSorted() }
}

export function sameChoice(one: Choice, other: Choice): boolean {
  return canonicalJson(choiceOf(one)) === canonicalJson(choiceOf(other))
}

/** The streak after one more choice: a different one begins anew. */
export function afterChoice(streak: Streak | undefined, chosen: HumanChoice): Streak {
  const run = streak && sameChoice(streak.choice, chosen) ? streak.run + 1 : 1
  return { counterparty_key: nameKey(chosen.counterparty), direction: chosen.direction, choice: choiceOf(chosen), run }
}

/**
 * What a streak means where it is long enough: a new default, another content for one that was learned, or nothing. Whatever a
 * person has laid down for such transactions, in general or in particular, stands.
 */
export function lesson(streak: Streak, defaults: readonly DefaultRow[]): { kind: 'create' } | { kind: 'change'; row: DefaultRow } | null {
  if (streak.run < CHOICES_TO_LEARN) return null
  const covering = defaults.filter((one) => one.direction === 'any' || one.direction === streak.direction)
  if (covering.some(({ source }) => source === 'manual')) return null
  const row = covering.find(({ direction, bank_ledger_id }) => direction === streak.direction && bank_ledger_id === null)
  if (!row) return { kind: 'create' }
  return sameChoice(row, streak.choice) ? null : { kind: 'change', row }
}

export type Corrections = { corrections_in_row: number; applied_since_correction: number }

/**
 * After a person has overruled what a default did. Corrections are in a row where no more than the corrected transaction was
 * applied in between: whatever else was applied and left alone speaks for the default.
 */
export function afterCorrection({ corrections_in_row, applied_since_correction }: Corrections): Corrections {
  return { corrections_in_row: applied_since_correction > 1 ? 1 : corrections_in_row + 1, applied_since_correction: 0 }
}

/** The ledger that transactions may be categorized to; refuses what is reached in another way. */
export function requireCategoryLedger(books: Books, ledger_id: string): void {
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) throw notFound(`Ledger ${ledger_id} of ledger_id`)
  const name = nameOf(ledger)
  if (ledger.archived || ledger.merged_into_id) throw invalid(`${name} is archived: restore it, or choose another ledger.`)
  if (!ledger.posting) throw invalid(`${name} is a heading: choose one of the ledgers below it.`)
  if (isCashLedger(ledger)) throw invalid(`${name} is a cash ledger: record a transfer instead.`)
  if (isControlLedger(ledger)) throw invalid(`${name} is made up by documents: match the transaction with one, or choose another ledger.`)
}

export function requireBankLedger(books: Books, ledger_id: string): void {
  const ledger = books.ledgers.get(ledger_id)
  if (!ledger) throw notFound(`Ledger ${ledger_id} of bank_ledger_id`)
  if (ledger.archived || ledger.merged_into_id) throw invalid(`${nameOf(ledger)} is archived: restore it, or choose another ledger.`)
  if (!isCashLedger(ledger)) throw invalid(`${nameOf(ledger)} is not a cash ledger: choose the ledger of a bank account, or leave bank_ledger_id out.`)
}

export function requireValues(books: Books, ids: readonly string[]): void {
  const dimensions = new Map<string, string>()
  for (const id of ids) {
    const value = books.dimensions.values.get(id)
    if (!value) throw notFound(`Value ${id} of dimension_value_ids`)
    if (value.archived) throw invalid(`The value ${value.name} is archived: restore it, or choose another one.`)
    const other = dimensions.get(value.dimension_id)
    if (other) throw invalid(`${other} and ${value.name} are values of one dimension: choose one of them.`)
    dimensions.set(value.dimension_id, value.name)
  }
}

/** Records that a default names, by id: what they are called and whether they are archived. */
export type Named = ReadonlyMap<string, { kind: Kind; name: string; archived: boolean }>

type Kind = 'tax code' | 'customer' | 'tag'

export function requireNamed(named: Named, kind: Kind, ids: readonly (string | null)[]): void {
  for (const id of ids) {
    if (id === null) continue
    const found = named.get(id)
    if (found?.kind !== kind) throw notFound(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`)
    if (found.archived) throw invalid(`The ${found.kind} ${found.name} is archived: restore it, or choose another one.`)
  }
}

/** Why a default is passed over; null where it can be applied. */
export function problemOf(row: DefaultRow, books: Books, named: Named): string | null {
  const ledgers = [row.ledger_id, row.bank_ledger_id].flatMap((id) => (id === null ? [] : (books.ledgers.get(id) ?? [])))
  const gone = ledgers.find(({ archived, merged_into_id }) => archived || merged_into_id)
  if (gone) return `${nameOf(gone)} is archived.`
  const closed = books.ledgers.get(row.ledger_id)
  if (closed && (!closed.posting || isCashLedger(closed) || isControlLedger(closed))) return `${nameOf(closed)} no longer takes such lines.`
  const value = row.dimension_value_ids.map((id) => books.dimensions.values.get(id)).find((one) => one?.archived)
  if (value) return `The value ${value.name} is archived.`
  const record = [row.tax_code_id, row.customer_id].map((id) => (id === null ? undefined : named.get(id))).find((one) => one?.archived)
  return record ? `The ${record.kind} ${record.name} is archived.` : null
}
