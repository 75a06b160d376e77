// An entry while it is typed: its lines as text, what they come to, and how the API wants them.
import type { Schemas } from '../api.ts'
import { cents, typed } from '../format.ts'
import type { Entry } from './entry-reading.ts'

/** What a line of a kept draft carries that the form does not show; it is handed back as it was. */
type Carried = Partial<Pick<Schemas['JournalLineInput'], 'currency' | 'vendor_id' | 'tax_code_id' | 'settles_line_id' | 'base_amount'>>

export type DraftLine = {
  key: string
  ledger_id: string | null
  debit: string
  credit: string
  memo: string
  customer_id: string | null
  project_id: string | null
  /** By dimension. */
  values: Record<string, string>
  /** Values of a kept draft, until it is known which dimension each belongs to. */
  value_ids: string[]
  carried: Carried
}

export type Draft = {
  date: string | null
  memo: string
  currency: string
  rate: string
  is_adjusting: boolean
  auto_reverse_on: string | null
  lines: DraftLine[]
}

let made = 0
export const emptyLine = (): DraftLine => ({
  key: `new:${(made += 1)}`, ledger_id: null, debit: '', credit: '', memo: '', customer_id: null, project_id: null, values: {}, value_ids: [], carried: {},
})

export const emptyDraft = (currency: string): Draft => ({
  date: new Date().toLocaleDateString('sv'), memo: '', currency, rate: '', is_adjusting: false, auto_reverse_on: null,
  lines: [emptyLine(), emptyLine(), emptyLine()],
})

export function draftOf({ date, memo, currency, rate, is_adjusting, auto_reverse_on, lines }: Entry, base: string): Draft {
  const kept = lines.map((line): DraftLine => ({
    key: line.id, ledger_id: line.ledger_id, memo: line.memo ?? '',
    debit: line.debit === 0 ? '' : typed(line.debit), credit: line.credit === 0 ? '' : typed(line.credit),
    customer_id: line.customer_id, project_id: line.project_id, values: {}, value_ids: line.dimension_value_ids,
    carried: {
      vendor_id: line.vendor_id, tax_code_id: line.tax_code_id, settles_line_id: line.settles_line_id,
      ...(line.currency === currency ? {} : { currency: line.currency }),
      ...(line.currency !== currency && line.currency !== base && line.base_amount !== null ? { base_amount: line.base_amount } : {}),
    },
  }))
  return { date, memo: memo ?? '', currency, rate: currency === base ? '' : rate ?? '', is_adjusting, auto_reverse_on, lines: [...kept, emptyLine()] }
}

export const isBlank = ({ ledger_id, debit, credit, memo }: DraftLine): boolean =>
  ledger_id === null && debit.trim() === '' && credit.trim() === '' && memo.trim() === ''

/** The lines that count, in the order in which the API sees them. */
export const written = (draft: Draft): DraftLine[] => draft.lines.filter((line) => !isBlank(line))

export function totalsOf(draft: Draft): { debit: number; credit: number; difference: number } {
  const sum = (side: 'debit' | 'credit') => draft.lines.reduce((all, line) => all + (cents(line[side]) ?? 0), 0)
  const [debit, credit] = [sum('debit'), sum('credit')]
  return { debit, credit, difference: debit - credit }
}

/** What is wrong before anybody is asked, by the key of the line. */
export function problemsOf(draft: Draft): Record<string, string> {
  return Object.fromEntries(written(draft).flatMap((line) => {
    const wrong = [line.debit, line.credit].find((amount) => amount.trim() !== '' && cents(amount) === null)
    if (wrong !== undefined) return [[line.key, `${wrong} is not an amount.`]]
    return line.ledger_id === null ? [[line.key, 'Choose a ledger.']] : []
  }))
}

export function inputOf(draft: Draft, base: string): Schemas['JournalEntryInput'] {
  const { date, memo, currency, rate, is_adjusting, auto_reverse_on } = draft
  return {
    date: date ?? '',
    memo: memo.trim() || null,
    currency: currency as 'USD',
    ...(currency !== base ? { rate: rate.trim() || null } : {}),
    is_adjusting,
    auto_reverse_on,
    lines: written(draft).map(({ ledger_id, debit, credit, memo: about, customer_id, project_id, values, value_ids, carried }) => ({
      ...carried,
      ledger_id: ledger_id ?? '',
      ...(debit.trim() === '' && credit.trim() !== '' ? { credit: cents(credit) ?? 0 } : { debit: cents(debit) ?? 0 }),
      memo: about.trim() || null,
      customer_id,
      project_id,
      dimension_value_ids: [...value_ids, ...Object.values(values).filter((value) => value !== '')],
    })),
  }
}

/** Sentences of the API at the lines they speak of, by key; those of the whole entry under ''. */
export function placed(sentences: readonly string[], draft: Draft): Record<string, string> {
  const lines = written(draft)
  const by_place: Record<string, string> = {}
  for (const sentence of sentences) {
    const key = lines[Number(/\bline (\d+)\b/i.exec(sentence)?.[1] ?? 0) - 1]?.key ?? ''
    by_place[key] = by_place[key] ? `${by_place[key]} ${sentence}` : sentence
  }
  return by_place
}
