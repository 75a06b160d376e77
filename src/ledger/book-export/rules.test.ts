import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itWith, outputOf } from '../../../test/support/programs.ts'
import { seedFrom } from '../../../test/support/random-books.ts'
import { newId } from '../../foundation/ids.ts'
import { LEDGER_TYPES } from '../ledgers/contract.ts'
import type { ExportEntry, ExportFormat, ExportLedger, ExportLine } from './contract.ts'
import { accountNames, entryText, prologue } from './rules.ts'

const head = { business_name: 'Acme', base_currency: 'USD', journal_number: 7, as_of: null, first_date: '2026-01-01' }
const ledger = (name: string, more: Partial<ExportLedger> = {}): ExportLedger => ({ id: newId(), number: null, name, type: 'asset', parent_id: null, ...more })
const names = (format: ExportFormat, ...ledgers: ExportLedger[]) => [...accountNames(format, ledgers).values()]
const line = (more: Partial<ExportLine>): ExportLine => ({ ledger_id: 'a', currency: 'USD', amount: 0, base_amount: 0, memo: null, ...more })
const entry = (lines: ExportLine[], more: Partial<ExportEntry> = {}): ExportEntry =>
  ({ number: 3, date: '2026-02-01', memo: 'Sale', source_type: 'manual', hash: 'ab12', lines, ...more })

describe('accounts', () => {
  it('follow the tree of the chart, with the numbers of the ledgers', () => {
    const current = ledger('Current assets', { number: '1000' })
    const bank = ledger('Bank', { number: '1010', parent_id: current.id })
    expect(names('hledger', bank, current)).toEqual(['Assets:1000 Current assets', 'Assets:1000 Current assets:1010 Bank'])
    expect(names('beancount', bank, current)).toEqual(['Assets:1000-Current-assets', 'Assets:1000-Current-assets:1010-Bank'])
    expect(LEDGER_TYPES.map((type) => names('beancount', ledger('X', { type }))[0]))
      .toEqual(['Assets:X', 'Liabilities:X', 'Equity:X', 'Income:X', 'Expenses:X'])
  })

  it.each([
    ['Loan: "Bank"; new', 'Assets:Loan- "Bank", new', 'Assets:Loan-Bank-new'],
    ['  two   spaces\tand\u00a0\u3000others\n', 'Assets:two spaces and others', 'Assets:Two-spaces-and-others'],
    ['--flags', 'Assets:--flags', 'Assets:Flags'],
    ['(virtual)', 'Assets:(virtual)', 'Assets:Virtual'],
    ['Éclair Łódź Ωμέγα Жук', 'Assets:Éclair Łódź Ωμέγα Жук', 'Assets:Éclair-Łódź-Ωμέγα-Жук'],
    ['e\u0301clair', 'Assets:éclair', 'Assets:Éclair'],
    ['現金', 'Assets:現金', 'Assets:Ledger'],
    ['ǆin', 'Assets:ǆin', 'Assets:Ǆin'],
    ['ŉx', 'Assets:ŉx', 'Assets:Ledger-ŉx'],
    ['\u202eevil\u200b', 'Assets:evil', 'Assets:Evil'],
    ['\u200b', 'Assets:Ledger', 'Assets:Ledger'],
    ['💰', 'Assets:💰', 'Assets:Ledger'],
  ])('%j is escaped', (name, hledger, beancount) => {
    expect([names('hledger', ledger(name)), names('beancount', ledger(name))]).toEqual([[hledger], [beancount]])
  })

  it('stay apart where escaping would make them one, and the older keeps its name', () => {
    const [first, second, below] = [ledger('A:B'), ledger('A-B'), ledger('C')]
    const made = accountNames('hledger', [second, { ...below, parent_id: second.id }, first])
    expect(made.get(first.id)).toBe('Assets:A-B')
    expect(made.get(second.id)).toBe(`Assets:A-B ${second.id.slice(-12)}`)
    expect(made.get(below.id)).toBe(`Assets:A-B ${second.id.slice(-12)}:C`)
    expect(accountNames('beancount', [ledger('現金'), ledger('銀行')]).size).toBe(2)
  })

  it('end even where the chart goes in a circle', () => {
    const [one, two] = [ledger('One'), ledger('Two')]
    expect(names('hledger', { ...one, parent_id: two.id }, { ...two, parent_id: one.id })).toHaveLength(2)
  })
})

describe('entries', () => {
  const accounts = new Map([['a', 'Assets:A'], ['b', 'Income:B']])

  it('carry both amounts of a foreign line, and the base alone where nothing else moves', () => {
    const lines = [
      line({ currency: 'EUR', amount: 10_000, base_amount: 11_005 }), line({ ledger_id: 'b', currency: 'EUR', amount: -1, base_amount: -2, memo: 'a: [b]' }),
      line({ currency: 'EUR', amount: 0, base_amount: -7 }), line({ currency: 'EUR', amount: 5, base_amount: 0 }),
      line({ currency: 'EUR', amount: 3, base_amount: -1 }), line({ amount: 123_456_789, base_amount: 123_456_789 }),
    ]
    expect(entryText('hledger', entry(lines, { memo: ' Two\nlines; and "more" ' }), accounts, 'USD')).toBe(`
2026-02-01 * (3) Two lines, and "more"
    ; entry 3 hash ab12
    Assets:A  100.00 EUR @@ 110.05 USD
    Income:B  -0.01 EUR @@ 0.02 USD
    ; a : (b)
    Assets:A  -0.07 USD
    Assets:A  0.05 EUR @@ 0.00 USD
    Assets:A  0.03 EUR @@ 0.00 USD
    Assets:A  -0.01 USD
    Assets:A  1234567.89 USD
`)
    expect(entryText('beancount', entry(lines, { memo: null, source_type: 'fx_revaluation' }), accounts, 'USD')).toBe(`
; entry 3 hash ab12
2026-02-01 * "fx revaluation"
  Assets:A  100.00 EUR {{110.05 USD}}
  Income:B  -0.01 EUR {{0.02 USD}}
    memo: "a: [b]"
  Assets:A  -0.07 USD
  Assets:A  0.05 EUR {{0.00 USD}}
  Assets:A  0.03 EUR {{0.00 USD}}
  Assets:A  -0.01 USD
  Assets:A  1234567.89 USD
`)
  })
})

