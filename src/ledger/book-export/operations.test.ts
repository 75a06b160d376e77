import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inside, post } from '../../../test/support/books.ts'
import { client } from '../../../test/support/client.ts'
import { EXAMPLE_NOW, exampleBooks, newLedger, type Example } from '../../../test/support/example-books.ts'
import { newBusiness, newMember, newToken, sql } from '../../../test/support/people.ts'
import { itWith, outputOf } from '../../../test/support/programs.ts'
import { randomOf, seedFrom } from '../../../test/support/random-books.ts'
import { service } from '../../../test/support/service.ts'
import { addDays } from '../../foundation/calendar.ts'
import { CURRENCIES } from '../../foundation/money.ts'
import { LEDGER_TYPES, SUBTYPES } from '../ledgers/contract.ts'
import type { Posting, PostingLine } from '../posting/contract.ts'
import { postEntries } from '../posting/operations.ts'
import type { ExportFormat, ExportLedger } from './contract.ts'
import { openExport } from './operations.ts'
import { accountNames } from './rules.ts'

const seed = seedFrom('EXPORT_SEED')
const COUNT = 2_000
const AS_OF = '2026-05-17'
const LAST = '9999-12-31'

const ODD_NAMES = [
  'Loan: "Bank"; new', '-- leading dashes', '; comment', '* star', '= auto', '(virtual)', '[balanced]', "O'Brien & Söhne", '現金', 'Касса', 'a', 'A',
  'Ñandú', 'x'.repeat(120), '銀行 '.repeat(40).trim(), 'two\u00a0\u00a0spaces', '@@ 1.00 USD', '{{cost}}', '"quoted"', 'back\\slash', '💰', '100%',
  'date:2026-99-99', 'Assets:Nested', 'A-B', 'A:B', 'A;B',
]

let example: Example
let folder = ''
beforeAll(async () => {
  (await service()).clock.set(EXAMPLE_NOW)
  example = await exampleBooks()
  await addRandom(example.business_id)
  folder = await mkdtemp(join(tmpdir(), 'daybook-export-'))
  await writeFile(join(folder, 'whole.journal'), await fileOf('hledger'))
  await writeFile(join(folder, 'part.journal'), await fileOf('hledger', AS_OF))
  await writeFile(join(folder, 'whole.beancount'), await fileOf('beancount'))
})
afterAll(async () => {
  (await service()).clock.set(null)
  await rm(folder, { recursive: true, force: true })
})

async function fileOf(format: ExportFormat, as_of?: string): Promise<string> {
  const answer = await example.client.get('/books/export', { format, ...(as_of ? { as_of } : {}) })
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([200, 'text/plain; charset=utf-8', null])
  return answer.body
}

/** Entries of one currency, of several, and such that move the base amount alone, on ledgers with all kinds of names. */
async function addRandom(business_id: string): Promise<void> {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const ledgers: string[] = []
  for (const [index, name] of ODD_NAMES.entries()) {
    const type = LEDGER_TYPES[index % 5] ?? 'asset'
    const subtype = SUBTYPES[type].at(-1) ?? ''
    const above = [...`${name} ${index}`].slice(-120).join('')
    const heading = await newLedger(business_id, { name: above, number: index % 2 === 0 ? `H${index};` : null, type, subtype, posting: false })
    const number = index % 3 === 0 ? `${index}:x` : null
    ledgers.push(await newLedger(business_id, { name, number, type, subtype, parent_id: index % 4 === 0 ? null : heading }))
  }
  const amount = () => (random(3) === 0 ? 1 + random(9) : 1 + random(9_000_000)) * (random(2) === 0 ? 1 : -1)
  const day = () => addDays('2026-03-01', random(120))
  const memo = () => (random(3) === 0 ? null : pick(ODD_NAMES))

  const plain = (): Posting => {
    const currency = pick(CURRENCIES)
    const amounts = Array.from({ length: 1 + random(4) }, amount)
    const rest = -amounts.reduce((sum, each) => sum + each, 0)
    const lines = [...amounts, ...(rest === 0 ? [1, -1] : [rest])].map((each): PostingLine => ({ ledger_id: pick(ledgers), amount: each, memo: memo() }))
    const rate = currency === 'USD' ? null : `0.${1 + random(9)}${random(10)}${random(10)}`
    return { date: day(), source_type: 'manual', currency, rate, memo: memo(), lines }
  }
  const mixed = (): Posting => {
    const lines = Array.from({ length: 2 + random(3) }, (): PostingLine => {
      const base_amount = amount()
      const currency = pick(CURRENCIES)
      if (currency === 'USD') return { ledger_id: pick(ledgers), currency, amount: base_amount }
      const foreign = random(4) === 0 ? 0 : Math.sign(base_amount) * Math.abs(amount())
      return { ledger_id: pick(ledgers), currency, amount: foreign, base_amount: random(8) === 0 && foreign !== 0 ? 0 : base_amount, memo: memo() }
    })
    const rest = -lines.reduce((sum, each) => sum + (each.base_amount ?? each.amount), 0)
    const balancing = (rest === 0 ? [1, -1] : [rest]).map((each): PostingLine => ({ ledger_id: pick(ledgers), amount: each }))
    return { date: day(), source_type: 'manual', memo: memo(), lines: [...lines, ...balancing] }
  }
  for (let made = 0; made < COUNT; made += 500) {
    await inside(business_id, (tx) => postEntries(tx, Array.from({ length: 500 }, () => (random(3) === 0 ? mixed() : plain())), { recorded: false }))
  }
}

