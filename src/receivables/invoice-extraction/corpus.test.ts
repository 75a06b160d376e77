// How well the rules read: every document of the corpus, from its bytes to its fields, field by field.
import { beforeAll, expect, it } from 'vitest'
import { corpus, type Expected } from '../../../test/support/invoice-corpus.ts'
import { readDocuments } from '../../foundation/document-text/reading.ts'
import type { Extraction } from './contract.ts'
import { extractInvoice } from './rules.ts'

const FIELDS = ['invoice_number', 'customer_name', 'customer_email', 'invoice_date', 'due_date', 'currency', 'purchase_order_number', 'tax', 'total', 'line_items'] as const
type Field = (typeof FIELDS)[number]

/** `right` of what was `given` is the precision; `right` of what is `there` is what was not missed. */
type Score = { there: number; given: number; right: number; sure_when_right: number; sure_when_wrong: number | null }

let found: { name: string; expected: Expected; extraction: Extraction }[]
beforeAll(async () => {
  const documents = await Promise.all(corpus.map(async ({ name, content }) => ({ name, content: await content() })))
  const read = await readDocuments(documents, 120_000)
  found = corpus.map(({ name, expected }, index) => {
    const part = read[index]?.parts[0]
    if (!part) throw new Error(`${name} was not read: ${read[index]?.warnings.join()}`)
    return { name, expected, extraction: extractInvoice(part, { base_currency: 'USD', today: '2026-05-20' }) }
  })
}, 130_000)

function valueOf(extraction: Extraction, field: Field): { value: unknown; confidence: number } | null {
  if (field !== 'line_items') return extraction[field]
  const lines = extraction.line_items
  if (lines.length === 0) return null
  return { value: lines.map(({ description, quantity, unit_price, amount }) => [description, quantity, unit_price, amount]), confidence: Math.min(...lines.map(({ confidence }) => confidence)) }
}

const mean = (numbers: number[]) => (numbers.length === 0 ? null : Math.round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length))

it('reads each field right nearly always, and says nothing rather than something wrong', () => {
  const wrong: string[] = []
  const table: Record<string, Score> = {}
  for (const field of FIELDS) {
    const answers = found.map(({ name, expected, extraction }) => ({ name, wanted: expected[field], given: valueOf(extraction, field) }))
    const isRight = ({ wanted, given }: (typeof answers)[number]) => wanted !== undefined && given !== null && JSON.stringify(wanted) === JSON.stringify(given.value)
    const given = answers.filter((answer) => answer.given !== null)
    wrong.push(...answers.filter((answer) => !isRight(answer) && (answer.wanted !== undefined || answer.given !== null)).map(({ name, wanted, given: got }) => `${name}: ${field} is ${JSON.stringify(got?.value ?? null)}, not ${JSON.stringify(wanted ?? null)}`))
    table[field] = {
      there: answers.filter(({ wanted }) => wanted !== undefined).length, given: given.length, right: given.filter(isRight).length,
      sure_when_right: mean(given.filter(isRight).map((answer) => answer.given?.confidence ?? 0)) ?? 0, sure_when_wrong: mean(given.filter((answer) => !isRight(answer)).map((answer) => answer.given?.confidence ?? 0)),
    }
  }
  console.table(table)
  if (wrong.length > 0) console.log(wrong.join('\n'))
  for (const [field, { there, given, right }] of Object.entries(table)) {
    expect(right / given, `precision of ${field}`).toBeGreaterThanOrEqual(0.95)
    expect(right / there, `recall of ${field}`).toBeGreaterThanOrEqual(0.95)
  }
})

it('shows for every value the line that it stands in', () => {
  for (const { name, extraction } of found) {
    for (const field of FIELDS) {
      if (field === 'line_items') continue
      const value = extraction[field]
      if (value) expect(value.evidence?.text, `${name}: ${field}`).toBeTruthy()
    }
    for (const { evidence } of extraction.line_items) expect(evidence?.text, name).toBeTruthy()
  }
})
