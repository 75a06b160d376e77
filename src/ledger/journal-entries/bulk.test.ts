// Tests of many entries in one call, and of many callers at once.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'

let team: Team
let ledgers: string[]
beforeAll(async () => {
  team = await newBusiness()
  const { named } = await chartOf(team.business_id)
  ledgers = ['Checking', 'Rent', 'Utilities'].map(named)
})

const entry = (amount: number, more: object = {}) =>
  ({ date: '2026-03-10', memo: `Of ${amount}`, lines: [{ ledger_id: ledgers[1], debit: amount }, { ledger_id: ledgers[0], credit: amount }], ...more })
const unbalanced = () => entry(5, { lines: [{ ledger_id: ledgers[1], debit: 5 }, { ledger_id: ledgers[0], credit: 4 }] })
const numbers = async (): Promise<number[]> => (await sql(
  'select number::int from journal_entries where business_id = $1 order by number', [team.business_id],
)).map(({ number }) => number)
const bulk = (entries: object[], more: object = {}) => team.client.post('/journal-entries/bulk', { entries, ...more })

describe('many in one call', () => {
  it('are all written, posted or as drafts, in their order', async () => {
    const { data } = await bulk([entry(1), entry(2, { post: false }), entry(3, { auto_reverse_on: '2026-04-01' })], { post: true })
    expect(data).toMatchObject({ succeeded: 3, failed: 0 })
    const states = await Promise.all(data.results.map(async ({ id }: { id: string }) => (await team.client.get(`/journal-entries/${id}`)).data))
    expect(states.map(({ status, number }) => [status, number])).toEqual([['posted', 1], ['draft', null], ['posted', 2]])
    expect(await numbers()).toEqual([1, 2, 3])
  })

  it('are none where one is wrong, which is named', async () => {
    const before = await numbers()
    expect(await bulk([entry(1), unbalanced(), entry(2)], { post: true })).toMatchObject(
      { status: 400, detail: expect.stringMatching(/^Item 1: The entry does not balance/) },
    )
    expect(
      await bulk([entry(1, { post: false }), entry(1, { lines: [{ ledger_id: ledgers[0] }, { ledger_id: ledgers[1], debit: 1 }] })]),
    ).toMatchObject({ status: 400, detail: expect.stringMatching(/^Item 1: Line 1 needs exactly one/) })
    expect(await numbers()).toEqual(before)
    expect(await sql('select count(*)::int as count from journal_drafts where business_id = $1', [team.business_id])).toEqual([{ count: 1 }])
  })

  it('each by itself, where that is asked for', async () => {
    const before = await numbers()
    const wrong = [
      unbalanced(), entry(
        1, { lines: [{ ledger_id: newId(), debit: 1 }, { ledger_id: ledgers[0], credit: 1 }] },
      ), entry(1, { date: '2020-01-01' }), entry(1, { date: '2090-01-01' }),
      entry(1, { currency: 'EUR', lines: [{ ledger_id: ledgers[1], debit: 1 }, { ledger_id: ledgers[2], credit: 1 }] }), entry(1, { rate: '3' }),
      entry(1, { lines: [{ ledger_id: ledgers[1], debit: 1, settles_line_id: newId() }, { ledger_id: ledgers[0], credit: 1 }] }),
    ]
    const beyond = entry(1, { post: false, lines: [1, 2].map(() => ({ ledger_id: ledgers[1], debit: Number.MAX_SAFE_INTEGER })) })
    const { data } = await bulk([entry(1), ...wrong, entry(2), beyond], { post: true, atomic: false })
    expect([data.succeeded, data.failed]).toEqual([2, 8])
    expect(data.results.map(({ index, status, detail }: { index: number; status: string; detail: string | null }) => [index, status, detail])).toEqual([
      [0, 'ok', null],
      [1, 'error', expect.stringMatching(/does not balance/)],
      [2, 'error', expect.stringMatching(/of line 1 not found/)],
      [3, 'error', expect.stringMatching(/before the first period/)],
      [4, 'error', expect.stringMatching(/more than 10 years/)],
      [5, 'error', expect.stringMatching(/No EUR\/USD rate/)],
      [6, 'error', expect.stringMatching(/its rate is 1/)],
      [7, 'error', expect.stringMatching(/needs atomic: true/)],
      [8, 'ok', null],
      [9, 'error', expect.stringMatching(/out of range/)],
    ])
    expect(await numbers()).toEqual([...before, before.length + 1, before.length + 2])
  })

  it('are a thousand at most', async () => {
    expect((await bulk([])).status).toBe(422)
    expect((await bulk(Array.from({ length: 1001 }, () => entry(1)))).status).toBe(422)
    const { data } = await bulk(Array.from({ length: 1000 }, (_, index) => entry(index + 1)), { post: true })
    expect(data.succeeded).toBe(1000)
  })
})

describe('sixteen callers at once', () => {
  it('get numbers without a gap, and leave balances that are exact', async () => {
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const [checking, rent] = [named('Checking'), named('Rent')]
    const people = [own.client, ...(await Promise.all(Array.from({ length: 15 }, async () => (await newMember(own.business_id, 'bookkeeper')).client)))]
    const answers = (await Promise.all(people.map(async (client, person) => {
      const made = []
      for (let turn = 1; turn <= 6; turn++) {
        // Every third does not balance, and leaves no gap.
        const credit = turn % 3 === 0 ? 1 : 100 * person + turn
        made.push(await client.post('/journal-entries', {
          date: `2026-0${1 + (turn % 3)}-10`, post: true, lines: [{ ledger_id: rent, debit: 100 * person + turn }, { ledger_id: checking, credit }],
        }))
      }
      return made
    }))).flat()
    const posted = answers.filter(({ status }) => status === 201)
    expect([posted.length, answers.filter(({ status }) => status === 400).length]).toEqual([64, 32])
    expect(posted.map(({ data }) => data.number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, index) => index + 1))
    const sum = posted.reduce((total, { data }) => total + data.total, 0)
    const balances = await sql(
      `select ledger_id, (select sum(debit - credit)::float8 from ledger_months m where m.ledger_id = l.ledger_id) as months,
         (select sum(debit - credit)::float8 from ledger_days d where d.ledger_id = l.ledger_id) as days, sum(base_amount)::float8 as lines
       from journal_lines l where business_id = $1 group by ledger_id`, [own.business_id])
    expect(Object.fromEntries(balances.map(({ ledger_id, ...figures }) => [ledger_id, figures]))).toEqual({
      [rent]: { months: sum, days: sum, lines: sum }, [checking]: { months: -sum, days: -sum, lines: -sum },
    })
    const chain = await sql(
      'select number::int, encode(previous_hash, \'hex\') as before, encode(hash, \'hex\') as seal from journal_entries where business_id = $1 order by number',
      [own.business_id],
    )
    expect(chain.every(({ before }, index) => before === (chain[index - 1]?.seal ?? ''))).toBe(true)
  })
})