type Balances = { base: Map<string, number>; foreign: Map<string, number> }

/** Ours, by the name of the account: in the base currency, and in each other one as `account EUR`. */
async function ours(format: ExportFormat, as_of = LAST): Promise<Balances> {
  const ledgers: ExportLedger[] = await sql('select id, number, name, type, parent_id from ledgers where business_id = $1', [example.business_id])
  const names = accountNames(format, ledgers)
  // Up to a date from the days, on the whole from the months.
  const [table, column] = as_of === LAST ? ['ledger_months', 'month'] : ['ledger_days', 'date']
  const rows = await sql(
    `select ledger_id, currency, sum(amount)::float8 as amount, sum(debit - credit)::float8 as base
     from ${table} where business_id = $1 and ${column} <= $2 group by 1, 2`, [example.business_id, as_of])
  const base = new Map<string, number>()
  const foreign = new Map<string, number>()
  for (const row of rows) {
    const name = names.get(row.ledger_id) ?? ''
    base.set(name, (base.get(name) ?? 0) + row.base)
    if (row.currency !== 'USD') foreign.set(`${name} ${row.currency}`, row.amount)
  }
  return { base: withoutZeros(base), foreign: withoutZeros(foreign) }
}

const withoutZeros = (balances: Iterable<readonly [string, number]>) =>
  new Map([...balances].filter(([, amount]) => amount !== 0).sort(([a], [b]) => (a < b ? -1 : 1)))
const cents = (text: string) => Math.round(Number(text) * 100)

describe(`a second opinion (EXPORT_SEED=${seed})`, () => {
  const hledger = async (file: string): Promise<Balances> => {
    type Held = { acommodity: string; aquantity: { decimalMantissa: number; decimalPlaces: number } }
    const ask = async (...more: string[]): Promise<[string, string, number, Held[]][]> =>
      JSON.parse(await outputOf('hledger', '-f', join(folder, file), 'bal', '--flat', '-O', 'json', ...more))[0]
    const exact = ({ aquantity: { decimalMantissa, decimalPlaces } }: Held) => decimalMantissa * 10 ** (2 - decimalPlaces)
    const [costs, amounts] = await Promise.all([ask('--cost'), ask()])
    expect(costs.flatMap(([, , , held]) => held.map(({ acommodity }) => acommodity)).filter((commodity) => commodity !== 'USD')).toEqual([])
    return {
      base: withoutZeros(costs.map(([name, , , [held]]) => [name, held ? exact(held) : 0])),
      foreign: withoutZeros(amounts.flatMap(([name, , , all]) =>
        all.filter(({ acommodity }) => acommodity !== 'USD').map((held): [string, number] => [`${name} ${held.acommodity}`, exact(held)]))),
    }
  }

  itWith('hledger', 'hledger has our balances, at cost and in every currency', async () => {
    await outputOf('hledger', '-f', join(folder, 'whole.journal'), 'check', '--strict')
    expect(await hledger('whole.journal')).toEqual(await ours('hledger'))
  })

  itWith('hledger', 'hledger has our balances of a date', async () => {
    expect(await hledger('part.journal')).toEqual(await ours('hledger', AS_OF))
  })

  itWith('ledger', 'ledger reads the same file and has our balances too', async () => {
    const ask = async (...more: string[]) => {
      const row = '%(account)\t%(quantity(scrub(amount)))\n'
      const text = await outputOf('ledger', '-f', join(folder, 'whole.journal'), 'bal', '--flat', '--no-total', '-F', row, ...more)
      return text.split('\n').filter((each) => each !== '').map((each) => each.split('\t')).map(([name = '', amount = '']): [string, number] => [name, cents(amount)])
    }
    const foreign: [string, number][] = []
    for (const currency of CURRENCIES.slice(1)) {
      const balances = await ask('--limit', `commodity == "${currency}"`)
      foreign.push(...balances.map(([name, amount]): [string, number] => [`${name} ${currency}`, amount]))
    }
    expect({ base: withoutZeros(await ask('--basis')), foreign: withoutZeros(foreign) }).toEqual(await ours('hledger'))
  })

  itWith('bean-check', 'beancount has our balances, at cost and in every currency', async () => {
    const file = join(folder, 'whole.beancount')
    expect(await outputOf('bean-check', file)).toBe('')
    const ask = async (query: string) =>
      (await outputOf('bean-query', '-f', 'csv', '-m', file, query)).trimEnd().split('\n').slice(1).map((row) => row.split(',').map((cell) => cell.trim()))
    const costs = await ask('select account, sum(cost(position)) as cost group by account')
    const amounts = await ask('select account, currency, sum(number) as amount group by account, currency')
    const abroad = amounts.filter(([, currency]) => currency !== 'USD')
    expect({
      base: withoutZeros(costs.map(([name = '', amount = '']) => [name, cents(amount)])),
      foreign: withoutZeros(abroad.map(([name, currency, amount = '']) => [`${name} ${currency}`, cents(amount)])),
    }).toEqual(await ours('beancount'))
  })

  it('every entry is there once, with its number and hash', async () => {
    const rows = await sql(`select number::int, encode(hash, 'hex') as hash from journal_entries where business_id = $1 order by number`, [example.business_id])
    expect(rows.length).toBe(COUNT + 24)
    for (const file of [await fileOf('hledger'), await fileOf('beancount')]) {
      expect([...file.matchAll(/^ *; entry (\d+) hash ([0-9a-f]{64})$/gm)].map(([, number, hash]) => ({ number: Number(number), hash }))).toEqual(rows)
    }
  })
})

