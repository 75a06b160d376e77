import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, deliver } from '../../../test/support/events.ts'
import { mapped, ranImport } from '../../../test/support/imports.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newMember, sql } from '../../../test/support/people.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { bytesOf, newDocument } from '../../../test/support/uploads.ts'
import { jobs } from '../../app/jobs.ts'
import { openLog } from '../../foundation/log.ts'

let team: Seller
beforeAll(async () => {
  team = await newSeller()
})
afterAll(async () => (await service()).clock.set(null))

const customer = async (external_id: string) => ok(await team.client.get('/customers', { external_id, status: 'all' })).items[0]
const problems = async (id: string) => ok(await team.client.get(`/imports/${id}/errors`)).items.flatMap((row: any) => row.problems)

describe('customers', () => {
  it('a preview tells what a run would do, and leaves nothing', async () => {
    const file = 'id,name,email,country,credit limit,terms\np-1,One,one@example.com,US,"1,000.50",\np-2,,x,XX,1.005,\n'
      + 'p-3,Three,,XX,,\np-1,Again,,,,\np-4,Four,nobody,,,Whenever\n'
    const made = await mapped(team.client, 'customers', file, { on_error: 'skip' })
    const { data } = await team.client.get(`/imports/${made.id}/preview`)
    expect(data.counts).toEqual({ rows: 5, valid: 1, invalid: 4, created: 1, updated: 0, skipped: 0 })
    expect(data.problems).toEqual([
      { loc: [3, 'credit limit'], msg: expect.stringContaining('at most 2 decimals') },
      { loc: [4], msg: expect.stringContaining('XX is not a country code') },
      { loc: [5], msg: 'It is about the same record as row 2: leave one of them.' },
      { loc: [6, 'terms'], msg: `No payment terms are called 'Whenever'.` },
    ])
    expect(await customer('p-1')).toBeUndefined()
    expect((await team.client.get(`/imports/${made.id}`)).data).toMatchObject({ status: 'mapped', version: made.version })
    expect(await eventsOf(made.id)).toEqual(['import.created', 'import.mapped'])
  })

  it('come in all or none: a row that would be refused is named before anything begins', async () => {
    const made = await mapped(team.client, 'customers', 'id,name,email\na-1,One,one@example.com\na-2,Two,nobody\na-3,,\n')
    expect(await team.client.put(`/imports/${made.id}/run`)).toMatchObject({
      status: 400, detail: 'Row 3, column “email”: Must be an e-mail address. It is not the only one: the preview lists them.',
    })
    expect((await team.client.get(`/imports/${made.id}`)).data.status).toBe('mapped')
  })

  it('run through their own group, and run again they are skipped, changed or refused, never doubled', async () => {
    const file = (word: string) => `id,name,email,street,country\nr-1,Harbor ${word},h@example.com,1 Pier Road,US\nr-2,Pier ${word},,,\n`
    const first = await ranImport(team.client, 'customers', file('one'))
    expect(first).toMatchObject({ status: 'completed', counts: { rows: 2, valid: 2, invalid: 0, created: 2, updated: 0, skipped: 0 }, error: null })
    expect(await eventsOf(first.id)).toEqual(['import.created', 'import.mapped', 'import.started', 'import.completed'])
    expect(await customer('r-1')).toMatchObject({ name: 'Harbor one', billing_address: { line1: '1 Pier Road', country: 'US' } })
    expect(await eventsOf((await customer('r-1')).id)).toEqual(['customer.created'])
    expect((await ranImport(team.client, 'customers', file('two'))).counts).toMatchObject({ created: 0, updated: 0, skipped: 2 })
    expect((await customer('r-1')).name).toBe('Harbor one')
    expect((await ranImport(team.client, 'customers', file('three'), { duplicate: 'update' })).counts).toMatchObject({ created: 0, updated: 2, skipped: 0 })
    expect((await customer('r-1')).name).toBe('Harbor three')
    const refused = await ranImport(team.client, 'customers', file('four'), { duplicate: 'error', on_error: 'skip' })
    expect(refused).toMatchObject({ status: 'completed_with_errors', counts: { created: 0, invalid: 2 } })
    expect(await problems(refused.id)).toContainEqual({ loc: [2], msg: 'A record with the same key is there already.' })
  })

  it('refused rows come back as a file that can be mended and brought again', async () => {
    const made = await ranImport(team.client, 'customers', `id,name,email,note\ne-1,Fine,,\ne-2,Broken,nobody,'=1+1\ne-3,Extra,,a,b\n`, { on_error: 'skip' })
    expect(made).toMatchObject({ status: 'completed_with_errors', counts: { rows: 3, valid: 1, invalid: 2, created: 1 } })
    expect(await problems(made.id)).toEqual([
      { loc: [3, 'email'], msg: 'Must be an e-mail address.' }, { loc: [4], msg: 'The row has 5 cells, but row 1 names 4 columns.' },
    ])
    const { bytes, headers } = await bytesOf(team.client, `/imports/${made.id}/errors/download`)
    expect(headers.get('content-type')).toContain('text/csv')
    expect(bytes.toString()).toContain(`e-2,Broken,nobody,'=1+1,3,email: Must be an e-mail address.\r\n`)
    const again = bytes.toString().replace('nobody', 'mended@example.com')
    expect((await ranImport(team.client, 'customers', again, { on_error: 'skip' })).counts.created).toBe(2)
    expect(await customer('e-2')).toMatchObject({ email: 'mended@example.com', notes: '=1+1' })
  })

  it('takes hostile cells as text or refuses the row', async () => {
    const file = `id,name,email\nh-1,"=HYPERLINK(""http://x"")",\nh-2,${'x'.repeat(900_000)},\nh-3,"constructor
line",\nh-4,<script>alert(1)</script>,\n`
    const made = await ranImport(team.client, 'customers', file, { on_error: 'skip' })
    expect(made.counts).toMatchObject({ rows: 4, created: 3, invalid: 1 })
    expect(await problems(made.id)).toEqual([{ loc: [3, 'name'], msg: 'Must have at most 200 characters.' }])
    expect((await customer('h-1')).name).toBe('=HYPERLINK("http://x")')
  })
})

