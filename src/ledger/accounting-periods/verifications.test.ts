import { afterAll, beforeAll, expect, it } from 'vitest'
import { letGo, problemsOf, whileDamaged } from '../../../test/support/damage.ts'
import { inside } from '../../../test/support/books.ts'
import { EXAMPLE_NOW, exampleBooks, type Example } from '../../../test/support/example-books.ts'
import { sql } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { closePeriod, reopenPeriod } from './operations.ts'

let example: Example
beforeAll(async () => {
  (await service()).clock.set(EXAMPLE_NOW)
  example = await exampleBooks()
})
afterAll(async () => {
  (await service()).clock.set(null)
  await letGo()
})

const JOINED = 'The periods follow one another without a gap or an overlap'
const INSIDE = 'The date of every entry lies in a period'
const LATE = 'No entry has come into a closed period since it was certified'
const SIGNED = 'Every closed period carries the hash of its certificate, which follows from what the certificate says'
const UNCHANGED = 'The balances of every closed period are those of its certificate'

const changed = (name: string) => `the certificate of ${name} of 2026-07-15T18:00:00.000Z says something else than when it was signed`
const period = (name: string) => `business_id = $1 and name = '${name}'`
const certificate = (name: string) => `business_id = $1 and period_id = (select id from accounting_periods where ${period(name)})`

it.each<[what: string, table: string, change: string, found: Record<string, unknown>]>([
  ['a gap', 'accounting_periods',
    `update accounting_periods set end_date = end_date - 1 where ${period('2026-09')}`,
    { [JOINED]: ['2026-10 starts on 2026-10-01, but 2026-09 before it ends on 2026-09-29'] }],
  ['an overlap', 'accounting_periods',
    `update accounting_periods set end_date = end_date + 1 where ${period('2026-09')}`,
    { [JOINED]: ['2026-10 starts on 2026-10-01, but 2026-09 before it ends on 2026-10-01'] }],
  ['entries outside all periods', 'accounting_periods', `delete from accounting_periods where ${period('2026-05')}`, {
    [JOINED]: ['2026-06 starts on 2026-06-01, but 2026-04 before it ends on 2026-04-30'],
    [INSIDE]: [16, 21, 23].map((number) => `entry ${number} of ${number === 16 ? '2026-05-01' : '2026-05-10'} lies in no period`),
  }],
  ['an entry that came after the certificate', 'period_certificates', `update period_certificates set journal_number = 1 where ${certificate('2026-01')}`, {
    [LATE]: ['entry 2 of 2026-01-10 lies in 2026-01, which was closed at entry 1'], [SIGNED]: [changed('2026-01')],
  }],
  ['another hash on the period', 'accounting_periods',
    `update accounting_periods set closing_hash = 'x' where ${period('2026-01')}`, { [SIGNED]: ['2026-01 does not carry the hash of its certificate'] }],
  ['a certificate that was taken away', 'period_certificates',
    `delete from period_certificates where ${certificate('2026-02')}`, { [SIGNED]: ['2026-02 is closed without a certificate'] }],
  ['another balance on the certificate', 'period_certificates',
    `update period_certificates set trial_balance = jsonb_set(trial_balance, '{0,closing}', '7') where ${certificate('2026-02')}`, {
    [SIGNED]: [changed('2026-02')], [UNCHANGED]: ['2026-02, 1100 Accounts Receivable: closing was certified as 0.07 and is 290.04'],
  }],
  ['a ledger left out of the certificate', 'period_certificates',
    `update period_certificates set trial_balance = trial_balance - 0 where ${certificate('2026-01')}`, {
    [SIGNED]: [changed('2026-01')],
    [UNCHANGED]: ['2026-01, 1100 Accounts Receivable: debit was certified as 0.00 and is 100.01; closing was certified as 0.00 and is 100.01'],
  }],
  ['no number where a balance should be', 'period_certificates',
    `update period_certificates set trial_balance = jsonb_set(trial_balance, '{0,closing}', '"much"') where ${certificate('2026-02')}`, {
    [SIGNED]: [changed('2026-02')], [UNCHANGED]: ['2026-02, 1100 Accounts Receivable: closing was certified as much and is 290.04'],
  }],
  ['another open item on the certificate', 'period_certificates',
    `update period_certificates set open_items = '[]' where ${certificate('2026-02')}`, { [SIGNED]: [changed('2026-02')] }],
  ['a balance that has changed since', 'ledger_months',
    `update ledger_months set debit = debit + 5, credit = credit + 5
     where business_id = $1 and month = '2026-01-01' and ledger_id in (select id from ledgers where business_id = $1 and role = 'sales')`,
    {
    [UNCHANGED]: ['2026-01, 4000 Sales: debit was certified as 0.00 and is 0.05; credit was certified as 600.01 and is 600.06'],
    'The months of every ledger are the sums of its lines':
      ['4000 Sales, USD, 2026-01: debit is 0.05, the sum of its lines 0.00; credit is 600.06, the sum of its lines 600.01'],
  }],
])('finds %s', async (_what, table, change, found) => {
  expect(await whileDamaged(example.business_id, table, change, () => problemsOf(example.client))).toEqual(found)
})

it('holds a certificate against the balances only while the period is closed', async () => {
  const [{ id }] = await sql('select id from accounting_periods where business_id = $1 and name = $2', [example.business_id, '2026-02'])
  await inside(example.business_id, (tx) => reopenPeriod(tx, id, 'To see.'))
  const damaged = `update ledger_months set debit = debit + 5, credit = credit + 5
     where business_id = $1 and month = '2026-02-01' and currency = 'EUR' and debit > 0`
  expect(Object.keys(await whileDamaged(example.business_id, 'ledger_months', damaged,
    () => problemsOf(example.client)))).toEqual(['The months of every ledger are the sums of its lines'])
  await inside(example.business_id, (tx) => closePeriod(tx, id, true, []))
  // Two certificates now: the older one is still held against its own hash.
  expect(await problemsOf(example.client)).toEqual({})
  const older = `update period_certificates set signed_by_name = signed_by_name, tie_outs = '[]'
     where business_id = $1 and id = (select min(id::text)::uuid from period_certificates where ${certificate('2026-02')})`
  expect(await whileDamaged(example.business_id, 'period_certificates', older, () => problemsOf(example.client))).toEqual({ [SIGNED]: [changed('2026-02')] })
})
