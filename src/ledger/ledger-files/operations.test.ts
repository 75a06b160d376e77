// Tests of the chart as a file: out, in, out and in again, and every wrong row.
import { beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../../test/support/service.ts'
import type { Client } from '../../../test/support/client.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import type { ImportRow, LedgerImportResult } from './contract.ts'

let team: Team
let client: Client
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
})

const fileOf = (text: string) => ({ file_name: 'chart.csv', content_base64: Buffer.from(text).toString('base64') })
const bring = (text: string, preview = false) => client.post('/ledgers/import', { ...fileOf(text), preview })
const rows = async (text: string): Promise<ImportRow[]> => (await bring(text, true)).data.rows
const count = async () => (await sql('select count(*)::int as count, sum(version)::int as versions from ledgers where business_id = $1', [team.business_id]))[0]

async function download(query: string): Promise<{ type: string | null; name: string | null; body: Buffer }> {
  const response = await fetch(
    `${(await service()).url}/api/v1/ledgers/export${query}`, { headers: { authorization: `Bearer ${client.token}`, 'x-business-id': team.business_id } },
  )
  expect(response.status).toBe(200)
  return { type: response.headers.get('content-type'), name: response.headers.get('content-disposition'), body: Buffer.from(await response.arrayBuffer()) }
}

