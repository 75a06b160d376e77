import { afterAll, beforeAll, expect, it } from 'vitest'
import { letGo, problemsOf, whileDamaged } from '../../../test/support/damage.ts'
import { EXAMPLE_NOW, exampleBooks, type Example } from '../../../test/support/example-books.ts'
import { service } from '../../../test/support/service.ts'

let example: Example
beforeAll(async () => {
  (await service()).clock.set(EXAMPLE_NOW)
  example = await exampleBooks()
})
afterAll(async () => {
  (await service()).clock.set(null)
  await letGo()
})

const BALANCED = 'Every entry balances in the base currency, and in its own where all its lines have one'
const WHOLE = 'Every entry has the lines and the total that it says'
const BELONGING = 'Every line belongs to its entry and has its date'
const NUMBERED = 'Entries are numbered from 1 to the head of the journal without a gap'
const ORDERED = 'No entry was recorded before the one with the number before it'
const CHAINED = 'The hashes of the journal form one chain, recomputed from every entry and line'
const MONTHS = 'The months of every ledger are the sums of its lines'
const DAYS = 'The days of every ledger are the sums of its lines'
const TAGGED = 'The months by customer, vendor, project and dimension are the sums of their lines'
const OPPOSITE = 'Every reversal and every mirror is the exact opposite of its entry'
const REVERSED = 'An entry says that it was reversed where there is a reversal of it, and nowhere else'
const CASH_TAGGED = 'The months by customer, vendor, project and dimension on the cash basis are the sums of their lines'
const CASH_MONTHS = 'The months of every ledger on the cash basis are the sums of its lines'
const SETTLED = 'Every settling line stays within the open item that it settles, with its ledger, currency and party'

const unsealed = (...numbers: number[]) => ({ [CHAINED]: numbers.map((number) => `entry ${number} says something else than when it was sealed`) })
const line = (number: number, position: number) => `business_id = $1 and entry_number = ${number} and position = ${position}`
const entry = (number: number) => `business_id = $1 and number = ${number}`
const some = expect.any(Array)
const saying = (text: string) => expect.stringContaining(text)

it('finds nothing in books that nobody has touched', async () => {
  expect(await problemsOf(example.client)).toEqual({})
})

