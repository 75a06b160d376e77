// Tests of how entries are found: both tables as one list.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, inside, post } from '../../../test/support/books.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import type { EntryHeader } from '../journal/contract.ts'
import type { Entry } from '../journal-drafts/contract.ts'
import { postEntries } from '../posting/operations.ts'
import { FEW } from './store.ts'

let team: Team
let checking: string
let rent: string
const made: Record<string, Entry> = {}
const customer_id = newId()
const vendor_id = newId()
const source_id = newId()

beforeAll(async () => {
  team = await newBusiness()
  const { named } = await chartOf(team.business_id)
  checking = named('Checking')
  rent = named('Rent')
  const write = async (name: string, date: string, amount: number, more: object = {}, debited = rent) => {
    const answer = await team.client.post(
      '/journal-entries', { date, memo: name, lines: [{ ledger_id: debited, debit: amount }, { ledger_id: checking, credit: amount }], ...more },
    )
    made[name] = answer.data
  }
  await write('zebra first', '2026-02-01', 300, { post: true })
  await write('draft one', '2026-02-15', 200)
  await write('second', '2026-03-01', 100, { post: true, is_adjusting: true })
  await write('draft two', '2026-03-15', 400, { is_adjusting: true }, named('Utilities'))
  await write('third zebra', '2026-04-01', 500, { post: true }, named('Utilities'))
  const [document] = await post(team.business_id, {
    date: '2026-04-01', memo: 'of a document', source_type: 'bill', source_id, lines: [
      { ledger_id: rent, amount: 50, customer_id, vendor_id }, [checking, -50],
    ],
  })
  made['document'] = document as Entry
  await team.client.put(`/journal-entries/${made['second']?.id}/reverse`, { memo: 'undone' })
  const other = (await newMember(team.business_id, 'bookkeeper')).client
  await other.put(`/journal-entries/${made['draft two']?.id}/submit`)
})

async function listed(query: Record<string, string | number | boolean | string[]> = {}): Promise<string[]> {
  const { data, detail } = await team.client.get('/journal-entries', { descending: false, ...query })
  return data ? data.items.map(({ memo }: EntryHeader) => memo) : detail
}

describe('the list', () => {
  it('has drafts and entries in one order, without lines', async () => {
    expect(await listed()).toEqual(['zebra first', 'draft one', 'second', 'undone', 'draft two', 'third zebra', 'of a document'])
    const { data } = await team.client.get('/journal-entries', { limit: 1, q: 'zebra', descending: false, include_total_count: true })
    const { lines: _lines, ...header } = made['zebra first'] as Entry
    expect([data.items, data.total]).toEqual([[header], 2])
  })

  it('is sorted in four ways; drafts have no number and come last', async () => {
    expect(await listed({ sort_by: 'number' })).toEqual(['zebra first', 'second', 'third zebra', 'of a document', 'undone', 'draft one', 'draft two'])
    expect(await listed({ sort_by: 'number', descending: true })).toEqual(
      ['undone', 'of a document', 'third zebra', 'second', 'zebra first', 'draft two', 'draft one'],
    )
    expect(await listed({ sort_by: 'total' })).toEqual(['of a document', 'second', 'undone', 'draft one', 'zebra first', 'draft two', 'third zebra'])
    expect(await listed({ sort_by: 'created_at' })).toEqual(['zebra first', 'draft one', 'second', 'draft two', 'third zebra', 'of a document', 'undone'])
  })

  it('is walked page by page, in every sort and both ways, without losing or repeating any', async () => {
    for (const sort_by of ['date', 'number', 'total', 'created_at']) {
      for (const descending of [true, false]) {
        const whole = await listed({ sort_by, descending })
        const walked: string[] = []
        let cursor: string | null = null
        const back: string[] = []
        do {
          const { data }: { data: any } = await team.client.get('/journal-entries', { sort_by, descending, limit: 2, ...(cursor === null ? {} : { cursor }) })
          walked.push(...data.items.map(({ memo }: EntryHeader) => memo))
          if (data.prev_cursor) {
            const before = await team.client.get('/journal-entries', { sort_by, descending, limit: 2, cursor: data.prev_cursor, direction: 'prev' })
            back.push(...before.data.items.map(({ memo }: EntryHeader) => memo))
          }
          cursor = data.next_cursor
        } while (cursor !== null)
        expect(walked).toEqual(whole)
        expect(whole.slice(0, back.length)).toEqual(back)
      }
    }
  })

  it.each([
    [{ status: 'draft' }, ['draft one']],
    [{ status: 'pending_approval' }, ['draft two']],
    [{ status: ['draft', 'pending_approval'] }, ['draft one', 'draft two']],
    [{ status: 'reversed' }, ['second']],
    [{ status: ['reversed', 'draft'] }, ['draft one', 'second']],
    [{ status: 'posted' }, ['zebra first', 'undone', 'third zebra', 'of a document']],
    [{ source_type: 'bill' }, ['of a document']],
    [{ source_type: 'nothing' }, []],
    [{ start_date: '2026-02-15', end_date: '2026-03-01' }, ['draft one', 'second', 'undone']],
    [{ min_amount: 200, max_amount: 400 }, ['zebra first', 'draft one', 'draft two']],
    [{ is_adjusting: true }, ['second', 'undone', 'draft two']],
    [{ is_adjusting: false }, ['zebra first', 'draft one', 'third zebra', 'of a document']],
    [{ template_id: '00000000-0000-7000-8000-000000000000' }, []],
    [{ q: 'zebra' }, ['zebra first', 'third zebra']],
    [{ q: 'draft' }, ['draft one', 'draft two']],
    [{ q: 'zebra -first' }, ['third zebra']],
    [{ q: '3' }, ['third zebra']],
    [{ q: 'third', status: 'draft' }, []],
  ])('with %j shows %j', async (query, expected) => {
    expect(await listed(query)).toEqual(expected)
  })

  it('knows the lines of both', async () => {
    expect(await listed({ ledger_id: rent })).toEqual(['zebra first', 'draft one', 'second', 'undone', 'of a document'])
    expect(await listed({ ledger_id: rent, status: 'draft' })).toEqual(['draft one'])
    expect(await listed({ customer_id })).toEqual(['of a document'])
    expect(await listed({ vendor_id })).toEqual(['of a document'])
    expect(await listed({ source_id })).toEqual(['of a document'])
    expect(await listed({ customer_id: newId() })).toEqual([])
    expect(await listed({ project_id: newId() })).toEqual([])
  })

  it('of another business is another', async () => {
    const { client } = await newBusiness()
    expect((await client.get('/journal-entries', { q: 'zebra' })).data.items).toEqual([])
    expect((await client.get('/journal-entries', { ledger_id: rent })).data.items).toEqual([])
  })
})