describe('an export', () => {
  it('is CSV with the filters of the list, and XLSX', async () => {
    const csv = await download('?type=equity')
    expect([csv.type, csv.name]).toEqual(['text/csv; charset=utf-8', 'attachment; filename="chart-of-accounts.csv"'])
    const lines = csv.body.toString().split('\r\n')
    expect(lines[0]?.split(',')).toEqual([
      'Number', 'Name', 'Type', 'Subtype', 'Currency', 'Parent number', 'Is bank', 'Posting', 'Cash flow class', 'Description', 'Bank name',
      'Bank account last4', 'Role', 'Archived', 'Balance', 'Base balance',
    ])
    expect(lines[1]).toBe("3000,Owner's Capital,equity,capital,USD,,no,yes,financing,,,,,no,0.00,0.00")
    expect(lines).toHaveLength(7)
    const xlsx = await download('?format=xlsx')
    expect(xlsx.type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(xlsx.body.toString('latin1', 0, 2)).toBe('PK')
  })

  it.each(['csv', 'xlsx'])('brought in again as %s changes nothing', async (format) => {
    await client.post('/ledgers', { name: `=Formula, "quoted" ${format}`, type: 'expense', subtype: 'operating', description: '-1' })
    await client.post('/ledgers', {
      name: `Below ${format}`, number: `R${format}`, type: 'asset', subtype: 'bank', is_bank: false,
      parent_id: (await client.get('/ledgers', { q: 'Checking' })).data.items[0].id,
    })
    const { body } = await download(`?format=${format}`)
    const before = await count()
    const { data, status }: { data: LedgerImportResult; status: number } = await client.post(
      '/ledgers/import', { file_name: `chart.${format}`, content_base64: body.toString('base64') },
    )
    expect(status, JSON.stringify(data)).toBe(201)
    expect(data.rows.filter(({ action }) => action !== 'none')).toEqual([])
    expect(data).toMatchObject({ preview: false, created: 0, changed: 0, errors: 0, unchanged: before.count })
    expect(await count()).toEqual(before)
  })
})

describe('an import', () => {
  const file = [
    'Number,Name,Type,Subtype,Parent number,Is bank,Unheard of',
    '7010,Travel by train,Expense,Operating,7000,,x',
    '7000,Travelling,expense,operating,,,',
    '6100,Rent and lease,,,,,',
    '1000,Checking,,,,yes,',
    '6110,,,,6100,,',
  ].join('\n')

  it('in preview says what it would do, and then does it; parents may stand further down', async () => {
    const before = await count()
    const preview = (await bring(file, true)).data
    expect(preview.rows.map(({ row, action, changes }: ImportRow) => [row, action, changes])).toEqual(
      [[2, 'create', []], [3, 'create', []], [4, 'change', ['name']], [5, 'none', []], [6, 'change', ['parent_id']]],
    )
    expect(await count()).toEqual(before)
    const { data } = await bring(file)
    expect({ ...data, preview: true, rows: data.rows.map((row: ImportRow) => (row.action === 'create' ? { ...row, ledger_id: null } : row)) }).toEqual(preview)
    const { data: train } = await client.get(`/ledgers/${data.rows[0].ledger_id}`)
    expect(train).toMatchObject({ number: '7010', name: 'Travel by train', parent_id: data.rows[1].ledger_id })
    expect((await bring(file)).data).toMatchObject({ created: 0, changed: 0, unchanged: 5 })
  })

  it.each([
    ['Number,Name,Type,Subtype\n7100,,expense,operating', 'A new ledger needs name, type and subtype.'],
    ['Number,Name,Type,Subtype\n7100,x,money,operating', 'type: Must be one of: asset, liability, equity, income, expense.'],
    ['Number,Name,Type,Subtype\n7100,x,asset,operating', '7100 x: the subtype operating does not belong to the type asset; choose one of'],
    [`Number,Name,Type,Subtype\n7100,${'x'.repeat(121)},expense,operating`, 'name: Must have at most 120 characters.'],
    ['Number,Name,Type,Subtype,Is bank\n7100,x,asset,bank,perhaps', "is_bank: 'perhaps' is neither yes nor no."],
    ['Number,Name,Type,Subtype,Parent number\n7100,x,expense,operating,no-such', 'No ledger has the number no-such that parent_number names.'],
    ['Number,Name,Type,Subtype\n7100,x,expense,operating\n7100,y,expense,operating', 'The number 7100 is taken by x: choose another one.'],
    ['Number,Name\n6200,a\n6200,b', 'Row 2 is about the same ledger.'],
    ['Number,Name\n6200,Meals', 'A ledger named Meals exists at this place already: choose another name.'],
    ['Number,Parent number\n6200,1000', '6200 Office Supplies is of the type expense and cannot stand below 1000 Checking'],
  ])('%j names its wrong row and changes nothing', async (text, detail) => {
    const before = await count()
    const wrong = (await rows(text)).filter(({ action }) => action === 'error')
    expect(wrong).toHaveLength(1)
    expect(wrong[0]?.detail).toContain(detail)
    expect(await bring(text)).toMatchObject({ status: 400, detail: expect.stringContaining(`Row ${wrong[0]?.row} of chart.csv: ${detail}`) })
    expect(await count()).toEqual(before)
  })

  it('finds a ledger without a number by its name, if there is only one', async () => {
    await client.post('/ledgers', { name: 'Nameless', type: 'expense', subtype: 'operating' })
    expect((await rows('Name,Description\nNAMELESS,found'))[0]).toMatchObject({ action: 'change', changes: ['name', 'description'] })
    await client.post(
      '/ledgers', { name: 'Nameless', type: 'expense', subtype: 'operating', parent_id: (await client.get('/ledgers', { q: 'Meals' })).data.items[0].id },
    )
    expect((await rows('Name,Description\nnameless,found'))[0]?.detail).toBe('2 ledgers without a number are called nameless: give them numbers first.')
  })

  it('refuses files that are none, and too many rows', async () => {
    expect((await client.post('/ledgers/import', { file_name: 'x.csv', content_base64: '???' })).status).toBe(400)
    const many = `Number,Name\n${Array.from({ length: 5001 }, (_, index) => `${index},x`).join('\n')}`
    expect((await bring(many, true)).detail).toBe('chart.csv has 5001 rows; a chart of accounts takes at most 5000.')
  })

  it('two at once make each ledger once', async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => bring('Number,Name,Type,Subtype\n7200,Once,expense,operating')))
    expect(answers.map(({ data }) => data.created).toSorted()).toEqual([0, 0, 1])
  })
})
