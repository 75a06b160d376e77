// Tests of the door into the journal: what it writes, what it refuses, what the database refuses behind it, and many at once.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { redateEntry, reverseEntry } from './operations.ts'

let team: Team
let chart: Awaited<ReturnType<typeof chartOf>>
let checking: string
let rent: string
let sales: string
beforeAll(async () => {
  team = await newBusiness()
  chart = await chartOf(team.business_id)
  checking = chart.named('Checking')
  rent = chart.named('Rent')
  sales = chart.role('sales')
})

const today = new Date().toISOString().slice(0, 10)
const year = today.slice(0, 4)
const pay = (amount = 1000, date = today) => post(team.business_id, { date, lines: [[rent, amount], [checking, -amount]] }).then(([entry]) => entry!)
const balance = async (ledger_id: string): Promise<number> =>
  Number((await sql('select coalesce(sum(debit - credit), 0) as balance from ledger_months where business_id = $1 and ledger_id = $2', [team.business_id, ledger_id]))[0].balance)

describe('an entry', () => {
  it('is numbered, sealed and counted at once', async () => {
    const before = await balance(rent)
    const [first, second] = [await pay(100), await pay(200)]
    expect(second.number).toBe(first.number + 1)
    expect(second.previous_hash).toBe(first.hash)
    expect(await balance(rent)).toBe(before + 300)
    expect(await eventsOf(second.id)).toEqual(['journal_entry.posted'])
  })

  it('many at once leave no gap and lose nothing', async () => {
    const before = await balance(rent)
    const entries = await Promise.all(Array.from({ length: 40 }, (_, index) => pay(index + 1)))
    const numbers = entries.map(({ number }) => number).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => (numbers[0] ?? 0) + index))
    expect(await balance(rent)).toBe(before + (40 * 41) / 2)
  })

  it('with auto_reverse_on comes with its mirror, and goes with it', async () => {
    const lines: [string, number][] = [[rent, 500], [checking, -500]]
    const [entry, mirror] = await post(team.business_id, { date: `${year}-01-31`, auto_reverse_on: `${year}-02-01`, lines })
    expect(mirror).toMatchObject({ mirror_of_id: entry!.id, date: `${year}-02-01`, auto_reverse_on: null })
    expect(mirror!.lines.map(({ amount }) => amount)).toEqual([-500, 500])
    await inside(team.business_id, (tx) => reverseEntry(tx, mirror!.id))
    const rows = await sql('select status from journal_entries where business_id = $1 and id = any($2)', [team.business_id, [entry!.id, mirror!.id]])
    expect(rows.map(({ status }) => status)).toEqual(['reversed', 'reversed'])
  })
})

describe('a reversal', () => {
  it('is the opposite, once, and cannot be reversed itself', async () => {
    const before = await balance(rent)
    const entry = await pay(700)
    const reversed = await inside(team.business_id, (tx) => reverseEntry(tx, entry.id))
    expect(reversed.status).toBe('reversed')
    expect(await balance(rent)).toBe(before)
    const again = await inside(team.business_id, (tx) => reverseEntry(tx, entry.id))
    expect(again.reversed_by_id).toBe(reversed.reversed_by_id)
    expect(await balance(rent)).toBe(before)
    await expect(inside(team.business_id, (tx) => reverseEntry(tx, reversed.reversed_by_id!))).rejects.toThrow(/is a reversal: post the entry anew/)
  })

  it('of two at once only one is posted', async () => {
    const entry = await pay(900)
    await Promise.all([1, 2, 3].map(() => inside(team.business_id, (tx) => reverseEntry(tx, entry.id))))
    expect(await sql('select id from journal_entries where business_id = $1 and reversal_of_id = $2', [team.business_id, entry.id])).toHaveLength(1)
  })

  it('may be dated in a year that does not exist yet', async () => {
    const entry = await pay(100, `${year}-12-31`)
    const reversal_date = `${Number(year) + 1}-01-01`
    const { reversed_by_id } = await inside(team.business_id, (tx) => reverseEntry(tx, entry.id, { reversal_date }))
    expect(await sql('select date::text from journal_entries where id = $1', [reversed_by_id])).toEqual([{ date: reversal_date }])
  })

  it('cannot be dated before its entry', async () => {
    const entry = await pay(100, `${year}-03-10`)
    await expect(inside(team.business_id, (tx) => reverseEntry(tx, entry.id, { reversal_date: `${year}-03-09` }))).rejects.toThrow(/cannot be before/)
  })
})