describe('where many fit', () => {
  it('the list walks along its order instead of looking them up, with the same answer and the same cursors', async () => {
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const [bank, rare] = [named('Checking'), named('Utilities')]
    const days = Array.from({ length: 8 }, (_, index) => `2026-0${index + 1}-05`)
    const { data: draft } = await own.client.post(
      '/journal-entries', { date: '2026-09-09', memo: 'common draft', lines: [{ ledger_id: bank, debit: 1 }, { ledger_id: rare, credit: 1 }] },
    )
    const common = (date: string, memo: string) => ({
      date, memo, source_type: 'manual', lines: [{ ledger_id: bank, amount: 10 }, { ledger_id: named('Rent'), amount: -10 }],
    })
    await inside(
      own.business_id,
      (tx) => postEntries(tx, Array.from({ length: FEW - 1 }, (_, index) => common(days[index % 8] as string, 'common words')), { recorded: false }),
    )
    const walk = async (query: Record<string, string>) => {
      const seen: string[] = []
      for (let cursor: string | null = null, page = 0; page < 3; page++) {
        const { data, detail }: { data: any; detail: unknown } = await own.client.get(
          '/journal-entries', { limit: 400, ...query, ...(cursor === null ? {} : { cursor }) },
        )
        if (!data) throw new Error(JSON.stringify(detail))
        seen.push(...data.items.map(({ id }: EntryHeader) => id))
        cursor = data.next_cursor
        // Between the first two pages the last few come in that make it many.
        if (page === 0 && query['more']) await post(own.business_id, ...[1, 2, 3].map(() => common('2026-01-01', 'common late')))
      }
      return seen
    }
    const few = await walk({ ledger_id: bank })
    const across = await walk({ ledger_id: bank, more: 'yes' })
    expect(across).toEqual(few)
    expect(await walk({ ledger_id: bank })).toEqual(few)
    expect(await walk({ q: 'common' })).toEqual(few)
    expect(few[0]).toBe(draft.id)
    expect([few.length, new Set(few).size]).toEqual([1200, 1200])
    const { data } = await own.client.get('/journal-entries', { ledger_id: bank, include_total_count: true, limit: 1 })
    expect(data.total).toBe(FEW + 3)
    expect(Number((await sql('select count(*) from journal_entries where business_id = $1', [own.business_id]))[0].count)).toBe(FEW + 2)
  })
})
