// Workers killed while they make recurring invoices, again and again: in the end each date has its one invoice.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../src/foundation/calendar.ts'
import { newCustomer } from '../support/customers.ts'
import { newFolder, ownService, type Own } from '../support/own.ts'
import { endAll, stay, until } from '../support/process.ts'

const KILLS = Number(process.env['SIMULATION_KILLS'] ?? 2)
const TEMPLATES = 4
const DAYS = 200

let own: Own
let folder: Awaited<ReturnType<typeof newFolder>>
beforeAll(async () => {
  [own, folder] = await Promise.all([ownService({ DAYBOOK_WORKER: 'false' }), newFolder()])
}, 60_000)
afterEach(endAll)
afterAll(async () => {
  await own.stop()
  await folder.remove()
})

test(`two workers, killed ${KILLS} times`, async () => {
  const { client, business_id } = await own.owner()
  const customer_id = await newCustomer(client)
  const today = new Date().toISOString().slice(0, 10)
  for (let made = 0; made < TEMPLATES; made++) {
    const line_items = [{ description: 'Daily', unit_price: 100 }]
    const { status, detail } = await client.post('/recurring', {
      kind: 'invoice', frequency: 'daily', start_date: addDays(today, 1 - DAYS), max_occurrences: DAYS - 5, on_generate: made % 2 === 0 ? 'draft' : 'finalize', template: { customer_id, line_items },
    })
    expect(status, JSON.stringify(detail)).toBe(201)
  }
  const total = TEMPLATES * (DAYS - 5)
  const done = async () => (await own.sql('select count(*)::int as count from recurring_occurrences where business_id = $1', [business_id]))[0].count as number
  const worker = () => stay(['worker'], { DATABASE_URL: own.database_url, DAYBOOK_DATA: folder.path, DAYBOOK_LOG_LEVEL: 'silent' })
  // What a dead worker had in its hands comes again with the next look of the clock.
  const look = () => own.sql(`select graphile_worker.add_job('recurring.find_due')`)

  for (let kill = 0; kill < KILLS; kill++) {
    const before = await done()
    const workers = await Promise.all([worker(), worker()])
    await look()
    await until('some more are made', async () => (await done()) > before || before === total)
    for (const each of workers) each.signal('SIGKILL')
    await Promise.all(workers.map((each) => each.ended))
  }
  const workers = await Promise.all([worker(), worker()])
  await look()
  await until('all are made', async () => (await done()) === total, 60)
  await look()
  for (const each of workers) each.signal('SIGINT')
  await Promise.all(workers.map((each) => each.ended))

  const [found] = await own.sql(
    `select count(*)::int as occurrences, count(distinct i.id)::int as invoices, count(distinct (o.template_id, o.scheduled_date))::int as dates,
       (select count(*)::int from invoices a where a.business_id = $1) as all_invoices,
       (select count(*)::int from recurring_templates t where t.business_id = $1 and t.status = 'ended' and t.occurrences_generated = ${DAYS - 5}) as ended,
       (select count(*)::int from events e where e.business_id = $1 and e.type = 'recurring.generated') as told
     from recurring_occurrences o join invoices i on i.business_id = o.business_id and i.id = o.document_id and i.recurring_template_id = o.template_id
     where o.business_id = $1 and o.status = 'generated'`, [business_id])
  expect(found).toEqual({ occurrences: total, invoices: total, dates: total, all_invoices: total, ended: TEMPLATES, told: total })
  const numbers = await own.sql('select count(*)::int as count, count(distinct number)::int as different from invoices where business_id = $1 and number is not null', [business_id])
  expect(numbers[0].different).toBe(numbers[0].count)
}, 60_000 * (KILLS + 1))
