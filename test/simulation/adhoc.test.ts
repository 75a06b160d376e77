import pg from 'pg'
import { writeFileSync } from 'node:fs'
import { inject, it } from 'vitest'
import { newBusiness, newMember, sql } from '../support/people.ts'
import { client } from '../support/client.ts'
import { service } from '../support/service.ts'
import { randomFrom, SEED } from './random.ts'
import { auditSales } from './sales-auditor.ts'
import { openShop } from './sales.ts'
import { step } from './workload.ts'
import { newWorld } from './world.ts'
it('x', async () => {
  (await service()).clock.set('2026-09-15T12:00:00Z')
  if (process.env['BASE']) {
    const team = await newBusiness()
    const { data } = await team.client.get('/ledgers', { limit: 500 })
    const world = newWorld(data.items.filter((l: any) => l.role === null && l.posting).slice(0, 25), '2026-01-01', 250)
    const random = randomFrom(SEED)
    const members = await Promise.all(Array.from({ length: 5 }, () => newMember(team.business_id, 'admin')))
    const t = Date.now()
    await Promise.all([team.client, ...members.map(({ token }) => client(token, team.business_id))].map(async (person) => {
      const own = random.branch()
      for (let done = 0; done < 1000 / 6; done++) await step(person, world, own)
    }))
    writeFileSync('/tmp/sim/base-time.txt', `${Date.now() - t} ms for 1000\n`)
  }
  const team = await newBusiness()
  await team.client.post('/ledgers', { name: 'CAD account', type: 'asset', subtype: 'bank', currency: 'CAD', is_bank: true })
  for (const from_currency of ['CAD', 'EUR']) await team.client.post('/fx/rates', { from_currency, to_currency: 'USD', date: '2026-01-01', rate: '0.75' })
  const { data } = await team.client.get('/ledgers', { limit: 500 })
  const world = newWorld(data.items.filter((l: any) => l.role === null && l.posting).slice(0, 25), '2026-01-01', 250)
  world.sales = await openShop(team.client, world)
  const refusals: Record<string, number> = {}
  const wrap = (c: any) => ({ ...c, ...Object.fromEntries(['get', 'post', 'put', 'patch', 'delete'].map((m) => [m, async (p: string, ...rest: any[]) => {
    const a = await c[m](p, ...rest)
    const key = `${m} ${p.replace(/[0-9a-f-]{36}/g, 'X')} ${a.status} ${a.status >= 400 ? JSON.stringify(a.detail).replace(/[0-9a-f-]{36}/g, 'X').replace(/[\d.,]+/g, 'N').replace(/(INV|T|CM|CON)-N/g, 'NO').slice(0, 110) : ''}`
    refusals[key] = (refusals[key] ?? 0) + 1
    return a
  }])) })
  const random = randomFrom(SEED)
  const members = await Promise.all(Array.from({ length: 5 }, () => newMember(team.business_id, 'admin')))
  await Promise.all([team.client, ...members.map(({ token }) => client(token, team.business_id))].map(async (person) => {
    const own = random.branch()
    for (let done = 0; done < 1500 / 6; done++) await step(wrap(person), world, own)
  }))
  writeFileSync('/tmp/sim/refusals.txt', Object.entries(refusals).sort(([, a], [, b]) => b - a).map(([k, v]) => `${v} ${k}`).join('\n'))
  const out: string[] = []
  const mutations: Record<string, string> = {
    'line': `update invoice_lines set tax_amount = tax_amount + 1 where business_id = $1 and id = (select id from invoice_lines where business_id = $1 limit 1)`,
    'gross': `update invoice_lines set gross = gross + 1, amount = amount + 1 where business_id = $1 and id = (select id from invoice_lines where business_id = $1 limit 1)`,
    'total': `update invoices set total = total + 1 where business_id = $1 and id = (select id from invoices where business_id = $1 and status = 'open' limit 1)`,
    'payment gone': `update invoice_payments set reversed_at = now() where business_id = $1 and id = (select id from invoice_payments where business_id = $1 and reversed_at is null limit 1)`,
    'paid_on': `update invoices set paid_on = null where business_id = $1 and id = (select id from invoices where business_id = $1 and status = 'manual_paid' limit 1)`,
    'written off': `update invoices set written_off = written_off - 1 where business_id = $1 and id = (select id from invoices where business_id = $1 and written_off > 0 limit 1)`,
    'entry gone': `update invoice_entries set standing = false where business_id = $1 and (invoice_id, entry_id) = (select invoice_id, entry_id from invoice_entries where business_id = $1 and role = 'finalization' and standing limit 1)`,
    'date': `update invoices set invoice_date = invoice_date - 1 where business_id = $1 and id = (select id from invoices where business_id = $1 and status = 'open' limit 1)`,
    'claim': `update transaction_claims set amount = amount + 1 where business_id = $1 and id = (select id from transaction_claims where business_id = $1 limit 1)`,
    'claim gone': `delete from transaction_claims where business_id = $1 and id = (select id from transaction_claims where business_id = $1 limit 1)`,
    'base balance': `update invoices set base_balance = base_balance + 1 where business_id = $1 and id = (select id from invoices where business_id = $1 and status = 'open' and currency = 'CAD' and receivable_line_id is not null limit 1)`,
    'customer': `update invoices set customer_id = (select id from customers where business_id = $1 and id <> customer_id limit 1) where business_id = $1 and id = (select id from invoices where business_id = $1 and status = 'open' limit 1)`,
    'memo': `update credit_memos set base_remaining = base_remaining + 1 where business_id = $1 and id = (select id from credit_memos where business_id = $1 and status = 'open' and kind <> 'credit_note' limit 1)`,
    'note': `update credit_memos set base_remaining = base_remaining + 1 where business_id = $1 and id = (select id from credit_memos where business_id = $1 and status = 'open' and kind = 'credit_note' limit 1)`,
    'applied': `update invoice_credits set amount = amount + 1 where business_id = $1 and id = (select id from invoice_credits where business_id = $1 and reversed_at is null limit 1)`,
    'contract': `update contracts set billed_amount = billed_amount - 1 where business_id = $1 and id = (select id from contracts where business_id = $1 and billed_amount > 1 limit 1)`,
    'contract paid': `update contracts set paid_amount = paid_amount + 1 where business_id = $1 and id = (select id from contracts where business_id = $1 and billed_amount > 1 limit 1)`,
    'contract credited': `update contracts set credited_amount = credited_amount + 1 where business_id = $1 and id = (select id from contracts where business_id = $1 limit 1)`,
    'number': `update numbering_marks set highest_used = highest_used + 1 where business_id = $1 and kind = 'invoice' and highest_used = (select max(highest_used) from numbering_marks where business_id = $1 and kind = 'invoice')`,
    'pool': `update stock_pools set quantity = quantity + 1 where business_id = $1 and variant_id = (select variant_id from stock_pools where business_id = $1 and quantity > 0 limit 1)`,
    'pool value': `update stock_pools set value = value + 1 where business_id = $1 and variant_id = (select variant_id from stock_pools where business_id = $1 and quantity > 0 limit 1)`,
    'delivered': `update invoice_lines set quantity_delivered = quantity_delivered - 1 where business_id = $1 and id = (select id from invoice_lines where business_id = $1 and quantity_delivered > 0 and variant_id is not null limit 1)`,
    'credited units': `update invoice_lines set quantity_credited = quantity_credited + 1 where business_id = $1 and id = (select id from invoice_lines where business_id = $1 and quantity_credited < quantity limit 1)`,
    'refund': `update credit_refunds set reversed_at = now() where business_id = $1 and id = (select id from credit_refunds where business_id = $1 and reversed_at is null limit 1)`,
    'returned': `update credit_memo_lines set quantity_returned = quantity_returned - 1 where business_id = $1 and id = (select l.id from credit_memo_lines l join credit_memos m on m.id = l.credit_memo_id where m.status <> 'void' and l.business_id = $1 and quantity_returned > 0 limit 1)`,
  }
  const c = new pg.Client({ connectionString: inject('database_url') }); await c.connect()
  for (const [name, text] of Object.entries(mutations)) {
    await c.query('begin')
    try {
      const r = await c.query(text, [team.business_id])
      const found = await auditSales(async (t, v) => (await c.query(t, v)).rows, team.business_id)
      out.push(`${name} (${r.rowCount}): ${found.length}\n   ${found.join('\n   ').slice(0, 900)}`)
    } catch (e) { out.push(`${name}: refused ${(e as Error).message}`) }
    await c.query('rollback')
  }
  await c.end()
  writeFileSync('/tmp/sim/mutations.txt', out.join('\n'))
  void sql
}, 600_000)
