// Tests of bringing in entries from files.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf } from '../../../test/support/books.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { downloadOf } from '../../foundation/sheets.ts'
import type { EntryHeader } from '../journal/contract.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})

const HEADER = 'entry_ref,date,memo,ledger,debit,credit'
const rent = (ref: string, amount = '10.00', date = '2026-03-10') => [`${ref},${date},Rent ${ref},Rent,${amount},`, `${ref},,,Checking,,${amount}`]
const fileOf = (rows: string[], header = HEADER) => ({ file_name: 'entries.csv', content_base64: Buffer.from([header, ...rows].join('\n')).toString('base64') })
const send = (file: object, more: object = {}) => team.client.post('/journal-entries/import', { ...file, ...more })
const counts = async () => (await sql(
  `select (select count(*)::int from journal_entries where business_id = $1) as entries,
     (select count(*)::int from journal_drafts where business_id = $1) as drafts,
     (select count(*)::int from journal_imports where business_id = $1) as imports,
     (select count(*)::int from events where business_id = $1) as events`, [team.business_id]))[0]

describe('a file', () => {
  it('is posted as a whole, with one event for all', async () => {
    const before = await counts()
    const { status, data } = await send(fileOf([...rent('a'), ...rent('b', '"1,234.56"'), ...rent('c')]), { post: true })
    expect([status, data]).toEqual([201, {
      id: expect.any(String), preview: false, file_name: 'entries.csv', content_hash: expect.stringMatching(/^[0-9a-f]{64}$/), posted: true,
      entry_count: 3, line_count: 6,
      first_number: 1, last_number: 3, errors: [],
    }])
    const { items } = (await team.client.get('/journal-entries', { sort_by: 'number', descending: false })).data
    expect(
      items.map(({ number, memo, total, source_type }: EntryHeader) => [number, memo, total, source_type]),
    ).toEqual([[1, 'Rent a', 1000, 'manual'], [2, 'Rent b', 123_456, 'manual'], [3, 'Rent c', 1000, 'manual']])
    expect(await counts()).toEqual({ entries: before.entries + 3, drafts: before.drafts, imports: before.imports + 1, events: before.events + 1 })
    expect(await eventsOf(data.id)).toEqual(['journal_entry.imported'])
    expect((await team.client.get(`/journal-entries/${items[0].id}/history`)).data.items).toEqual([])
  })

  it('makes drafts unless they are to be posted', async () => {
    const { data } = await send(fileOf([...rent('draft'), 'odd,2026-03-11,Odd,Rent,5.00,', 'odd,,,Checking,,4.00']))
    expect(data).toMatchObject({ posted: false, entry_count: 2, first_number: null, last_number: null })
    const { items } = (await team.client.get('/journal-entries', { status: 'draft' })).data
    expect(items.map(({ memo, total }: EntryHeader) => [memo, total])).toEqual([['Odd', 500], ['Rent draft', 1000]])
  })

  it('is brought in once, unless that is asked for', async () => {
    const file = fileOf(rent('once'))
    const [first, second] = await Promise.all([send(file, { post: true }), send({ ...file, file_name: 'other name.csv' }, { post: true })])
    expect([first.status, second.status].toSorted()).toEqual([201, 400])
    expect([first, second].find(({ status }) => status === 400)?.detail).toMatch(/was brought in on \d{4}-\d\d-\d\d already: send force/)
    expect((await send(file, { preview: true })).status).toBe(400)
    expect((await send(file, { post: true, force: true })).status).toBe(201)
  })

  it('is previewed with every error, and then writes nothing', async () => {
    const before = await counts()
    const wrong = fileOf(
      [
        ...rent('x'), 'y,2026-03-10,,Nowhere,1.00,', 'y,,,Checking,,1.00', 'z,2020-01-01,,Rent,1.00,', 'z,,,Checking,,2.00',
        'w,2026-03-10,,Inventory,1.00,', 'w,,,Checking,,1.00',
      ],
    )
    const { data } = await send(wrong, { preview: true, post: true })
    expect(data).toMatchObject({ id: null, preview: true, entry_count: 4, line_count: 8, first_number: null })
    expect(data.errors).toEqual([
      { row: 4, detail: 'No ledger has the number or name \'Nowhere\'.' },
      { row: 6, detail: expect.stringMatching(/before the first period/) },
      { row: 8, detail: expect.stringMatching(/takes no lines by hand/) },
    ])
    expect(await send(wrong, { post: true })).toMatchObject(
      { status: 400, detail: 'Row 4 of entries.csv: No ledger has the number or name \'Nowhere\'. It is not the only one: a preview lists them.' },
    )
    expect((await send(wrong, { preview: true })).data.errors.map(({ row }: { row: number }) => row)).toEqual([4, 8])
    const fine = await send(fileOf(rent('fine', '1.00', '2029-03-10')), { preview: true, post: true })
    expect(fine.data.errors).toEqual([])
    expect(await counts()).toEqual(before)
  })

  it('tells the first hundred errors', async () => {
    const { data } = await send(fileOf(Array.from({ length: 150 }, (_, index) => `${index},2026-03-10,,Rent,1.00,`)), { preview: true })
    expect(data.errors).toHaveLength(100)
  })

  it('of several batches is all or nothing', async () => {
    const many = Array.from({ length: 2100 }, (_, index) => rent(`m${index}`)).flat()
    const before = await counts()
    expect(
      (await send(fileOf([...many, ...rent('last', '1.00', '2020-01-01')]), { post: true })).detail,
    ).toMatch(/^Row 4202 of entries.csv: 2020-01-01 lies before the first period/)
    expect(await counts()).toEqual(before)
    const { data } = await send(fileOf(many), { post: true })
    expect(data.last_number - data.first_number).toBe(2099)
    const [{ months, lines }] = await sql(
      `select (select sum(debit)::float8 from ledger_months where business_id = $1) as months,
         (select sum(greatest(base_amount, 0))::float8 from journal_lines where business_id = $1) as lines`, [team.business_id])
    expect(months).toBe(lines)
  })

  it('may be a spreadsheet, and may be what was taken away before', async () => {
    const columns = [
      ['entry_ref', 'text'], ['date', 'date'], ['ledger', 'text'], ['amount', 'money'], ['colour', 'text'],
    ].map(([key, kind]) => ({ key: key as string, label: key as string, kind: kind as 'text' }))
    const rows = [
      { entry_ref: '1', date: '2026-03-10', ledger: 'Rent', amount: 1999 }, { entry_ref: '1', date: '2026-03-10', ledger: 'Checking', amount: -1999 },
    ]
    const xlsx = await downloadOf({ title: 'It', columns, rows }, 'xlsx', 'it')
    expect(
      (await send({ file_name: 'it.xlsx', content_base64: (xlsx.body as Buffer).toString('base64') }, { post: true })).data,
    ).toMatchObject({ entry_count: 1, line_count: 2 })

    const own = await newBusiness()
    const { named } = await chartOf(own.business_id)
    const { data: dimension } = await own.client.post('/accounting-dimensions', { key: 'place', name: 'Place' })
    const { data: value } = await own.client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'NYC', name: 'New York' })
    const lines = [
      { ledger_id: named('Rent'), debit: 100, memo: '-dash', dimension_value_ids: [value.id] }, { ledger_id: named('Owner\'s Capital'), credit: 100 },
    ]
    await own.client.post('/journal-entries', { date: '2026-03-10', memo: '@home', currency: 'CAD', rate: '0.75', post: true, lines })
    const { body } = await own.client.get('/journal-entries/export')
    const again = await own.client.post('/journal-entries/import', { file_name: 'back.csv', content_base64: Buffer.from(body).toString('base64'), post: true })
    expect(again.data).toMatchObject({ entry_count: 1, first_number: 2 })
    const [first, second] = (await own.client.get('/journal-entries', { sort_by: 'number' })).data.items
    const shown = async (id: string) => {
      const { data } = await own.client.get(`/journal-entries/${id}`)
      return [
        data.memo, data.date, data.currency, data.total,
        data.lines.map((line: any) => [line.ledger_id, line.amount, line.base_amount, line.currency, line.memo, line.dimension_value_ids]),
      ]
    }
    expect(await shown(first.id)).toEqual(await shown(second.id))
  })

  it.each([
    ['nothing', { file_name: 'x.csv', content_base64: Buffer.from(HEADER).toString('base64') }, /no rows/],
    ['no base64', { file_name: 'x.csv', content_base64: '***' }, /not base64/],
    ['a column missing', fileOf(['1,2026-01-01'], 'entry_ref,date'), /no column ledger/],
    ['no amounts', fileOf(['1,2026-01-01,Rent'], 'entry_ref,date,ledger'), /has no amounts/],
    ['an unknown dimension', fileOf(['1,2026-01-01,Rent,1,x'], 'entry_ref,date,ledger,amount,dimension:x'), /no such dimension/],
    [
      'a currency without a rate', fileOf(['1,2026-03-10,Rent,1,GBP', '1,,Utilities,-1,GBP'], 'entry_ref,date,ledger,amount,currency'),
      /Row 2 of entries.csv: No GBP\/USD rate/,
    ],
  ])('with %s is refused', async (_, file, detail) => {
    expect(await send(file, { post: true })).toMatchObject({ status: 400, detail: expect.stringMatching(detail) })
  })

  it('needs approval where entries do', async () => {
    const own = await newBusiness()
    await own.client.patch(`/businesses/${own.business_id}/settings`, { accounting: { approval_required: true } })
    const given = (post: boolean) => own.client.post('/journal-entries/import', { ...fileOf(rent('a')), post })
    expect((await given(true)).detail).toMatch(/^Row 2 of entries.csv: An entry of 10.00 USD needs approval/)
    expect((await given(false)).status).toBe(201)
  })
})