// Whatever people write, in one file for each program. A failure is played again with its EXPORT_SEED.
const seed = seedFrom('EXPORT_SEED')
const PIECES = [
  'date:', 'date2:', 'x::', ':', ';', '[2026]', '[=1]', '[', ']', '@', '@@', '{', '}', '"', "'", '\\', '\\n', '  ', '\t', '\n', '(', ')', '*', '!', '=', '-', '|',
  '#', '%', '~', '&', ',', '1/2', '$', '2026-01-01', 'é', '現', '\u00a0', '\u0085', 'a', 'B',
]
const texts = fc.sample(fc.oneof(
  fc.string({ minLength: 1, maxLength: 120 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }),
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((parts) => parts.join('')),
), { seed, numRuns: 400 }).map((text) => text.toWellFormed().replaceAll('\0', '')).filter((text) => text !== '')
const nasty = [
  '-- flags', '; comment', '= auto', '~ monthly', '(virtual)', '[balanced]', '<deferred>', 'ends with (', 'A  B', '"', '\\', '\\"', 'x'.repeat(120),
  '現'.repeat(120), '💰'.repeat(60), 'date:', 'a date:soon, b', 'x:: 1 +', '[1/1', '[99/99]', ':tag:', 'Payee: me', 'include /etc/passwd', '*', '!', '|', '%',
  '#+TITLE', '2026-01-01 * "x"', 'end comment', '@', 'USD', '1.00 USD', '{', '}}',
]
const all = [...nasty, ...texts]

describe(`any text makes a file that is read as it was meant (EXPORT_SEED=${seed})`, () => {
  const ledgers = all.map((text, index) =>
    ledger(text, { type: LEDGER_TYPES[index % 5] ?? 'asset', number: index % 3 === 0 ? [...text].slice(0, 20).join('') : null }))
  const deep = ledgers.slice(0, 40).flatMap((parent) => ledgers.slice(0, 5).map(({ name }) => ledger(name, { type: parent.type, parent_id: parent.id })))
  // As long and as deep as the chart allows, in characters of four bytes.
  const deepest: ExportLedger[] = []
  for (let depth = 1; depth <= 5; depth++) deepest.push(ledger('💰'.repeat(120), { number: '💶'.repeat(20), parent_id: deepest.at(-1)?.id ?? null }))
  const chart = [...ledgers, ...deep, ...deepest]
  const moving = (ledger_id: string, amount: number, memo: string | null) => line({ ledger_id, amount, base_amount: amount, memo })
  const entries = chart.map(({ id, name }, index) => entry(
    [moving(id, index + 1, name), moving(chart[0]?.id ?? '', -index - 1, null)],
    { number: index + 1, memo: index === 7 ? '💰'.repeat(500) : all[index % all.length] ?? null }))
  const balances = new Map<string, number>()
  for (const { ledger_id, amount } of entries.flatMap(({ lines }) => lines)) balances.set(ledger_id, (balances.get(ledger_id) ?? 0) + amount)
  const read = (rows: (readonly [string, number])[]) => new Map(rows.filter(([, amount]) => amount !== 0))
  const expected = (format: ExportFormat) => read([...accountNames(format, chart)].map(([id, name]) => [name, balances.get(id) ?? 0]))
  const cents = (text: string | undefined) => Math.round(Number(text) * 100)

  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daybook-export-'))
    for (const format of ['hledger', 'beancount'] as const) {
      const account = accountNames(format, chart)
      const business_name = [...nasty.join(' ')].slice(0, 200).join('')
      const text = prologue(format, { ...head, business_name }, chart, account) + entries.map((each) => entryText(format, each, account, 'USD')).join('')
      await writeFile(join(folder, format), text)
    }
  })
  afterAll(() => rm(folder, { recursive: true }))

  itWith('hledger', 'by hledger', async () => {
    await outputOf('hledger', '-f', join(folder, 'hledger'), 'check', '--strict')
    const [rows] = JSON.parse(await outputOf('hledger', '-f', join(folder, 'hledger'), 'bal', '--flat', '-O', 'json'))
    expect(read(rows.map(([name, , , [{ aquantity }]]: any) => [name, cents(aquantity.floatingPoint)]))).toEqual(expected('hledger'))
  })

  itWith('ledger', 'by ledger', async () => {
    const text = await outputOf('ledger', '-f', join(folder, 'hledger'), 'bal', '--flat', '--no-total', '-F', '%(account)\t%(quantity(amount))\n')
    expect(read(text.trimEnd().split('\n').map((row) => row.split('\t')).map(([name = '', amount]) => [name, cents(amount)]))).toEqual(expected('hledger'))
  })

  itWith('bean-check', 'by beancount', async () => {
    expect(await outputOf('bean-check', join(folder, 'beancount'))).toBe('')
    const text = await outputOf('bean-query', '-f', 'csv', '-m', join(folder, 'beancount'), 'select account, sum(position) as amount group by account')
    const rows = text.trimEnd().split('\n').slice(1).map((row) => row.split(',').map((cell) => cell.trim()))
    expect(read(rows.map(([name = '', amount]) => [name, cents(amount)]))).toEqual(expected('beancount'))
  })
})