describe('the same file', () => {
  it('comes in once, unless it is meant', async () => {
    const file = 'id,name\ns-1,Same\n'
    await ranImport(team.client, 'customers', file)
    const { id: document_id } = await newDocument(team.client, 'copy.csv', file)
    expect(await team.client.post('/imports', { kind: 'customers', document_id })).toMatchObject({ status: 400,
      detail: expect.stringContaining('confirm_duplicate') })
    const meant = await ranImport(team.client, 'customers', file, {}, { confirm_duplicate: true })
    expect(meant.counts).toMatchObject({ created: 0, skipped: 1 })
    expect((await team.client.post('/imports', { kind: 'catalog_items', document_id })).status).toBe(201)
  })
  it('run by two at once, one wins; one import run twice runs once', async () => {
    const file = 'name\nTwice\n'
    const [one, two] = [await mapped(team.client, 'customers', file), await mapped(team.client, 'customers', file)]
    const answers = await Promise.all([one, two].map(({ id }) => team.client.put(`/imports/${id}/run`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const won = answers.find(({ status }) => status === 200)?.data.id
    const again = await Promise.all([1, 2].map(() => team.client.put(`/imports/${won}/run`)))
    expect(again.map(({ status, data }) => [status, data.status])).toEqual([[200, 'running'], [200, 'running']])
    await runJobs(team.business_id)
    expect(ok(await team.client.get('/customers', { search: 'Twice' })).items).toHaveLength(1)
    expect((await team.client.put(`/imports/${won}/run`)).detail).toContain('is completed')
  })
})

describe('other kinds', () => {
  it('services with a price, which leaves those in other currencies', async () => {
    await ranImport(team.client, 'catalog_items', 'code,name,price,currency,account\nC-1,Consulting,150.00,,Sales\nC-2,Call,75,CAD,\n')
    await ranImport(team.client, 'catalog_items', 'code,name,price\nc-1,Consulting,"140,00"\n', { duplicate: 'update', decimal_separator: ',',
      currency: 'EUR' })
    const { items } = ok(await team.client.get('/catalog-items', { code: 'C-1' }))
    expect(items[0].prices).toEqual(expect.arrayContaining([{ currency: 'USD', unit_price: 15000 }, { currency: 'EUR', unit_price: 14000 }]))
  })
  it('products with variants', async () => {
    const made = await ranImport(team.client, 'products',
      'external_id,sku,name,variant,price\nmug,MUG-R,Mug,Red,12.90\nmug,MUG-B,Mug,Blue,13.90\n,TEA,Tea,,8\n', { on_error: 'skip' })
    expect(made).toMatchObject({ status: 'completed', counts: { created: 2, updated: 1 } })
    const { items } = ok(await team.client.get('/inventory/products', { q: 'Mug' }))
    expect(items[0].variants.map(({ sku, price }: any) => [sku, price])).toEqual(expect.arrayContaining([['MUG-R', 1290], ['MUG-B', 1390]]))
    expect((await ranImport(team.client, 'products', 'sku,name\nmug-r,Other\n')).counts).toMatchObject({ skipped: 1 })
  })
  it('projects of customers that are there', async () => {
    const made = await ranImport(team.client, 'projects', 'code,name,customer,start,budget\nK,Kitchen,acme widgets,04/03/2026,2500\nL,Lounge,Nobody,,\n',
      { on_error: 'skip', date_format: 'DD/MM/YYYY' })
    expect(made.counts).toMatchObject({ created: 1, invalid: 1 })
    expect(await problems(made.id)).toEqual([{ loc: [3, 'customer'], msg: `No customer is called 'Nobody'.` }])
    expect(ok(await team.client.get('/projects', { code: 'K' })).items[0]).toMatchObject({ customer_id: team.customer_id, start_date: '2026-03-04',
      budget: { revenue: 250000 } })
  })
  it('invoices as drafts, whose rows with one number are one', async () => {
    const file = 'number,customer,date,description,qty,rate\nI-1,Acme Widgets,2026-03-02,Work,2,100.00\nI-2,Acme Widgets,2026-03-03,Fee,1,5\n'
      + 'I-1,,,More work,1,50.00\nI-3,Acme Widgets,,No price,,\nI-2,Other name,,x,1,1\n'
    const made = await mapped(team.client, 'invoices', file, { on_error: 'skip' })
    const { data } = await team.client.get(`/imports/${made.id}/preview`)
    expect(data).toMatchObject({ counts: { valid: 2, invalid: 3, created: 1 }, totals: [{ currency: 'USD', amount: 25000 }] })
    expect(data.problems.map(({ loc }: any) => loc[0])).toEqual([3, 5, 6])
    ok(await team.client.put(`/imports/${made.id}/run`))
    await runJobs(team.business_id)
    const [invoice] = (await sql(`select id from invoices where business_id = $1 and number = 'I-1'`, [team.business_id]))
    expect(ok(await team.client.get(`/invoices/${invoice.id}`))).toMatchObject({ status: 'draft', total: 25000, line_items: [{ description: 'Work',
      quantity: 2 }, { description: 'More work' }] })
    expect((await ranImport(team.client, 'invoices',
      'number,customer,line description,rate\nI-1,Acme Widgets,Again,1\n')).counts).toMatchObject({ created: 0, skipped: 1 })
    expect(ok(await team.client.put(`/imports/${made.id}/rollback`)).status).toBe('rolled_back')
    expect((await team.client.get(`/invoices/${invoice.id}`)).status).toBe(404)
  })
})

describe('undoing', () => {
  it('takes all away, or lists what is used', async () => {
    const made = await ranImport(team.client, 'customers', 'id,name\nu-1,Used\nu-2,Free\n')
    const used = await customer('u-1')
    const invoice = await team.invoice({ customer_id: used.id })
    expect(await team.client.put(`/imports/${made.id}/rollback`)).toMatchObject({ status: 400, detail: expect.stringMatching(/^1 of the 2 records.*“Used”/) })
    expect(await customer('u-2')).toBeDefined()
    ok(await team.client.delete(`/invoices/${invoice.id}`))
    const [one, two] = await Promise.all([1, 2].map(() => team.client.put(`/imports/${made.id}/rollback`)))
    expect([one?.data.status, two?.data.status]).toEqual(['rolled_back', 'rolled_back'])
    expect([await customer('u-1'), await customer('u-2')]).toEqual([undefined, undefined])
    expect(await eventsOf(used.id)).toEqual(['customer.created', 'customer.deleted'])
    expect((await ranImport(team.client, 'customers', 'id,name\nu-1,Used\nu-2,Free\n')).counts.created).toBe(2)
  })
  it('is refused before a run, after 30 days, and for a viewer', async () => {
    const waiting = await mapped(team.client, 'customers', 'id,name\nw-1,Waiting\n')
    expect((await team.client.put(`/imports/${waiting.id}/rollback`)).detail).toContain('nothing to undo')
    const made = await ranImport(team.client, 'customers', 'id,name\no-1,Old\n')
    expect((await (await newMember(team.business_id, 'viewer')).client.put(`/imports/${made.id}/rollback`)).status).toBe(403)
    await sql(`update imports set finished_at = finished_at - interval '31 days' where id = $1`, [made.id])
    expect((await team.client.put(`/imports/${made.id}/rollback`)).detail).toContain('more than 30 days ago')
  })
})

describe('undoing many', () => {
  it('is a job, all or none', async () => {
    const made = await ranImport(team.client, 'catalog_items',
      `code,name\n${Array.from({ length: 201 }, (_, index) => `U-${index},Item ${index}`).join('\n')}\n`)
    const { items: [first] } = ok(await team.client.get('/catalog-items', { code: 'U-0' }))
    const invoice = await team.invoice({ line_items: [{ catalog_item_id: first.id, unit_price: 100 }] })
    const back = ok(await team.client.put(`/imports/${made.id}/rollback`))
    expect([back.status, back.job_id === made.job_id]).toEqual(['completed', false])
    expect(ok(await team.client.put(`/imports/${made.id}/rollback`)).job_id).toBe(back.job_id)
    await runJobs(team.business_id)
    expect(ok(await team.client.get(`/jobs/${back.job_id}`))).toMatchObject({ status: 'failed', error: expect.stringMatching(/^1 of the 201 records/) })
    ok(await team.client.delete(`/invoices/${invoice.id}`))
    ok(await team.client.put(`/imports/${made.id}/rollback`))
    await runJobs(team.business_id)
    expect((await team.client.get(`/imports/${made.id}`)).data.status).toBe('rolled_back')
    expect(ok(await team.client.get('/catalog-items', { code: 'U-200' })).items).toEqual([])
  }, 30_000)
})

describe('a run', () => {
  const many = (count: number, prefix: string) =>
    ['id,name', ...Array.from({ length: count }, (_, index) => `${prefix}-${index},Customer ${prefix} ${index}`), ''].join('\n')

  it('goes on where a crash left it, and repeats none', async () => {
    const made = await mapped(team.client, 'customers', many(600, 'crash'), { on_error: 'skip' })
    const started = ok(await team.client.put(`/imports/${made.id}/run`))
    // In its second piece the worker loses its connection, before anything of the piece is committed.
    await sql(`create or replace function crash() returns trigger language plpgsql security definer as $$ begin
      if new.import_id = '${made.id}' and new.row_number > 501 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$`)
    await sql('create trigger crash before update on import_rows for each row execute function crash()')
    const { program } = await service()
    const run = jobs.find(({ name }) => name === 'jobs.run')
    const context = { database: program.database, log: openLog('silent'), mailer: null, job_id: 'test' }
    await run?.run(context as never, { business_id: team.business_id, job_id: started.job_id } as never).catch(() => {})
    await sql('drop trigger crash on import_rows')
    expect((await team.client.get(`/imports/${made.id}`)).data).toMatchObject({ status: 'running', counts: { created: 500 } })
    await sql(`update jobs set status = 'queued', runner = null where id = $1 and status = 'running'`, [started.job_id])
    await run?.run(context as never, { business_id: team.business_id, job_id: started.job_id } as never)
    expect((await team.client.get(`/imports/${made.id}`)).data).toMatchObject({ status: 'completed', counts: { valid: 600, created: 600, skipped: 0 } })
    const [{ count }] = await sql(`select count(*)::int as count from customers where business_id = $1 and external_id like 'crash-%'`, [team.business_id])
    expect(count).toBe(600)
  }, 30_000)

  it('can be canceled, as an import and as a job', async () => {
    const made = await mapped(team.client, 'customers', many(3, 'cancel'))
    expect((await team.client.put(`/imports/${made.id}/cancel`)).detail).toContain('has not run yet')
    const { job_id } = ok(await team.client.put(`/imports/${made.id}/run`))
    expect(ok(await team.client.put(`/imports/${made.id}/cancel`)).status).toBe('canceled')
    expect(ok(await team.client.put(`/imports/${made.id}/cancel`)).status).toBe('canceled')
    await runJobs(team.business_id)
    expect(ok(await team.client.get(`/jobs/${job_id}`)).status).toBe('canceled')
    expect(await customer('cancel-0')).toBeUndefined()
    const other = await mapped(team.client, 'customers', many(3, 'stopped'))
    const running = ok(await team.client.put(`/imports/${other.id}/run`))
    ok(await team.client.put(`/jobs/${running.job_id}/cancel`))
    await deliver(team.business_id)
    expect((await team.client.get(`/imports/${other.id}`)).data.status).toBe('canceled')
    expect((await team.client.delete(`/imports/${other.id}`)).detail).toContain('was canceled')
  })

  it('of all or none that meets something new leaves nothing, says why, and can be run again', async () => {
    const made = await mapped(team.client, 'projects', 'code,name,customer\nF-1,One,\nF-2,Two,Fleeting\n', { on_error: 'skip' }).catch(() => null)
    expect(made).not.toBeNull()
    const fleeting = ok(await team.client.post('/customers', { name: 'Fleeting' }))
    ok(await team.client.put(`/imports/${made.id}/mapping`, { mapping: made.mapping, options: { on_error: 'abort' } }))
    const { job_id } = ok(await team.client.put(`/imports/${made.id}/run`))
    ok(await team.client.put(`/customers/${fleeting.id}/archive`))
    await runJobs(team.business_id)
    expect(ok(await team.client.get(`/jobs/${job_id}`))).toMatchObject({ status: 'failed', error: expect.stringContaining('Fleeting') })
    expect((await team.client.get(`/imports/${made.id}`)).data).toMatchObject({ status: 'failed', error: expect.stringContaining('Row 3'),
      counts: { created: 0, invalid: 1 } })
    expect(ok(await team.client.get('/projects', { code: 'F-1' })).items).toEqual([])
    ok(await team.client.put(`/customers/${fleeting.id}/restore`))
    ok(await team.client.put(`/imports/${made.id}/run`))
    await runJobs(team.business_id)
    expect((await team.client.get(`/imports/${made.id}`)).data).toMatchObject({ status: 'completed', error: null, counts: { valid: 2, invalid: 0,
      created: 2 } })
  })
})
