import { it } from 'vitest'
import { newSeller } from '../../../test/support/sales.ts'
import { sql } from '../../../test/support/people.ts'
import pg from 'pg'
import { inject } from 'vitest'

it('perf', async () => {
  const s = await newSeller()
  const inv = await s.open({ invoice_date: '2026-01-05' })
  const N = 100_000, OPEN = 50_000, CUST = 3000
  const c = new pg.Client({ connectionString: inject('database_url') })
  await c.connect()
  await c.query('set session_replication_role = replica')
  const b = s.business_id
  const ar = await s.ledger('accounts_receivable')
  const t0 = Date.now()
  await c.query(`insert into customers (business_id, id, name, currency, language, reminders_paused, status, created_at, updated_at, version)
    select '${b}', md5('c'||n)::uuid, 'Customer '||n, 'USD','en',false,'active',now(),now(),1 from generate_series(1,${CUST}) n`)
  const cols = (await sql(`select column_name from information_schema.columns where table_name='invoices' and is_generated='NEVER'`)).map((r) => r.column_name)
  const over: Record<string, string> = {
    id: `md5('i'||n)::uuid`, customer_id: `md5('c'||(1 + n % ${CUST}))::uuid`, number: `'X'||n`, receivable_line_id: `md5('l'||n)::uuid`,
    status: `case when n <= ${OPEN} then 'open' else 'manual_paid' end`, total: '1000', total_paid: `case when n <= ${OPEN} then 0 else 1000 end`, base_total: '1000', base_balance: `case when n <= ${OPEN} then 1000 else 0 end`,
    subtotal: '1000', invoice_date: `date '2026-01-01' + (n % 180)`, due_date: `date '2026-01-31' + (n % 180)`, external_id: 'null',
    created_at: `now() - (n || ' seconds')::interval`,
  }
  await c.query(`insert into invoices (${cols.join(',')}) select ${cols.map((x) => over[x] ?? `i.${x}`).join(',')} from invoices i, generate_series(1,${N}) n where i.id = '${inv.id}'`)
  await c.query(`insert into journal_entries (business_id, id, number, date, recorded_at, source_type, source_id, currency, rate, is_adjusting, line_count, total, previous_hash, hash, superseded, updated_at, version)
    select '${b}', md5('e'||n)::uuid, 1000+n, date '2026-01-01' + (n % 180), now(), 'invoice', md5('i'||n)::uuid, 'USD', 1, false, 2, 1000, '\\x', '\\x', false, now(), 1 from generate_series(1,${N}) n`)
  await c.query(`insert into journal_entries (business_id, id, number, date, recorded_at, source_type, source_id, currency, rate, is_adjusting, line_count, total, previous_hash, hash, superseded, updated_at, version)
    select '${b}', md5('p'||n)::uuid, ${N}+1000+n, date '2026-02-01' + (n % 180), now(), 'invoice_payment', md5('i'||n)::uuid, 'USD', 1, false, 2, 1000, '\\x', '\\x', false, now(), 1 from generate_series(${OPEN}+1,${N}) n`)
  await c.query(`insert into journal_lines (business_id, id, entry_id, entry_number, position, date, ledger_id, currency, amount, base_amount, rate, customer_id, dimension_value_ids, is_adjusting)
    select '${b}', md5('l'||n)::uuid, md5('e'||n)::uuid, 1000+n, 1, date '2026-01-01' + (n % 180), '${ar}', 'USD', 1000, 1000, 1, md5('c'||(1 + n % ${CUST}))::uuid, '{}', false from generate_series(1,${N}) n`)
  await c.query(`insert into journal_lines (business_id, id, entry_id, entry_number, position, date, ledger_id, currency, amount, base_amount, rate, customer_id, dimension_value_ids, is_adjusting, settles_line_id)
    select '${b}', md5('q'||n)::uuid, md5('p'||n)::uuid, ${N}+1000+n, 1, date '2026-02-01' + (n % 180), '${ar}', 'USD', -1000, -1000, 1, md5('c'||(1 + n % ${CUST}))::uuid, '{}', false, md5('l'||n)::uuid from generate_series(${OPEN}+1,${N}) n`)
  await c.query(`delete from ledger_days where business_id='${b}'; delete from ledger_months where business_id='${b}'`)
  await c.query(`insert into ledger_days select '${b}', date, ledger_id, currency, sum(amount), sum(greatest(base_amount,0)), sum(greatest(-base_amount,0)),0,0 from journal_lines where business_id='${b}' group by 2,3,4`)
  await c.query(`insert into ledger_months select '${b}', ledger_id, currency, date_trunc('month',date)::date, sum(amount), sum(greatest(base_amount,0)), sum(greatest(-base_amount,0)),0,0 from journal_lines where business_id='${b}' group by 2,3,4`)
  await c.query(`update journal_heads set number = ${2 * N + 1000} where business_id='${b}'`)
  await c.query('vacuum analyze invoices'); await c.query('vacuum analyze journal_lines'); await c.query('vacuum analyze journal_entries'); await c.query('analyze customers')
  console.log('loaded', Date.now() - t0)
  const time = async (path: string, q: any) => {
    const all: number[] = []
    let last: any
    for (let i = 0; i < 7; i++) { const t = performance.now(); last = await s.client.get(path, q); all.push(performance.now() - t) }
    console.log(path, JSON.stringify(q), all.map((x) => x.toFixed(0)).join(' '), last.status, JSON.stringify(last.data?.totals ?? last.data?.summary ?? null), last.data?.difference, last.detail ?? '')
  }
  await time('/invoices', { limit: 50 })
  await time('/invoices/aging', { as_of: '2026-12-31' })
  await time('/invoices/aging', { as_of: '2026-06-30' })
  await time('/invoices/aging', { as_of: '2026-12-31', customer_id: (await sql(`select md5('c1')::uuid id`))[0].id, detail: true })
  await time('/invoices/aging', { as_of: '2026-12-31', sort_by: 'customer_name', detail: true })
  await time('/invoices/aging', { as_of: '2026-03-31', known_at: '2026-01-01T00:00:00Z' })
  if (process.env.MORE) { await time('/invoices/collections', {}); await time('/invoices/metrics', {}) }
  const ex = process.env.EXPLAIN
  if (ex) {
    const store = await import('./store.ts')
    const st: any = store.byDocuments.totals
    const vals: any = { business_id: b, as_of: process.env.EXPLAIN, last_number: 1e9, by_due_date: true, first_days: 30, second_days: 60, third_days: 90, customer_ids: null, currency: null, ledger_ids: [ar] }
    await c.query('set session_replication_role = origin; set role daybook_app'); await c.query(`set app.business_id = '${b}'`)
    const r = await c.query('explain (analyze, buffers) ' + st.text, st.parameters.map((p: string) => vals[p]))
    console.log(r.rows.map((x) => x['QUERY PLAN']).join('\n'))
  }
  await c.end()
}, 600_000)