describe('the file', () => {
  it('is one state of the books, read in several transactions while others post', async () => {
    const { business_id } = example
    const { file_name, parts } = await inside(business_id, (tx) => openExport(tx, { format: 'beancount' }))
    expect(file_name).toBe('books-2026-07-15.beancount')
    const before = await fileOf('beancount')
    let [text, reads] = ['', 0]
    const read = <T>(work: Parameters<typeof inside<T>>[1]) => (reads++, inside(business_id, work))
    const bank = (await sql(`select id from ledgers where business_id = $1 and name = 'Example bank'`, [business_id]))[0].id
    const sales = (await sql(`select id from ledgers where business_id = $1 and role = 'sales'`, [business_id]))[0].id
    for await (const part of parts(read)) {
      text += part
      await post(business_id, { date: '2026-06-01', memo: 'Meanwhile', lines: [[bank, 1], [sales, -1]] })
    }
    expect(reads).toBeGreaterThan(1)
    expect(text === before).toBe(true)
    expect((await fileOf('beancount')).match(/"Meanwhile"/g)?.length).toBe(reads + 1)
  })

  it('is named after its date, and is empty but for its accounts before the first entry', async () => {
    const answer = await example.client.get('/books/export', { as_of: '2025-12-31' })
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="books-2025-12-31.journal"')
    expect(answer.body).toMatch(/^; The books of Test Trading, up to entry \d+ and 2025-12-31, as kept by Daybook\. Base currency USD\.\n/)
    expect(answer.body).toContain('\naccount Assets:1100 Accounts Receivable\n')
    expect(answer.body).not.toContain('; entry')
    const empty = (await (await newBusiness()).client.get('/books/export', { format: 'beancount' })).body
    expect(empty).toContain('\n2026-07-15 open Assets:1100-Accounts-Receivable\n  name: "Accounts Receivable"\n')
  })

  it('is for accountants', async () => {
    for (const [role, status] of [['accountant', 200], ['bookkeeper', 403], ['viewer', 403]] as const) {
      expect([role, (await (await newMember(example.business_id, role)).client.get('/books/export', { as_of: '2025-12-31' })).status]).toEqual([role, status])
    }
    const token = await newToken(example.owner, ['books:read'])
    expect((await client(token, example.business_id).get('/books/export', { as_of: '2025-12-31' })).status).toBe(200)
  })

  it.each([[{ format: 'xml' }, 'format'], [{ as_of: '2026-02-30' }, 'as_of']])('is refused for %o', async (query, name) => {
    const { status, detail } = await example.client.get('/books/export', query as never)
    expect([status, detail[0].loc]).toEqual([422, ['query', name]])
  })
})
