// Businesses that sell, to measure on: made over HTTP as anybody would; filled by SQL where there are to be a million invoices.
import { newId } from '../../src/foundation/ids.ts'
import { asOwner, call, newBooks, type BenchBusiness, type Caller } from './books.ts'

export type Seller = BenchBusiness & { customers: string[] }

/** What everybody bills. */
export const LINES = [1, 2, 3].map((number) => ({ description: `Work ${number}`, quantity: number, unit_price: 1250 * number }))
export const DATE = '2025-06-15'

export async function newSeller(url: string, caller: Caller, name: string): Promise<Seller> {
  const books = await newBooks(url, caller, name)
  const customers = Array.from({ length: 10 }, (_, index) => ({ name: `Customer ${index}`, email: `customer${index}@example.com` }))
  const { rows } = await call<{ rows: { id: string }[] }>(url, caller, books.business_id, 'POST', '/customers/bulk', { customers })
  return { ...books, customers: rows.map(({ id }) => id) }
}

export function invoiceBody({ customers }: Seller, index: number, more: object = {}) {
  return { customer_id: customers[index % customers.length] as string, invoice_date: DATE, line_items: LINES, ...more }
}

/** The body of a bulk call. */
export function bulkBody(seller: Seller, count: number, more: object = {}): string {
  return JSON.stringify({ rows: Array.from({ length: count }, (_, index) => invoiceBody(seller, index, { external_id: newId(), ...more })) })
}

export type Draft = { id: string; customer_id: string }

export async function makeDrafts(url: string, caller: Caller, seller: Seller, count: number): Promise<Draft[]> {
  const { results } = await call<{ results: { id: string }[] }>(url, caller, seller.business_id, 'POST', '/invoices/bulk', bulkBody(seller, count))
  return results.map(({ id }, index) => ({ id, customer_id: seller.customers[index % seller.customers.length] as string }))
}

/** Tables that a fill of invoices writes by the hundred thousand. */
export const FILLED = ['invoices', 'invoice_payments', 'analysis_months']

/**
 * Invoices since the beginning of 2024 for 10,000 customers, one in twenty open: the last 4 % and some of all ages. The rest are paid. The
 * receivable of the books says the same; of the journal there are the items that are open.
 */