it.each<[what: string, table: string, change: string, found: Record<string, unknown>]>([
  ['an entry that does not balance', 'journal_lines', `update journal_lines set base_amount = base_amount + 1 where ${line(1, 1)}`, {
    [BALANCED]: ['entry 1 does not balance: its lines sum to 0.01 USD'],
    [WHOLE]: ['entry 1 says 2 lines and a total of 500.00; it has 2 and 500.01'],
    [MONTHS]: ['Example bank, USD, 2026-01: debit is 500.00, the sum of its lines 500.01'],
    [DAYS]: ['Example bank, USD, 2026-01-05: debit is 500.00, the sum of its lines 500.01'],
    ...unsealed(1),
  }],
  ['an entry that does not balance in its own currency', 'journal_lines', `update journal_lines set amount = amount - 1 where ${line(9, 1)}`, {
    [BALANCED]: ['entry 9 does not balance: its lines sum to -0.01 EUR'],
    [MONTHS]: ['1100 Accounts Receivable, EUR, 2026-02: amount is 200.03, the sum of its lines 200.02'],
    [DAYS]: ['1100 Accounts Receivable, EUR, 2026-02-10: amount is 200.03, the sum of its lines 200.02'],
    ...unsealed(9),
  }],
  ['a line that was taken away', 'journal_lines', `delete from journal_lines where ${line(2, 3)}`, {
    [BALANCED]: ['entry 2 does not balance: its lines sum to 66.67 USD'],
    [WHOLE]: ['entry 2 says 3 lines and a total of 100.01; it has 2 and 100.01'],
    [MONTHS]: ['4000 Sales, USD, 2026-01: amount is -600.01, the sum of its lines -533.34; credit is 600.01, the sum of its lines 533.34'],
    [DAYS]: ['4000 Sales, USD, 2026-01-10: amount is -100.01, the sum of its lines -33.34; credit is 100.01, the sum of its lines 33.34'],
    [TAGGED]: [saying('2026-01: credit is 100.01, the sum of its lines 33.34'), saying('2026-01: credit is 566.67, the sum of its lines 500.00')],
    ...unsealed(2),
  }],
  ['a wrong total', 'journal_entries',
    `update journal_entries set total = total + 1 where ${entry(1)}`, { [WHOLE]: ['entry 1 says 2 lines and a total of 500.01; it has 2 and 500.00'] }],
  ['a wrong count of lines', 'journal_entries',
    `update journal_entries set line_count = 3 where ${entry(1)}`, { [WHOLE]: ['entry 1 says 3 lines and a total of 500.00; it has 2 and 500.00'] }],
  ['lines that are not numbered in order', 'journal_lines', `update journal_lines set position = 7 where ${line(1, 2)}`, {
    [WHOLE]: ['entry 1 says 2 lines and a total of 500.00; it has 2 and 500.00'],
  }],
  ['another date on an entry', 'journal_entries', `update journal_entries set date = date + 1 where ${entry(1)}`, {
    [BELONGING]: ['line 1 of entry 1 is dated 2026-01-05, its entry 2026-01-06', 'line 2 of entry 1 is dated 2026-01-05, its entry 2026-01-06'], ...unsealed(1),
  }],
  ['a line marked otherwise than its entry', 'journal_lines', `update journal_lines set is_adjusting = true where ${line(1, 2)}`, {
    [BELONGING]: ['line 2 of entry 1 is marked otherwise than its entry'],
  }],
  ['an entry that was taken away', 'journal_entries', `delete from journal_entries where ${entry(1)}`, {
    [WHOLE]: ['entry 1 is not there, but 2 of its lines are'],
    [BELONGING]: ['line 1 of entry 1 has no entry', 'line 2 of entry 1 has no entry'],
    [NUMBERED]: ['entry 1 is missing'],
    [CHAINED]: ['entry 2 does not carry the hash of an empty journal, which it follows'],
  }],
  ['an end that was taken away', 'journal_entries', `delete from journal_entries where business_id = $1 and number >= 23`, {
    [NUMBERED]: ['the head of the journal stands at 24, its last entry is 22'],
    [CHAINED]: ['the head of the journal does not carry the hash of entry 22, where it ends'],
    [ORDERED]: some, [WHOLE]: some, [BELONGING]: some, [REVERSED]: some, 'What the cash basis adds to an entry sums to zero and has its date': some,
  }],
  ['a head that is too far', 'journal_heads',
    'update journal_heads set number = 25 where business_id = $1', { [NUMBERED]: ['the head of the journal stands at 25, its last entry is 24'] }],
  ['a head with another hash', 'journal_heads', `update journal_heads set hash = '\\x00' where business_id = $1`, {
    [CHAINED]: ['the head of the journal does not carry the hash of entry 24, where it ends'],
  }],
  ['a head with another time', 'journal_heads', `update journal_heads set recorded_at = recorded_at + interval '1 second' where business_id = $1`, {
    [ORDERED]: ['the head of the journal was moved at 2026-07-15T12:19:01.000Z, its last entry was recorded at 2026-07-15T12:19:00.000Z'],
  }],
  ['an entry recorded before the one before it', 'journal_entries',
    `update journal_entries set recorded_at = recorded_at - interval '61 seconds' where ${entry(7)}`, {
    [ORDERED]: ['entry 7 was recorded at 2026-07-15T12:04:59.000Z, the one before it at 2026-07-15T12:05:00.000Z'], ...unsealed(7),
  }],
  ['another memo on a line', 'journal_lines', `update journal_lines set memo = 'Nothing happened' where ${line(1, 1)}`, unsealed(1)],
  ['another source of an entry', 'journal_entries', `update journal_entries set source_type = 'bill' where ${entry(2)}`, unsealed(2)],
  ['a chain that was sewn together again', 'journal_entries', `update journal_entries set previous_hash = '\\x00' where ${entry(3)}`, {
    [CHAINED]: ['entry 3 does not carry the hash of entry 2, which it follows', 'entry 3 says something else than when it was sealed'],
  }],
  ['a month with another amount', 'ledger_months',
    `update ledger_months set amount = amount + 1 where business_id = $1 and month = '2026-05-01' and debit = 700`, {
    [MONTHS]: ['2000 Accounts Payable, USD, 2026-05: amount is 7.01, the sum of its lines 7.00'],
  }],
  ['a month too many', 'ledger_months',
    `insert into ledger_months select business_id, ledger_id, currency, '2030-01-01', 0, 5, 5, 0, 0
     from ledger_months where business_id = $1 and month = '2026-05-01' and debit = 700`,
    {
    [MONTHS]: ['2000 Accounts Payable, USD, 2030-01: debit is 0.05, the sum of its lines 0.00; credit is 0.05, the sum of its lines 0.00'],
  }],
  ['a month that is missing', 'ledger_months',
    `delete from ledger_months
     where business_id = $1 and month = '2026-05-01' and credit = 321 and amount = 0
       and ledger_id in (select id from ledgers where business_id = $1 and role = 'sales')`,
    {
    [MONTHS]: ['4000 Sales, USD, 2026-05: debit is 0.00, the sum of its lines 3.21; credit is 0.00, the sum of its lines 3.21'],
    [CASH_MONTHS]: ['4000 Sales, USD, 2026-05: debit is 0.00, the sum of its lines 3.21; credit is 0.00, the sum of its lines 3.21'],
  }],
  ['a day with another amount', 'ledger_days', `update ledger_days set debit = debit + 1 where business_id = $1 and date = '2026-01-05' and debit > 0`, {
    [DAYS]: ['Example bank, USD, 2026-01-05: debit is 500.01, the sum of its lines 500.00'],
  }],
  ['a day that is missing', 'ledger_days', `delete from ledger_days where business_id = $1 and date = '2026-01-05' and debit > 0`, {
    [DAYS]: ['Example bank, USD, 2026-01-05: amount is 0.00, the sum of its lines 500.00; debit is 0.00, the sum of its lines 500.00'],
  }],
  ...['customer', 'vendor', 'project', 'dimension'].map((axis): [string, string, string, Record<string, unknown>] => [
    `another sum by ${axis}`, 'analysis_months',
    `update analysis_months set debit = debit + 5, credit = credit + 5 where business_id = $1 and axis = '${axis}' and month = '2026-02-01'`,
    { [TAGGED]: expect.arrayContaining([expect.stringMatching(new RegExp(
      `^[\\w ]+, ${axis} [0-9a-f-]{36}, 2026-02: debit is [\\d.]+, the sum of its lines [\\d.]+; credit is`,
    ))]) },
  ]),
  ['a sum by tag that is missing', 'analysis_months', `delete from analysis_months where business_id = $1 and axis = 'dimension' and month = '2026-01-01'`, {
    [TAGGED]: [saying('2026-01: credit is 0.00, the sum of its lines 533.34')], [CASH_TAGGED]: [saying('2026-01: debit is 0.00')],
  }],
  ['a sum by tag too many', 'analysis_months',
    `insert into analysis_months select business_id, 'project', gen_random_uuid(), ledger_id, month, 3, 3, 0, 0
     from analysis_months where business_id = $1 and axis = 'dimension' and month = '2026-01-01'`,
    {
    [TAGGED]: [saying('2026-01: debit is 0.03, the sum of its lines 0.00; credit is 0.03')],
  }],
  ['a reversal of another amount', 'journal_lines',
    'update journal_lines set amount = amount * 2, base_amount = base_amount * 2 where business_id = $1 and entry_number = 19', {
    [OPPOSITE]: ['entry 19 is not the exact opposite of entry 18, whose reversal it is'],
    [WHOLE]: some, [MONTHS]: some, [DAYS]: some, [TAGGED]: some, [SETTLED]: some,
    'Receivables and payables equal their open items at every month end, as a whole and by customer and vendor': some,
    'The cash basis counts of every document the share that was settled': some, ...unsealed(19),
  }],
  ['a mirror with another tax code', 'journal_lines', `update journal_lines set tax_code_id = gen_random_uuid() where ${line(16, 1)}`, {
    [OPPOSITE]: ['entry 16 is not the exact opposite of entry 15, whose mirror it is'], ...unsealed(16),
  }],
  ['a mirror that is none any more', 'journal_entries', `update journal_entries set mirror_of_id = null where ${entry(16)}`, {
    [OPPOSITE]: ['entry 15 is to be mirrored, but has no mirror'], ...unsealed(16),
  }],
  ['an entry that no longer says it was reversed', 'journal_entries',
    `update journal_entries set reversed_by_id = null where ${entry(3)}`, { [REVERSED]: ['entry 4 reverses entry 3, which does not say so'] }],
  ['an entry that says so for no reason', 'journal_entries',
    `update journal_entries set reversed_by_id = (select id from journal_entries where ${entry(6)}) where ${entry(1)}`, {
    [REVERSED]: ['entry 1 says that it was reversed by entry 6, which does not reverse it'],
  }],
  ['only half of a pair marked as replaced', 'journal_entries', `update journal_entries set superseded = false where ${entry(3)}`, {
    [REVERSED]: ['only one of entries 3 and 4, its reversal, is marked as replaced'],
  }],
])('finds %s', async (_what, table, change, found) => {
  expect(await whileDamaged(example.business_id, table, change, () => problemsOf(example.client))).toEqual(found)
})

it('tells twenty problems at most, and how many there are', async () => {
  const sealed = await whileDamaged(example.business_id, 'journal_lines', `update journal_lines set memo = 'x' where business_id = $1`,
    () => problemsOf(example.client))
  expect(Object.keys(sealed)).toEqual([CHAINED])
  expect([sealed[CHAINED]?.length, sealed[CHAINED]?.at(-1)]).toEqual([20, 'and 5 more of this kind'])
  const days = await whileDamaged(example.business_id, 'ledger_days', 'update ledger_days set debit = debit + 1 where business_id = $1',
    () => problemsOf(example.client))
  expect([days[DAYS]?.length, days[DAYS]?.at(-1)]).toEqual([20, saying(' more of this kind')])
  expect(await problemsOf(example.client)).toEqual({})
})
