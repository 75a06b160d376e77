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

const SETTLED = 'Every settling line stays within the open item that it settles, with its ledger, currency and party'
const TIED = 'Receivables and payables equal their open items at every month end, as a whole and by customer and vendor'
const BALANCED = 'What the cash basis adds to an entry sums to zero and has its date'
const SHARED = 'The cash basis counts of every document the share that was settled'
const OPPOSITE = 'The cash basis of every reversal and every mirror is the exact opposite of that of its entry'
const MONTHS = 'The months of every ledger on the cash basis are the sums of its lines'
const DAYS = 'The days of every ledger on the cash basis are the sums of its lines'
const TAGGED = 'The months by customer, vendor, project and dimension on the cash basis are the sums of their lines'
const CHAINED = 'The hashes of the journal form one chain, recomputed from every entry and line'
const LINE_OPPOSITE = 'Every reversal and every mirror is the exact opposite of its entry'
const LINE_TAGGED = 'The months by customer, vendor, project and dimension are the sums of their lines'

const unsealed = (number: number) => ({ [CHAINED]: [`entry ${number} says something else than when it was sealed`] })
const line = (number: number, position: number) => `business_id = $1 and entry_number = ${number} and position = ${position}`
const cash = (number: number, more: string) => `business_id = $1
     and id = (select id from cash_basis_lines where business_id = $1 and entry_number = ${number} and ${more} order by id limit 1)`
const some = expect.any(Array)

