// Tests of lines by themselves and of entries as files.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { readSheet } from '../../foundation/sheets.ts'
import type { ListedLine } from './contract.ts'

let team: Team
let value_id: string
const customer_id = newId()

beforeAll(async () => {
  team = await newBusiness()
  const { named } = await chartOf(team.business_id)
  const { data: dimension } = await team.client.post('/accounting-dimensions', { key: 'department', name: 'Department' })
  value_id = (await team.client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'OPS', name: 'Operations' })).data.id
  await post(
    team.business_id,
    {
      date: '2026-02-01', memo: '=1+1',
      lines: [{ ledger_id: named('Rent'), amount: 123_456, memo: 'Line "one", twice', dimension_value_ids: [value_id] }, [named('Checking'), -123_456]],
    },
    {
      date: '2026-03-01', memo: 'Second', is_adjusting: true, currency: 'CAD', rate: '0.75',
      lines: [{ ledger_id: named('Utilities'), amount: 100, customer_id }, [named('Rent'), -100]],
    },
  )
  await team.client.post(
    '/journal-entries',
    { date: '2026-02-15', memo: 'A draft', lines: [{ ledger_id: named('Rent'), debit: 5 }, { ledger_id: named('Checking'), credit: 6 }] },
  )
})

const csv = async (query: Record<string, string | boolean> = {}): Promise<string[]> =>
  (await team.client.get('/journal-entries/export', query)).body.trimEnd().split('\r\n')

describe('lines', () => {
  const found = async (query: Record<string, string | boolean>) =>
    (await team.client.get('/journal-entries/lines', { descending: false, ...query })).data.items.map(({ amount }: ListedLine) => amount)

  it('of all posted entries come in one list, each with its entry and ledger', async () => {
    const { data } = await team.client.get('/journal-entries/lines', { descending: false })
    expect(data.items).toHaveLength(4)
    expect(data.items[0]).toMatchObject({
      amount: 123_456, debit: 123_456, credit: 0, entry_number: 1, date: '2026-02-01', entry_memo: '=1+1', source_type: 'manual',
      is_adjusting: false, ledger_name: 'Rent',
      dimension_value_ids: [value_id],
    })
  })

  it('are found by what they carry', async () => {
    const { named } = await chartOf(team.business_id)
    expect(await found({ ledger_id: named('Rent') })).toEqual([123_456, -100])
    expect(await found({ customer_id })).toEqual([100])
    expect(await found({ dimension_value_id: value_id })).toEqual([123_456])
    expect((await found({ start_date: '2026-02-02', end_date: '2026-03-01' })).toSorted()).toEqual([-100, 100])
    expect((await found({ is_adjusting: true })).toSorted()).toEqual([-100, 100])
    expect(await found({ is_adjusting: false })).toHaveLength(2)
  })

  it('of an entry that was put on another date are shown once', async () => {
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const [entry] = await post(own.business_id, { date: '2026-02-01', lines: [[named('Rent'), 7], [named('Checking'), -7]] })
    await own.client.put(`/journal-entries/${entry?.id}/date`, { date: '2026-03-01' })
    expect((await own.client.get('/journal-entries/lines')).data.items).toHaveLength(2)
    expect((await own.client.get('/journal-entries/lines', { include_superseded: true })).data.items).toHaveLength(6)
  })
})

describe('a file of entries', () => {
  it('has a row per line, drafts included, in units of money', async () => {
    const rows = await csv()
    expect(rows[0]).toBe(
      'Entry ref,Date,Memo,Status,Source type,Line,Ledger,Ledger name,Debit,Credit,Currency,Base amount,Line memo,'
      + 'Dimension:department,Customer id,Vendor id,Project id,Entry id',
    )
    expect(rows).toHaveLength(7)
    expect(rows[1]).toMatch(/^1,2026-02-01,'=1\+1,posted,manual,1,\d+,Rent,1234.56,,USD,1234.56,"Line ""one"", twice",OPS,,,,/)
    expect(rows[4]).toMatch(/,A draft,draft,manual,2,\d+,Checking,,0.06,USD,-0.06,,/)
    expect(rows[5]).toMatch(/^2,2026-03-01,Second,posted,manual,1,\d+,Utilities,1.00,,CAD,0.75,/)
    expect((await csv({ status: 'draft' })).slice(1)).toHaveLength(2)
    expect((await csv({ q: 'nothing' })).slice(1)).toEqual([])
    expect((await csv({ descending: true }))[1]).toMatch(/^2,/)
  })

  it('comes under a name, as CSV or XLSX', async () => {
    const { headers } = await team.client.get('/journal-entries/export')
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual(['text/csv; charset=utf-8', 'attachment; filename="journal-entries.csv"'])
    const response = await fetch(
      `${(await service()).url}/api/v1/journal-entries/export?format=xlsx`,
      { headers: { authorization: `Bearer ${team.owner.token}`, 'x-business-id': team.business_id } },
    )
    const sheet = await readSheet({ file_name: 'it.xlsx', content_base64: Buffer.from(await response.arrayBuffer()).toString('base64') })
    expect(sheet.rows).toHaveLength(6)
    expect(sheet.rows[0]?.cells).toMatchObject({ entry_ref: '1', date: '2026-02-01', debit: '1234.56', 'dimension:department': 'OPS' })
  })

  it('is whole where it takes many pieces', async () => {
    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    await post(
      own.business_id,
      ...Array.from(
        { length: 1234 },
        (_, index) => ({ date: `2026-0${1 + (index % 9)}-01`, lines: [[named('Rent'), index + 1], [named('Checking'), -index - 1]] as const }),
      )
    )
    const { body } = await own.client.get('/journal-entries/export', { ledger_id: named('Rent') })
    const refs = body.trimEnd().split('\r\n').slice(1).map((row: string) => Number(row.split(',')[0]))
    expect([refs.length, new Set(refs).size]).toEqual([2468, 1234])
  })
})
