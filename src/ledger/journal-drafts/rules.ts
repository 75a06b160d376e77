// What a draft is made of, what it is worth, and what it becomes when it is posted.
import { applyRate, parseDecimal, type Currency } from '../../foundation/money.ts'
import { invalid, Refusal } from '../../foundation/refusal.ts'
import { totalOf } from '../journal/rules.ts'
import type { Posting } from '../posting/contract.ts'
import { plainDecimal, priceLines, type RateOf } from '../posting/rules.ts'
import type { DraftLine, Entry, EntryDraft, LineInput } from './contract.ts'

type Amounts = { amount?: number | undefined; debit?: number | undefined; credit?: number | undefined }

/** The signed amount of a line that gives exactly one of the three. */
export function signedAmount({ amount, debit, credit }: Amounts, position: number): number {
  const given = [amount, debit, credit].filter((value) => value !== undefined)
  if (given.length !== 1) throw invalid(`Line ${position} needs exactly one of amount, debit and credit.`)
  return amount ?? debit ?? 0 - (credit ?? 0)
}

export function lineOf(input: LineInput, position: number, currency: Currency, id: string): DraftLine {
  return {
    id,
    ledger_id: input.ledger_id,
    currency: input.currency ?? currency,
    amount: signedAmount(input, position),
    base_amount: input.base_amount ?? null,
    base_given: input.base_amount !== undefined,
    rate: null,
    memo: input.memo ?? null,
    customer_id: input.customer_id ?? null,
    vendor_id: input.vendor_id ?? null,
    project_id: input.project_id ?? null,
    dimension_value_ids: [...new Set(input.dimension_value_ids ?? [])],
    tax_code_id: input.tax_code_id ?? null,
    settles_line_id: input.settles_line_id ?? null,
  }
}

/** What can be said of an entry before it is held against the books. */
export function requireSound(
  { date, auto_reverse_on, currency, rate }: Pick<EntryDraft, 'date' | 'auto_reverse_on' | 'currency' | 'rate'>, base: Currency,
): void {
  if (auto_reverse_on !== null && auto_reverse_on <= date) throw invalid(`auto_reverse_on must come after ${date}.`)
  if (rate === null) return
  if (parseDecimal(rate).units === 0n) throw invalid('A rate must be above 0.')
  if (currency === base && plainDecimal(rate) !== '1') throw invalid(`${base} is the base currency, so its rate is 1: leave the rate out.`)
}

/** Which rates a draft needs to be worth something in the base currency. */
export function ratesNeeded(
  { date, currency, rate, lines }: Pick<EntryDraft, 'date' | 'currency' | 'rate' | 'lines'>, base: Currency,
): { currency: Currency; date: string }[] {
  const needed = lines.filter((line) => !line.base_given && line.currency !== base && !(rate !== null && line.currency === currency))
  return [...new Set(needed.map((line) => line.currency))].map((wanted) => ({ currency: wanted, date }))
}

/** The draft with the base amounts that it would be posted with; line by line where it could not be posted as it is. */
export function valued(draft: EntryDraft, base: Currency, rateOf: RateOf): EntryDraft {
  const exact = pricedOrNot(draft, base, rateOf)
  const lines = draft.lines.map((line, index): DraftLine => {
    const priced = exact?.[index]
    return priced ? { ...line, base_amount: priced.base_amount, rate: priced.rate } : alone(line, draft, base, rateOf)
  })
  return { ...draft, lines, total: totalOf(lines.map(({ base_amount }) => ({ base_amount: base_amount ?? 0 }))) }
}

function pricedOrNot(draft: EntryDraft, base: Currency, rateOf: RateOf) {
  try {
    return priceLines(postingOf(draft), base, rateOf)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function alone(line: DraftLine, { date, currency, rate }: EntryDraft, base: Currency, rateOf: RateOf): DraftLine {
  if (line.base_given) return { ...line, rate: null }
  if (line.currency === base) return { ...line, base_amount: line.amount, rate: '1' }
  const found = (line.currency === currency ? rate : null) ?? rateOf(line.currency, date)
  return found === null ? { ...line, base_amount: null, rate: null } : { ...line, base_amount: applyRate(line.amount, found), rate: plainDecimal(found) }
}

/** What goes to the posting function. The entry keeps the id of its draft. */
export function postingOf(draft: EntryDraft): Posting {
  const { id, date, memo, currency, rate, is_adjusting, auto_reverse_on, template_id, prepared_by } = draft
  return {
    id, date, memo, source_type: 'manual', currency, rate, is_adjusting, auto_reverse_on, template_id, prepared_by,
    lines: draft.lines.map(
      ({ id: _id, rate: _rate, base_given, base_amount, ...line }) => ({ ...line, ...(base_given && base_amount !== null && { base_amount }) }),
    ),
  }
}

/** A draft as an entry without a number. */
export function shownDraft(draft: EntryDraft): Entry {
  const {
    id, business_id, date, memo, status, currency, rate, is_adjusting, auto_reverse_on, template_id, prepared_by, total, created_at,
    updated_at, version,
  } = draft
  return {
    id, business_id, number: null, date, memo, status, source_type: 'manual', source_id: null, currency, rate, is_adjusting, auto_reverse_on,
    reversal_of_id: null, reversed_by_id: null, mirror_of_id: null, superseded: false, template_id, prepared_by, approved_by: null, posted_at: null, total,
    previous_hash: null, hash: null, created_at, updated_at, version,
    lines: draft.lines.map(({ base_given: _given, ...line }, index) => ({
      ...line, entry_id: id, position: index + 1, debit: Math.max(line.amount, 0), credit: Math.max(0 - line.amount, 0),
    })),
  }
}