it.each<[what: string, table: string, change: string, found: Record<string, unknown>]>([
  ['more settled than there is', 'journal_lines', `update journal_lines set amount = 20000, base_amount = 20000 where ${line(13, 2)} or ${line(14, 1)}`, {
    [SETTLED]: ['with line 1 of entry 14, -200.00 USD of line 1 of entry 13 is settled, which is -40.00'],
    'Every entry balances in the base currency, and in its own where all its lines have one': some,
    'Every entry has the lines and the total that it says': some,
    'The months of every ledger are the sums of its lines': some, 'The days of every ledger are the sums of its lines': some,
    [LINE_TAGGED]: some, [CHAINED]: some,
    [TIED]: some, [SHARED]: some,
  }],
  ['more settled for a time than there was', 'journal_lines',
    'update journal_lines set amount = sign(amount) * 9999, base_amount = sign(amount) * 9999 where business_id = $1 and entry_number in (18, 19)', {
    [SETTLED]: ['with line 2 of entry 18, 99.99 USD of line 1 of entry 17 is settled, which is 55.55'],
    'Every entry has the lines and the total that it says': some, 'The months of every ledger are the sums of its lines': some,
    'The days of every ledger are the sums of its lines': some, [LINE_TAGGED]: some, [CHAINED]: some,
  }],
  ['the item of another customer', 'journal_lines', `update journal_lines set customer_id = gen_random_uuid() where ${line(8, 2)}`, {
    [SETTLED]: ['line 2 of entry 8 cannot settle line 1 of entry 7: another ledger, currency or party, or itself a settlement'],
    [LINE_TAGGED]: some, ...unsealed(8),
  }],
  ['a settled settlement', 'journal_lines',
    `update journal_lines set settles_line_id = (select id from journal_lines where ${line(6, 3)}) where ${line(8, 2)}`, {
    [SETTLED]: ['line 2 of entry 8 cannot settle line 3 of entry 6: another ledger, currency or party, or itself a settlement'], [SHARED]: some, ...unsealed(8),
  }],
  ['an item that is not there', 'journal_lines', `update journal_lines set settles_line_id = gen_random_uuid() where ${line(8, 2)}`, {
    [SETTLED]: ['line 2 of entry 8 settles a line that is not there'], [SHARED]: some, ...unsealed(8),
  }],
  ['a balance by customer that its items do not make', 'analysis_months',
    `update analysis_months set debit = debit + 5
     where business_id = $1 and axis = 'customer' and month = '2026-04-01'
       and ledger_id in (select id from ledgers where business_id = $1 and role = 'accounts_receivable')`,
    {
    [TIED]: [expect.stringMatching(/^1100 Accounts Receivable, customer [0-9a-f-]{36}: at the end of 2026-04 the balance is 141\.06 USD, its items make 141\.01$/)],
    [LINE_TAGGED]: some,
  }],
  ['a balance by vendor that its items do not make', 'analysis_months',
    `update analysis_months set credit = credit + 5
     where business_id = $1 and axis = 'vendor' and month = '2026-02-01'
       and ledger_id in (select id from ledgers where business_id = $1 and role = 'accounts_payable')`,
    {
    [TIED]: [expect.stringMatching(/^2000 Accounts Payable, vendor [0-9a-f-]{36}: at the end of 2026-02 the balance is -40\.05 USD, its items make -40\.00$/)],
    [LINE_TAGGED]: some,
  }],
  ['a balance of payables that its items do not make', 'ledger_months',
    `update ledger_months set debit = debit + 5
     where business_id = $1 and month = '2026-04-01'
       and ledger_id in (select id from ledgers where business_id = $1 and role = 'accounts_payable')`,
    {
    [TIED]: ['2000 Accounts Payable: at the end of 2026-04 the balance is -31.95 USD, its items make -32.00'],
    'The months of every ledger are the sums of its lines': some,
  }],
  ['lines of the cash basis that do not sum to zero', 'cash_basis_lines',
    `update cash_basis_lines set base_amount = base_amount - 1 where ${cash(6, 'document_line_id is null')}`, {
    [BALANCED]: ['the cash basis of entry 6 sums to -0.01 USD instead of zero'], [MONTHS]: some, [DAYS]: some, [TAGGED]: some,
  }],
  ['a line of the cash basis with another date', 'cash_basis_lines',
    `update cash_basis_lines set date = date + 1 where business_id = $1 and entry_number = 10`, {
    [BALANCED]: ['2 lines of the cash basis say that they belong to entry 10, but have not its id, date or kind'], [DAYS]: some,
  }],
  ['a document counted in another share', 'cash_basis_lines',
    `update cash_basis_lines set base_amount = base_amount * 2 where business_id = $1 and entry_number = 14`, {
    [SHARED]: ["line 1 of entry 13: 15.00 of 40.00 USD is settled; counted is 30.00 of 40.00 USD, which is another share or another line's"],
    [MONTHS]: some, [DAYS]: some, [TAGGED]: some,
  }],
  ['the share of one line given to another', 'cash_basis_lines', `update cash_basis_lines c set base_amount = o.base_amount from cash_basis_lines o
     where c.business_id = $1 and c.entry_number = 6 and o.business_id = $1 and o.entry_number = 6
       and c.ledger_id = o.ledger_id and c.document_line_id <> o.document_line_id`, {
    [SHARED]: ["line 1 of entry 2: 100.01 of 100.01 USD is settled; counted is -100.01 of -100.01 USD, which is another share or another line's"],
    [TAGGED]: some,
  }],
  ['a settlement that was never counted', 'cash_basis_lines', 'delete from cash_basis_lines where business_id = $1 and entry_number = 6', {
    [SHARED]: ["line 1 of entry 2: 100.01 of 100.01 USD is settled; counted is -30.00 of -100.01 USD, which is another share or another line's"],
    [MONTHS]: some, [DAYS]: some, [TAGGED]: some,
  }],
  ['a payment that settles nothing any more', 'journal_lines', `update journal_lines set settles_line_id = null where ${line(6, 3)}`, {
    [SHARED]: ["line 1 of entry 2: 30.00 of 100.01 USD is settled; counted is -100.01 of -100.01 USD, which is another share or another line's"],
    ...unsealed(6),
  }],
  ['a reversal that undoes something else', 'cash_basis_lines',
    `update cash_basis_lines set project_id = gen_random_uuid() where ${cash(19, 'document_line_id is not null')}`, {
    [OPPOSITE]: ['on the cash basis entry 19 is not the exact opposite of entry 18'], [TAGGED]: some,
  }],
  ['a mirror that undoes nothing', 'cash_basis_lines', 'delete from cash_basis_lines where business_id = $1 and entry_number = 12', {
    [OPPOSITE]: ['on the cash basis entry 12 is not the exact opposite of entry 11'], [MONTHS]: some, [DAYS]: some, [TAGGED]: some,
  }],
  ['a month with another amount', 'ledger_months',
    `update ledger_months set cash_debit = cash_debit + 1 where business_id = $1 and month = '2026-02-01' and cash_debit = 4000`, {
    [MONTHS]: ['2000 Accounts Payable, USD, 2026-02: debit is 40.01, the sum of its lines 40.00'],
  }],
  ['a day with another amount', 'ledger_days',
    `update ledger_days set cash_credit = cash_credit + 1 where business_id = $1 and date = '2026-02-15' and cash_credit > 0`, {
    [DAYS]: ['Example rent, USD, 2026-02-15: credit is 40.01, the sum of its lines 40.00'],
  }],
  ...['customer', 'vendor', 'project', 'dimension'].map((axis): [string, string, string, Record<string, unknown>] => [
    `another sum by ${axis}`, 'analysis_months',
    `update analysis_months set cash_debit = cash_debit + 5 where business_id = $1 and axis = '${axis}' and month = '2026-02-01'`,
    { [TAGGED]: expect.arrayContaining([expect.stringMatching(new RegExp(
      `^[\\w ]+, ${axis} [0-9a-f-]{36}, 2026-02: debit is [\\d.]+, the sum of its lines [\\d.]+$`,
    ))]) },
  ]),
  ['a line reversed for another item', 'journal_lines',
    `update journal_lines set settles_line_id = (select id from journal_lines where ${line(7, 1)}) where ${line(19, 2)}`, {
    [LINE_OPPOSITE]: ['entry 19 is not the exact opposite of entry 18, whose reversal it is'], [SETTLED]: some, [SHARED]: some, ...unsealed(19),
  }],
])('finds %s', async (_what, table, change, found) => {
  expect(await whileDamaged(example.business_id, table, change, () => problemsOf(example.client))).toEqual(found)
})

it('finds nothing once everything is put back', async () => {
  expect(await problemsOf(example.client)).toEqual({})
})
