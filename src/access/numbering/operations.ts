// Drawing numbers for documents, and changing how they look.
import type { Static } from 'typebox'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { FIRST_PREFIXES, numberingResource, type Numbering, type NumberingKind, type NumberingUpdate } from './contract.ts'
import { draw, formatNumber, goOnAt, highestUsed, nextNumberOn, requireTellingWindowsApart, requireUnused, type Mark } from './rules.ts'
import * as store from './store.ts'

type NumberingRow = Static<typeof Numbering>
type Sequence = Omit<NonNullable<(typeof store.lockSequence)['result']>, 'typed'>

/** The number of a document of this date. The sequence stays locked until the commit: no number twice, and a rollback burns none. */
export async function nextNumber(tx: BusinessTx, kind: NumberingKind, date: string): Promise<string> {
  const [number = ''] = await nextNumbers(tx, kind, [date])
  return number
}

/**
 * A number for each date, in this order. Where people have typed numbers themselves, `taken` says which of some are used, and the sequence
 * steps over them.
 */
export async function nextNumbers(tx: BusinessTx, kind: NumberingKind, dates: readonly string[], taken?: (numbers: string[]) => Promise<ReadonlySet<string>>): Promise<string[]> {
  // Sent together and run one after the other: the marks are as new as the lock.
  const [sequence, used] = await Promise.all([tx.get(store.lockSequence, { kind }, `Numbering of kind ${kind}`), tx.many(store.marksOfKind, { kind })])
  const format = (number: number, date: string) => formatNumber(sequence, number, date)
  const skipped = sequence.typed && taken ? await typedAhead(used, sequence, dates, format, taken) : new Set<string>()
  const drawn = draw(used, sequence.reset, dates, (number, date) => skipped.has(format(number, date)))
  const numbers = drawn.numbers.map((number, index) => format(number, dates[index] ?? ''))
  saveMarks(tx, sequence, drawn.marks)
  tx.queue(store.setLastAssigned, { kind, last_assigned: numbers.at(-1) ?? sequence.last_assigned })
  return numbers
}

/** The used ones among the next numbers: asked for twice as many as are needed until enough of them are free. */
async function typedAhead(
  used: readonly Mark[], sequence: Sequence, dates: readonly string[], format: (number: number, date: string) => string, taken: (numbers: string[]) => Promise<ReadonlySet<string>>,
): Promise<Set<string>> {
  const found = new Set<string>()
  for (let ahead = dates.length + 1; ; ahead *= 2) {
    const free = dates.flatMap((date) => Array.from({ length: ahead }, (_, step) => format(nextNumberOn(used, sequence.reset, date) + step, date)))
    const candidates = [...new Set(free)].filter((number) => !found.has(number))
    for (const number of await taken(candidates)) found.add(number)
    if (found.size + dates.length <= ahead) return found
  }
}

/** Somebody typed a number of this kind: from now on the sequence looks before it gives one. */
export function noteTyped(tx: BusinessTx, kind: NumberingKind): void {
  tx.queue(store.markTyped, { kind })
}

export async function listNumbering(tx: BusinessTx): Promise<NumberingRow[]> {
  const [sequences, marks] = await Promise.all([tx.many(store.allSequences), tx.many(store.allMarks)])
  return sequences.map((sequence) => shown(tx, sequence, marks.filter((mark) => mark.kind === sequence.kind)))
}

export async function updateNumbering(tx: BusinessTx, kind: NumberingKind, input: Static<typeof NumberingUpdate>): Promise<NumberingRow> {
  const { typed: _typed, ...sequence } = await tx.lock(store.lockSequence, { kind }, 'Numbering')
  const before = shown(tx, sequence, await tx.many(store.marksOf, sequence))
  const { next_number, ...looks } = input
  if (Object.keys(input).length === 0) return before
  const wanted = changed(sequence, looks, tx.now)
  requireTellingWindowsApart(wanted, wanted.reset)
  const used = await tx.many(store.marksOf, wanted)
  const highest = highestUsed(used, wanted.reset, tx.today)
  if (next_number !== undefined) requireUnused(wanted, next_number, highest, tx.today)
  const marks = goOnAt(used, wanted.reset, tx.today, next_number ?? Math.max(before.next_number, highest + 1))
  const after = shown(tx, wanted, marks)
  tx.queue(store.updateSequence, wanted)
  saveMarks(tx, wanted, marks)
  tx.record(numberingResource, 'numbering.updated', { before, after })
  return after
}

/** The sequences of a new business. */
export function createNumbering(tx: BusinessTx): void {
  const kinds = Object.keys(FIRST_PREFIXES)
  tx.queue(store.insertSequences, { kinds, ids: kinds.map(() => newId()), prefixes: Object.values(FIRST_PREFIXES) })
}

function shown(tx: BusinessTx, sequence: Sequence, marks: readonly Mark[]): NumberingRow {
  const next_number = nextNumberOn(marks, sequence.reset, tx.today)
  return { ...sequence, next_number, preview: formatNumber(sequence, next_number, tx.today) }
}

function saveMarks(tx: BusinessTx, { kind, prefix, suffix }: Sequence, marks: readonly Mark[]): void {
  tx.queue(store.saveMarks, {
    kind, prefix, suffix,
    months: marks.map((mark) => mark.month),
    highest_used: marks.map((mark) => mark.highest_used),
    starts_at: marks.map((mark) => mark.starts_at),
  })
}
