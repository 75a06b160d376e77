import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRows } from '../../foundation/sheet-reading.ts'
import { chartOf, post } from '../../../test/support/books.ts'
import { newBusiness, newMember, newToken, type Team } from '../../../test/support/people.ts'
import { client } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import type { ReportRow } from '../report-shape/contract.ts'

let team: Team
beforeAll(async () => {
  ;(await service()).clock.set('2026-05-20T12:00:00Z')
  team = await newBusiness()
  const { named, role } = await chartOf(team.business_id)
  await post(
    team.business_id,
    { date: '2026-01-01', source_type: 'opening', lines: [[named('Checking'), 1_000_000], [role('opening_balance'), -1_000_000]] },
    { date: '2026-04-12', lines: [[named('Checking'), 123_456], [role('sales'), -123_456]] },
    { date: '2026-05-02', lines: [[named('Rent'), 200_001], [named('Checking'), -200_001]] },
  )
})
afterAll(async () => (await service()).clock.set(null))

const file = async (path: string) => {
  const { url } = await service()
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${team.owner.token}`, 'x-business-id': team.business_id } })
  return { status: response.status, type: response.headers.get('content-type'), name: response.headers.get('content-disposition'), body: Buffer.from(await response.arrayBuffer()) }
}

const REPORTS = ['profit-and-loss', 'balance-sheet', 'trial-balance']

describe('the catalogue', () => {
  it('lists the reports with their parameters and formats', async () => {
    const { data } = await team.client.get('/reports')
    expect(data.map(({ report }: { report: string }) => report)).toEqual(expect.arrayContaining(REPORTS))
    const trial = data.find(({ report }: { report: string }) => report === 'trial-balance')
    expect(trial).toMatchObject({ title: 'Trial balance', path: '/api/v1/reports/trial-balance', formats: ['json', 'csv', 'xlsx', 'pdf'] })
    expect(trial.parameters.find(({ name }: { name: string }) => name === 'mode')).toMatchObject({ required: false, values: ['adjusted', 'unadjusted', 'worksheet', 'post_closing'] })
    expect(trial.parameters.map(({ name }: { name: string }) => name)).not.toContain('format')
  })

  it('is for everyone in the business, and for tokens with the scope', async () => {
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get('/reports')).status).toBe(200)
    expect((await client(await newToken(team.owner, ['reports:read']), team.business_id).get('/reports')).status).toBe(200)
    expect((await client(await newToken(team.owner, ['notes:read']), team.business_id).get('/reports')).status).toBe(403)
  })
})

describe('files', () => {
  /** Every amount of the report by label, as it stands in the last cell. */
  const labelled = (rows: readonly ReportRow[]): [string, number][] => rows.flatMap((row) => [[row.label, row.cells.at(-1)?.amount ?? 0] as [string, number], ...labelled(row.rows)])

  it.each(REPORTS)('%s as CSV and XLSX has the amounts of the JSON', async (report) => {
    const { data } = await team.client.get(`/reports/${report}`)
    const expected = new Map(labelled(data.rows))
    for (const format of ['csv', 'xlsx'] as const) {
      const { status, body, name } = await file(`/reports/${report}?format=${format}`)
      expect(status).toBe(200)
      expect(name).toBe(`attachment; filename="${report}-2026-05-20.${format}"`)
      const [header, ...rows] = (await Array.fromAsync(readRows(`x.${format}`, body))).flat()
      expect(header).toHaveLength(data.columns.length + 1)
      const found = rows.filter((cells) => (cells.at(-1) ?? '') !== '').map((cells): [string, number] => [cells[0] ?? '', Math.round(Number(cells.at(-1)) * 100)])
      expect(found.length).toBeGreaterThan(3)
      for (const [label, amount] of found) expect(amount, label).toBe(expected.get(label) ?? expected.get(label.replace(/^Total /, '')))
    }
  })

  it.each(REPORTS)('%s can be exported in each format, the same as with ?format=', async (report) => {
    for (const [format, type] of [['csv', 'text/csv'], ['pdf', 'application/pdf'], ['xlsx', 'application/vnd']] as const) {
      const exported = await file(`/reports/${report}/export?format=${format}&end_date=2026-04-30`)
      expect(exported).toMatchObject({ status: 200, type: expect.stringContaining(type), name: `attachment; filename="${report}-2026-04-30.${format}"` })
      if (format === 'csv') expect(exported.body.equals((await file(`/reports/${report}?format=csv&end_date=2026-04-30`)).body)).toBe(true)
      if (format === 'pdf') expect(exported.body.subarray(0, 5).toString()).toBe('%PDF-')
    }
  })

  it('takes the parameters of its report: lists, its own, and what it refuses', async () => {
    const compared = (await file('/reports/balance-sheet/export?compare=previous_period,previous_year')).body.toString()
    expect(compared.split('\r\n')[0]).toBe('Balance sheet,2026-05-20,Previous period,Previous period: variance,Previous period: variance %,Previous year,Previous year: variance,Previous year: variance %')
    expect((await file('/reports/trial-balance/export?mode=worksheet')).body.toString()).toContain('Unadjusted: debit')
    expect((await file('/reports/trial-balance/export?mode=worksheet&columns=month')).status).toBe(400)
    expect((await file('/reports/trial-balance/export?depth=9')).status).toBe(422)
    expect((await file('/reports/trial-balance/export?format=docx')).status).toBe(422)
  })

  it('there is none of a report that does not exist', async () => {
    expect(await team.client.get('/reports/nothing/export')).toMatchObject({ status: 404, detail: 'Report nothing not found.' })
  })
})