it('re-dating moves the balance from one month to the other and leaves the pair out of sight', async () => {
  const entry = await pay(1234, `${year}-01-15`)
  const moved = await inside(team.business_id, (tx) => redateEntry(tx, entry.id, `${year}-02-15`))
  expect([moved.date, moved.lines.map(({ amount }) => amount)]).toEqual([`${year}-02-15`, [1234, -1234]])
  const rows = await sql('select superseded from journal_entries where business_id = $1 and (id = $2 or reversal_of_id = $2)', [team.business_id, entry.id])
  expect(rows).toEqual([{ superseded: true }, { superseded: true }])
})

describe('items', () => {
  const customer_id = newId()
  const invoice = async (amount: number) => {
    const [entry] = await post(team.business_id, { date: today, source_type: 'invoice', source_id: newId(), lines: [{ ledger_id: chart.role('accounts_receivable'), amount, customer_id }, { ledger_id: sales, amount: -amount }] })
    return entry!.lines[0]!.id
  }
  const settle = (settles_line_id: string, amount: number, more: object = {}) =>
    post(team.business_id, { date: today, lines: [{ ledger_id: checking, amount }, { ledger_id: chart.role('accounts_receivable'), amount: -amount, customer_id, settles_line_id, ...more }] })

  it('are settled bit by bit, never beyond what is open', async () => {
    const item = await invoice(1000)
    await settle(item, 600)
    await expect(settle(item, 401)).rejects.toThrow('Line 2 settles 4.01 where 4.00 USD is open.')
    await settle(item, 400)
    await expect(settle(item, 1)).rejects.toThrow('Line 2 settles 0.01 where 0.00 USD is open.')
    const counted = await sql(`select coalesce(sum(base_amount), 0) as left_out from cash_basis_lines where business_id = $1 and item_line_id = $2 and ledger_id = $3`, [team.business_id, item, sales])
    expect(Number(counted[0].left_out)).toBe(0)
  })

  it('of two payments at once only one fits', async () => {
    const item = await invoice(1000)
    const outcomes = await Promise.allSettled([settle(item, 700), settle(item, 700)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it.each<[string, object, RegExp]>([
    ['another customer', { customer_id: newId() }, /same customer or vendor/],
    ['a line that is not there', { settles_line_id: newId() }, /was not found|not found/],
  ])('are not settled by %s', async (_case, more, detail) => {
    await expect(settle(await invoice(500), 100, more)).rejects.toThrow(detail)
  })

  it('an entry whose item is settled is not reversed before the payment', async () => {
    const item = await invoice(500)
    const [payment] = await settle(item, 200)
    const [{ entry_id }] = await sql('select entry_id from journal_lines where business_id = $1 and id = $2', [team.business_id, item])
    await expect(inside(team.business_id, (tx) => reverseEntry(tx, entry_id))).rejects.toThrow(`is settled by entry ${payment!.number}: reverse that one first.`)
    await inside(team.business_id, (tx) => reverseEntry(tx, payment!.id))
    await inside(team.business_id, (tx) => reverseEntry(tx, entry_id))
  })
})

describe('the door refuses', () => {
  const refused = (lines: object[], more: object = {}) => post(team.business_id, { date: today, lines: lines as never, ...more })
  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['what does not balance', () => refused([[rent, 100], [checking, -99]]), /debits are 0\.01 USD above its credits/],
    ['a ledger that is not there', () => refused([[newId(), 100], [checking, -100]]), /Ledger .* of line 1/],
    ['a foreign currency on a cash ledger', () => refused([{ ledger_id: checking, amount: 100, currency: 'CAD' }, { ledger_id: rent, amount: -100, currency: 'CAD' }], { rate: '0.7' }), /is kept in USD: line 1 cannot be in CAD/],
    ['a currency without a rate', () => refused([{ ledger_id: rent, amount: 100, currency: 'EUR' }, { ledger_id: sales, amount: -100, currency: 'EUR' }]), /No EUR\/USD rate on or before/],
    ['a mirror that is not later', () => refused([[rent, 100], [checking, -100]], { auto_reverse_on: today }), /must come after/],
    ['a balance beyond what a number holds', async () => {
      const huge = Number.MAX_SAFE_INTEGER
      await refused([[rent, huge], [sales, -huge]], { date: `${year}-05-05` })
      await refused([[rent, huge], [sales, -huge]], { date: `${year}-05-05` })
    }, /out of the range/],
  ])('%s', async (_case, attempt, detail) => {
    const [{ count }] = await sql('select count(*) from journal_entries where business_id = $1', [team.business_id])
    await expect(attempt()).rejects.toThrow(detail)
    if (!detail.source.includes('range')) expect((await sql('select count(*) from journal_entries where business_id = $1', [team.business_id]))[0].count).toBe(count)
  })

  it('ledgers that take no lines', async () => {
    const [{ id }] = await sql(`update ledgers set archived = true where business_id = $1 and name = 'Meals' returning id`, [team.business_id])
    await sql('update journal_heads set stamp = gen_random_uuid() where business_id = $1', [team.business_id])
    await expect(refused([[id, 100], [checking, -100]])).rejects.toThrow(/Meals is archived: restore it/)
    await sql(`update ledgers set archived = false, posting = false where id = $1`, [id])
    await sql('update journal_heads set stamp = gen_random_uuid() where business_id = $1', [team.business_id])
    await expect(refused([[id, 100], [checking, -100]])).rejects.toThrow(/Meals is a heading/)
  })
})

it('a balance that several months take out of range is refused when it is read, and does no harm', async () => {
  const other = await newBusiness()
  const books = await chartOf(other.business_id)
  for (const month of ['01', '02']) await post(other.business_id, { date: `${year}-${month}-10`, lines: [[books.named('Rent'), Number.MAX_SAFE_INTEGER], [books.named('Checking'), -Number.MAX_SAFE_INTEGER]] })
  const answers = await Promise.all(['/ledgers/balances', `/ledgers/${books.named('Rent')}`].map((path) => other.client.get(path)))
  for (const { status, detail } of answers) expect([status, detail]).toEqual([400, expect.stringMatching(/out of range/)])
  expect((await other.client.get('/accounting-periods')).status).toBe(200)
})

describe('the database refuses, whoever asks', () => {
  it.each([
    ['to change a line', 'update journal_lines set amount = amount + 1 where business_id = $1', /append-only/],
    ['to delete a line', 'delete from journal_lines where business_id = $1', /append-only/],
    ['to change a fact of an entry', 'update journal_entries set date = date + 1 where business_id = $1', /append-only/],
    ['to delete an entry', 'delete from journal_entries where business_id = $1', /append-only/],
    ['to undo a reversal', 'update journal_entries set reversed_by_id = null where business_id = $1 and reversed_by_id is not null', /append-only/],
    ['a line more for a posted entry', `insert into journal_lines select business_id, gen_random_uuid(), entry_id, entry_number, 99, date, ledger_id, currency, amount, base_amount, rate, memo, customer_id, vendor_id,
      project_id, dimension_value_ids, tax_code_id, settles_line_id, is_adjusting from journal_lines where business_id = $1 limit 1`, /does not balance/],
    ['an entry without lines', `insert into journal_entries (business_id, id, number, date, recorded_at, source_type, currency, rate, is_adjusting, line_count, total, previous_hash, hash, superseded, updated_at, version)
      select business_id, gen_random_uuid(), 999999, date, now(), 'manual', 'USD', 1, false, 2, 0, '', '', false, now(), 1 from journal_entries where business_id = $1 limit 1`, /has no lines/],
    ['an entry outside any period', `insert into journal_entries (business_id, id, number, date, recorded_at, source_type, currency, rate, is_adjusting, line_count, total, previous_hash, hash, superseded, updated_at, version)
      select business_id, gen_random_uuid(), 999999, '1990-01-01', now(), 'manual', 'USD', 1, false, 2, 0, '', '', false, now(), 1 from journal_entries where business_id = $1 limit 1`, /no open period/],
  ])('%s', async (_case, text, error) => {
    await expect(sql(text, [team.business_id])).rejects.toThrow(error)
  })
})