export function fillInvoices(database_url: string, { business_id, ledgers }: BenchBusiness, count: number, customers = 10_000): Promise<void> {
  return asOwner(database_url, async (client) => {
    const [receivable, sales, checking] = [ledgers['Accounts Receivable'], ledgers['Sales'], ledgers['Checking']]
    const uuid = (expression: string) => `lpad(to_hex(${expression}), 32, '0')::uuid`
    // No triggers and no foreign keys, which is what makes a million a matter of a minute.
    await client.query('set session_replication_role = replica')
    await client.query(`insert into customers (business_id, id, name, email, currency, language, reminders_paused, status, created_at, updated_at, version)
      select $1, ${uuid('n')}, 'Customer ' || lpad((n * 7919 % $2)::text, 5, '0'), 'customer' || n || '@example.com', 'USD', 'en', false, 'active', at, at, 1
      from generate_series(1, $2::bigint) n, (values (timestamptz '2024-01-01')) as v (at)`, [business_id, customers])
    await client.query(`insert into invoices (business_id, id, status, currency, customer_id, invoice_date, due_date, number, description, dimension_value_ids, attachment_ids, collect_online,
        allow_partial_payments, reminders_paused, tax_mode, subtotal, discount_total, tax_total, total, total_paid, total_credited, written_off, base_total, base_balance, is_opening_balance,
        delivered, paid_on, finalized_at, uncollectible, disputed, origin, issued_by, processor_sync_status, link_generation, receivable_line_id, created_at, updated_at, version)
      select $1, ${uuid('n')}, case when open then 'open' else 'manual_paid' end, 'USD', ${uuid('1 + n * 7919 % $3')}, at::date, at::date + 30, 'INV-' || lpad(n::text, 7, '0'), 'Work of a month',
        '{}', '{}', true, false, false, 'exclusive', amount, 0, 0, amount, case when open then 0 else amount end, 0, 0, amount, case when open then amount else 0 end, false,
        false, case when open then null else paid_at end, at, false, false, 'manual', 'service', 'none', 1, ${uuid('2 * n')}, at, case when open then at else paid_at end, 2
      from (select n, at, least(at + (5 + n % 40) * interval '1 day', date_trunc('day', now())) as paid_at, 1000 + n * 37 % 500000 as amount, n > $2 * 24 / 25 or n % 96 = 0 as open
            from generate_series(1, $2::bigint) n cross join lateral (select timestamptz '2024-01-01' + n * ((date_trunc('day', now()) - timestamptz '2024-01-01') / $2::float8)) as moment (at)) as made`,
    [business_id, count, customers])
    await client.query(`insert into invoice_payments (business_id, id, invoice_id, transaction_id, amount, currency, paid_on, posted_on, kind, method, journal_entry_id, transaction_amount, realized_fx,
        base_amount, created_at, updated_at, version)
      select business_id, id, id, id, total, 'USD', paid_on, (paid_on at time zone 'UTC')::date, 'manual', 'bank_transfer', id, total, 0, total, paid_on, paid_on, 1
      from invoices where business_id = $1 and status = 'manual_paid'`, [business_id])
    await client.query(`insert into journal_entries (business_id, id, number, date, recorded_at, memo, source_type, source_id, currency, rate, is_adjusting, line_count, total, previous_hash, hash,
        superseded, updated_at, version)
      select business_id, id, row_number() over (order by id), invoice_date, created_at, 'Invoice ' || number, 'invoice', id, 'USD', 1, false, 2, total, '', '', false, created_at, 1
      from invoices where business_id = $1 and status = 'open'`, [business_id])
    await client.query(`insert into journal_lines (business_id, id, entry_id, entry_number, position, date, ledger_id, currency, amount, base_amount, rate, customer_id, dimension_value_ids, is_adjusting)
      select e.business_id, case when p = 1 then i.receivable_line_id else ('f' || substr(i.receivable_line_id::text, 2))::uuid end, e.id, e.number, p, e.date, ledger_id, 'USD', s * e.total, s * e.total, 1,
        i.customer_id, '{}', false
      from journal_entries e join invoices i on i.business_id = e.business_id and i.id = e.id cross join (values (1, 1, $2::uuid), (2, -1, $3::uuid)) as side (p, s, ledger_id)
      where e.business_id = $1`, [business_id, receivable, sales])
    await client.query(`insert into invoice_entries (business_id, invoice_id, entry_id, role, standing)
      select business_id, id, id, 'finalization', true from invoices where business_id = $1 and status = 'open'`, [business_id])
    // What the books say of all of them, open or paid.
    const moved = `(select i.invoice_date as date, i.customer_id, side.ledger_id, side.s * i.total as amount from invoices i cross join (values ($2::uuid, 1), ($3::uuid, -1)) as side (ledger_id, s) where i.business_id = $1
      union all select p.posted_on, i.customer_id, side.ledger_id, side.s * p.amount from invoice_payments p join invoices i on i.business_id = p.business_id and i.id = p.invoice_id
        cross join (values ($4::uuid, 1), ($2::uuid, -1)) as side (ledger_id, s) where p.business_id = $1) as moved`
    for (const [table, column, key] of [['ledger_months', 'month', `date_trunc('month', date)::date`], ['ledger_days', 'date', 'date']] as const) {
      await client.query(`insert into ${table} (business_id, ledger_id, currency, ${column}, amount, debit, credit, cash_debit, cash_credit)
        select $1, ledger_id, 'USD', ${key}, sum(amount), sum(greatest(amount, 0)), sum(greatest(-amount, 0)), 0, 0 from ${moved} group by 2, 4`, [business_id, receivable, sales, checking])
    }
    await client.query(`insert into analysis_months (business_id, axis, value_id, ledger_id, month, debit, credit, cash_debit, cash_credit)
      select $1, 'customer', customer_id, ledger_id, date_trunc('month', date)::date, sum(greatest(amount, 0)), sum(greatest(-amount, 0)), 0, 0
      from ${moved} where ledger_id <> $4 group by 3, 4, 5`, [business_id, receivable, sales, checking])
    await client.query(`update journal_heads set number = (select count(*) from journal_entries where business_id = $1), recorded_at = now(), stamp = gen_random_uuid() where business_id = $1`, [business_id])
    await client.query(`update numbering_sequences set last_assigned = 'INV-' || lpad($2::text, 7, '0') where business_id = $1 and kind = 'invoice'`, [business_id, count])
    await client.query('set session_replication_role = origin')
    await client.query('vacuum analyze customers, invoices, invoice_payments, invoice_entries, journal_entries, journal_lines, ledger_months, ledger_days, analysis_months')
  })
}

/** Templates that are due today, and the job that makes their invoices: both are there from the same moment on. */
export function fillTemplates(database_url: string, seller: Seller, count: number, on_generate: 'draft' | 'finalize'): Promise<void> {
  return asOwner(database_url, async (client) => {
    const body = JSON.stringify({ line_items: LINES })
    const amount = LINES.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0)
    await client.query('begin')
    await client.query(`insert into recurring_templates (business_id, id, kind, name, status, frequency, start_date, days_until_due, on_generate, price_mode, template, prices, currency, amount, anchor_date,
        next_date, occurrences, occurrences_generated, occurrences_retrying, created_at, updated_at, version)
      select $1, gen_random_uuid(), 'invoice', 'Template ' || n, 'active', 'monthly', current_date, 30, $2, 'frozen', $3::jsonb || jsonb_build_object('customer_id', ($4::uuid[])[1 + n % cardinality($4::uuid[])]),
        $5, 'USD', $6, current_date, current_date, 0, 0, 0, now(), now(), 1
      from generate_series(1, $7::int) n`, [seller.business_id, on_generate, body, seller.customers, JSON.stringify(LINES.map(({ unit_price }) => unit_price)), amount, count])
    await client.query('analyze recurring_templates')
    await client.query(`select graphile_worker.add_job('recurring.generate', json_build_object('business_id', $1::uuid))`, [seller.business_id])
    await client.query('commit')
  })
}
