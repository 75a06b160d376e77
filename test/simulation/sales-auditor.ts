// An independent auditor of what customers owe: SQL of its own over the raw rows, with none of the code under test.
import type { Ask } from './auditor.ts'
import type { Sales } from './sales.ts'

/** Entries that stand: not reversed, no reversal, not replaced by one on another date. */
const standing = `select * from journal_entries where business_id = $1 and reversed_by_id is null and reversal_of_id is null and mirror_of_id is null and not superseded`
const issued = `status not in ('draft', 'void')`
const roleOf = (role: string) => `(select id from ledgers where business_id = $1 and role = '${role}')`

/** What a claim says, and the rows that contradict it: each has its own words in `found`. */
const CLAIMS: Record<string, string> = {
  'a line is its quantity times its price less its discount': `
    select 'line ' || id as found from (
      select id, gross, discount, amount, tax_amount, tax_components, discount_percent, discount_amount, quantity, unit_price from invoice_lines where business_id = $1
      union all select id, gross, discount, amount, tax_amount, tax_components, discount_percent, discount_amount, quantity, unit_price from credit_memo_lines where business_id = $1 and invoice_line_id is null) l
    where gross <> quantity * coalesce(unit_price, 0) or amount <> gross - discount
      or discount <> least(gross, coalesce(round(gross * discount_percent / 100), discount_amount, 0))
      or tax_amount <> (select coalesce(sum((c->>'amount')::bigint), 0) from jsonb_array_elements(tax_components) c)`,

  'a total is the sum of its lines and their tax': `
    select 'document ' || id || ' of ' || total || ', lines of ' || lines || ' with tax ' || tax as found from (
      select i.id, i.total, i.subtotal, i.tax_total, i.discount_total, i.tax_mode, coalesce(sum(l.amount), 0) as lines, coalesce(sum(l.tax_amount), 0) as tax, coalesce(sum(l.discount), 0) as discounts, count(l.id)
      from invoices i left join invoice_lines l on l.business_id = i.business_id and l.invoice_id = i.id where i.business_id = $1 group by i.business_id, i.id
      union all
      select m.id, m.total, m.subtotal, m.tax_total, 0, m.tax_mode, sum(l.amount), sum(l.tax_amount), 0, count(*)
      from credit_memos m join credit_memo_lines l on l.business_id = m.business_id and l.credit_memo_id = m.id where m.business_id = $1 group by m.business_id, m.id) d
    where tax_total <> tax or (discount_total <> discounts and discount_total > 0) or total <> lines + case tax_mode when 'exclusive' then tax else 0 end or subtotal <> total - tax
      or (tax_mode = 'none' and tax <> 0)`,

  'the tax is 8.25 % of the lines that have it, to the cent of each line': `
    select 'invoice ' || i.id || ' has tax of ' || i.tax_total || ' on ' || x.taxed as found from invoices i
    join lateral (select sum(amount) as taxed, count(*) from invoice_lines l where l.business_id = i.business_id and l.invoice_id = i.id and l.tax_amount <> 0) x on true
    where i.business_id = $1 and abs(i.tax_total - x.taxed * case i.tax_mode when 'inclusive' then 0.0825 / 1.0825 else 0.0825 end) > x.count`,

  'what is paid is what standing payments and credits say': `
    select 'invoice ' || coalesce(i.number, i.id::text) || ' has ' || i.total_paid || ', payments of ' || p.paid || ' and credits of ' || c.credited as found from invoices i
    join lateral (select coalesce(sum(amount), 0) as paid from invoice_payments p where p.business_id = i.business_id and p.invoice_id = i.id and reversed_at is null) p on true
    join lateral (select coalesce(sum(amount), 0) as credited from invoice_credits c where c.business_id = i.business_id and c.invoice_id = i.id and reversed_at is null) c on true
    where i.business_id = $1 and (i.total_paid <> p.paid + c.credited or i.total_credited <> c.credited or i.balance_due <> i.total - p.paid - c.credited)`,

  'the status follows the figures': `
    select 'invoice ' || coalesce(number, id::text) || ' is ' || status as found from invoices
    where business_id = $1 and (case
        when status in ('draft', 'void') then total_paid <> 0 or written_off <> 0
        when total_paid = total then status not in ('manual_paid', 'processor_paid')
        when total_paid > 0 then status <> 'partially_paid'
        else status <> 'open' end
      or (status = 'void') <> (voided_at is not null) or (status = 'draft') <> (finalized_at is null)
      or (status in ('manual_paid', 'processor_paid')) <> (paid_on is not null))`,

  'what is written off is what the write-off took and no recovery has brought back': `
    select 'invoice ' || i.number || ' has written off ' || i.written_off as found from invoices i
    left join lateral (select -sum(l.amount) as taken, count(distinct e.id) from invoice_entries t join (${standing}) e on e.id = t.entry_id
      join journal_lines l on l.business_id = e.business_id and l.entry_id = e.id and l.settles_line_id = i.receivable_line_id
      where t.business_id = i.business_id and t.invoice_id = i.id and t.role = 'write_off' and t.standing) w on true
    left join lateral (select coalesce(sum(amount), 0) as recovered from invoice_payments p where p.business_id = i.business_id and p.invoice_id = i.id and reversed_at is null and kind = 'recovery') r on true
    where i.business_id = $1 and (i.written_off <> coalesce(w.taken, 0) - r.recovered or w.count <> case when i.uncollectible then 1 else 0 end)`,

  'one finalization entry stands for an invoice that was issued, and none for a draft or a void one': `
    select 'invoice ' || coalesce(i.number, i.id::text) || ' is ' || i.status || ' and has ' || t.count as found from invoices i
    join lateral (select count(*), min(e.date) as date, count(l.id) as receivables from invoice_entries t join (${standing}) e on e.id = t.entry_id
      left join journal_lines l on l.business_id = e.business_id and l.entry_id = e.id and l.id = i.receivable_line_id and l.ledger_id = ${roleOf('accounts_receivable')}
        and l.amount = i.total and l.base_amount = i.base_total and l.customer_id = i.customer_id and l.currency = i.currency
      where t.business_id = i.business_id and t.invoice_id = i.id and t.role = 'finalization' and t.standing) t on true
    where i.business_id = $1 and (t.count <> case when i.status in ('draft', 'void') or i.total = 0 then 0 else 1 end or t.receivables <> t.count or (t.count = 1 and t.date <> i.invoice_date))
      and not (i.external_id like 'unposted %' and t.count = 0 and i.total_paid = 0)`,

  'every entry of sales that stands belongs to a document that stands, and the other way round': `
    with documents as (
      select 'invoice' as kind, t.entry_id from invoice_entries t where t.business_id = $1 and t.role = 'finalization' and t.standing
      union all select 'invoice_payment', journal_entry_id from invoice_payments where business_id = $1 and reversed_at is null
      union all select 'invoice_write_off', t.entry_id from invoice_entries t where t.business_id = $1 and t.role = 'write_off' and t.standing
      union all select 'credit_memo', journal_entry_id from credit_memos where business_id = $1 and status in ('open', 'closed')
      union all select 'credit_application', journal_entry_id from invoice_credits where business_id = $1 and reversed_at is null
      union all select 'credit_refund', journal_entry_id from credit_refunds where business_id = $1 and reversed_at is null),
    entries as (select e.source_type as kind, e.id as entry_id from (${standing}) e where e.source_type in ('invoice', 'invoice_payment', 'invoice_write_off', 'credit_memo', 'credit_application', 'credit_refund')
      and not exists (select from stock_movements m where m.business_id = e.business_id and m.entry_id = e.id))
    select coalesce(d.kind, e.kind) || ' entry ' || coalesce(d.entry_id, e.entry_id) || case when e.entry_id is null then ' does not stand' else ' has no document' end as found
    from documents d full join entries e using (kind, entry_id) where d.entry_id is null or e.entry_id is null`,

  'an entry of money lies on its day and moves its transaction by what was claimed': `
    select 'payment ' || p.id || ' of ' || p.posted_on as found from (
      select id, posted_on, transaction_id, transaction_amount as amount, journal_entry_id, 'invoice' as document_type from invoice_payments where business_id = $1 and reversed_at is null
      union all select id, refunded_on, transaction_id, -transaction_amount, journal_entry_id, 'credit_memo' from credit_refunds where business_id = $1 and reversed_at is null
      union all select id, credit_date, transaction_id, total, journal_entry_id, 'credit_memo' from credit_memos where business_id = $1 and kind <> 'credit_note' and status in ('open', 'closed')) p
    left join transactions t on t.business_id = $1 and t.id = p.transaction_id
    left join transaction_claims c on c.business_id = $1 and c.id = p.id and c.transaction_id = t.id and c.amount = abs(p.amount) and c.document_type = p.document_type
    left join journal_entries e on e.business_id = $1 and e.id = p.journal_entry_id
    left join journal_lines l on l.business_id = $1 and l.entry_id = e.id and l.ledger_id = t.ledger_id and l.currency = t.currency and l.amount = p.amount
    where l.id is null or c.id is null or e.date <> p.posted_on`,

  'no more is claimed of a transaction than it has, and nobody claims who stands no more': `
    select 'transaction ' || t.id || ' of ' || t.amount || ' is claimed with ' || coalesce(c.claimed, 0) as found from transactions t
    left join (select transaction_id, sum(amount) as claimed from transaction_claims where business_id = $1 group by 1) c on c.transaction_id = t.id
    where t.business_id = $1 and (t.claimed <> coalesce(c.claimed, 0) or coalesce(c.claimed, 0) > abs(t.amount) or (t.kind = 'book' and c.claimed is null))
    union all
    select 'claim ' || id from transaction_claims c where business_id = $1
      and not exists (select from invoice_payments p where p.business_id = $1 and p.id = c.id and p.reversed_at is null and p.transaction_id = c.transaction_id and p.invoice_id = c.document_id)
      and not exists (select from credit_refunds r where r.business_id = $1 and r.id = c.id and r.reversed_at is null and r.transaction_id = c.transaction_id)
      and not exists (select from credit_memos m where m.business_id = $1 and m.id = c.id and m.status in ('open', 'closed') and m.transaction_id = c.transaction_id)`,

  'what a customer owes in the books is what their invoices say, less the credit notes they have left, in each currency and in the base currency': `
    with books as (select customer_id, currency, sum(amount) as amount, sum(base_amount) as base from journal_lines
      where business_id = $1 and ledger_id = ${roleOf('accounts_receivable')} and customer_id is not null group by 1, 2),
    documents as (select customer_id, currency, sum(amount) as amount, sum(base) as base from (
        select customer_id, currency, balance_due - written_off as amount, base_balance as base from invoices where business_id = $1 and ${issued} and receivable_line_id is not null
        union all select customer_id, currency, -remaining, -base_remaining from credit_memos where business_id = $1 and kind = 'credit_note' and ${issued}) d group by 1, 2)
    select 'customer ' || coalesce(b.customer_id, d.customer_id) || ' has ' || coalesce(b.amount, 0) || ' ' || coalesce(b.currency, d.currency) || ' (' || coalesce(b.base, 0) || ') in the books, documents of '
      || coalesce(d.amount, 0) || ' (' || coalesce(d.base, 0) || ')' as found
    from books b full join documents d on d.customer_id = b.customer_id and d.currency = b.currency
    where coalesce(b.amount, 0) <> coalesce(d.amount, 0) or coalesce(b.base, 0) <> coalesce(d.base, 0)`,

  'what customers have paid ahead is what is left of their deposits and overpayments': `
    with books as (select customer_id, currency, -sum(amount) as amount, -sum(base_amount) as base from journal_lines
      where business_id = $1 and ledger_id = ${roleOf('customer_deposits')} and customer_id is not null group by 1, 2),
    documents as (select customer_id, currency, sum(remaining) as amount, sum(base_remaining) as base from credit_memos where business_id = $1 and kind <> 'credit_note' and ${issued} group by 1, 2)
    select 'customer ' || coalesce(b.customer_id, d.customer_id) || ' has ' || coalesce(b.amount, 0) || ' (' || coalesce(b.base, 0) || '), memos of ' || coalesce(d.amount, 0) || ' (' || coalesce(d.base, 0) || ')' as found
    from books b full join documents d on d.customer_id = b.customer_id and d.currency = b.currency
    where coalesce(b.amount, 0) <> coalesce(d.amount, 0) or coalesce(b.base, 0) <> coalesce(d.base, 0)`,

  'what settles a receivable leaves its balance, and nothing in either currency once it is settled': `
    with items as (
      select 'invoice ' || number as name, receivable_line_id as line_id, balance_due - written_off as amount, base_balance as base from invoices where business_id = $1 and ${issued} and receivable_line_id is not null
      union all select 'credit note ' || number, receivable_line_id, -remaining, -base_remaining from credit_memos where business_id = $1 and kind = 'credit_note' and ${issued}),
    sums as (select coalesce(settles_line_id, id) as line_id, sum(amount) as amount, sum(base_amount) as base from journal_lines
      where business_id = $1 and (settles_line_id is not null or id in (select line_id from items)) group by 1)
    select i.name || ' has ' || i.amount || ' (' || i.base || '), its lines come to ' || s.amount || ' (' || s.base || ')' as found from items i left join sums s using (line_id)
    where s.line_id is null or s.amount <> i.amount or s.base <> i.base or (s.amount = 0 and s.base <> 0)`,

  'what is left of a credit memo is what was not applied and not refunded': `
    select 'credit memo ' || coalesce(m.number, m.id::text) || ' is ' || m.status as found from credit_memos m
    join lateral (select coalesce(sum(amount), 0) as applied from invoice_credits c where c.business_id = m.business_id and c.credit_memo_id = m.id and reversed_at is null) a on true
    join lateral (select coalesce(sum(amount), 0) as refunded from credit_refunds r where r.business_id = m.business_id and r.credit_memo_id = m.id and reversed_at is null) r on true
    where m.business_id = $1 and (m.applied_total <> a.applied or m.refunded_total <> r.refunded or m.remaining <> m.total - a.applied - r.refunded or m.remaining < 0
      or (m.status = 'closed') <> (m.status not in ('draft', 'void') and m.remaining = 0))`,

  'no more of an invoice or of a line is credited than there was': `
    select 'invoice ' || i.number || ' of ' || i.total || ' is credited with ' || c.credited as found from invoices i
    join (select invoice_id, sum(total) as credited from credit_memos where business_id = $1 and kind = 'credit_note' and status <> 'void' group by 1) c on c.invoice_id = i.id
    where i.business_id = $1 and c.credited > i.total
    union all
    select 'line ' || l.id || ' has credited ' || l.quantity_credited || ' of ' || l.quantity from invoice_lines l
    join lateral (select coalesce(sum(c.quantity_credited), 0) as credited, coalesce(sum(c.quantity_returned), 0) as returned from credit_memo_lines c
      join credit_memos m on m.business_id = c.business_id and m.id = c.credit_memo_id and m.status in ('open', 'closed') where c.business_id = l.business_id and c.invoice_line_id = l.id) c on true
    where l.business_id = $1 and (l.quantity_credited <> c.credited or c.returned > l.quantity_delivered)`,

  'a contract has been billed, paid and credited with what its documents come to': `
    select 'contract ' || k.number || ' has ' || k.billed_amount || ', ' || k.paid_amount || ', ' || k.credited_amount || '; its documents say ' || i.billed || ', ' || i.paid || ', ' || m.credited as found from contracts k
    join lateral (select coalesce(sum(total), 0) as billed, coalesce(sum(total_paid - total_credited), 0) as paid from invoices i where i.business_id = k.business_id and i.contract_id = k.id and ${issued}) i on true
    join lateral (select coalesce(sum(total), 0) as credited from credit_memos m where m.business_id = k.business_id and m.contract_id = k.id and kind = 'credit_note' and ${issued}) m on true
    where k.business_id = $1 and (k.billed_amount <> i.billed or k.paid_amount <> i.paid or k.credited_amount <> m.credited or (k.billed_amount > k.value and not k.allow_overbilling)
      or k.billing_status <> case when i.billed = 0 then 'not_started' when k.value > 0 and i.billed >= k.value then 'complete' else 'active' end)`,

  'no number is used twice, and none that the sequence gave is missing': `
    with held as (select lower(number) as number from invoices where business_id = $1 and number is not null
      union select lower(coalesce(after->>'number', before->>'number')) from audit_trail where business_id = $1 and resource_type = 'invoice'
      union select lower(before->>'number') from audit_trail where business_id = $1 and resource_type = 'invoice'),
    last as (select coalesce(max(highest_used), 0) as number from numbering_marks where business_id = $1 and kind = 'invoice')
    select 'INV-' || n || ' is missing' as found from last, generate_series(1, last.number) n where 'inv-' || lpad(n::text, 4, '0') not in (select number from held where number is not null)
    union all select number_key || ' is used ' || count(*) || ' times' from invoices where business_id = $1 group by number_key having count(*) > 1 and number_key is not null
    union all select 'CM-' || n || ' is missing' from (select count(*) as last from credit_memos where business_id = $1 and number is not null) m, generate_series(1, m.last) n
      where not exists (select from credit_memos c where c.business_id = $1 and c.number = 'CM-' || lpad(n::text, 4, '0'))
    union all select 'CON-' || n || ' is missing' from (select count(*) as last from contracts where business_id = $1) m, generate_series(1, m.last) n
      where not exists (select from contracts c where c.business_id = $1 and c.number = 'CON-' || lpad(n::text, 4, '0'))`,

  'stock is the sum of its movements, never below nothing on any day': `
    select 'pool of ' || p.variant_id || ' at ' || p.location_id || ' has ' || p.quantity || ' worth ' || p.value || ', movements of ' || coalesce(m.quantity, 0) || ' worth ' || coalesce(m.value, 0) as found
    from stock_pools p left join (select variant_id, location_id, sum(quantity) as quantity, sum(value) as value from stock_movements where business_id = $1 group by 1, 2) m using (variant_id, location_id)
    where p.business_id = $1 and (p.quantity <> coalesce(m.quantity, 0) or p.value <> coalesce(m.value, 0) or p.quantity < 0 or p.value < 0)
    union all
    select 'stock of ' || variant_id || ' at ' || location_id || ' is ' || quantity || ' on ' || date from (
      select variant_id, location_id, effective_date as date, sum(sum(quantity)) over (partition by variant_id, location_id order by effective_date) as quantity
      from stock_movements where business_id = $1 group by 1, 2, 3) days where quantity < 0`,

  'what the stock is worth is what its ledger says, in every entry': `
    select 'the books say ' || b.balance || ' of ' || b.ledger_id || ', the stock is worth ' || coalesce(m.value, 0) as found from (
      select ledger_id, sum(base_amount) as balance from journal_lines where business_id = $1 and ledger_id in (select stock_ledger_id from stock_movements where business_id = $1) group by 1) b
    left join (select stock_ledger_id, sum(value) as value from stock_movements where business_id = $1 group by 1) m on m.stock_ledger_id = b.ledger_id where b.balance <> coalesce(m.value, 0)
    union all
    select 'entry ' || m.entry_id || ' moves ' || l.amount || ', its stock ' || m.value from (select entry_id, stock_ledger_id, sum(value) as value from stock_movements where business_id = $1 and entry_id is not null group by 1, 2) m
    join lateral (select coalesce(sum(base_amount), 0) as amount from journal_lines l where l.business_id = $1 and l.entry_id = m.entry_id and l.ledger_id = m.stock_ledger_id) l on true where l.amount <> m.value`,

  'what was delivered has left the stock, and what came back has come back': `
    select 'line ' || l.id || ' has delivered ' || l.quantity_delivered || ', its stock moved by ' || m.moved as found from invoice_lines l
    join lateral (select coalesce(sum(quantity), 0) as moved from stock_movements m where m.business_id = l.business_id and m.source_type = 'invoice' and m.source_id = l.invoice_id and m.source_line_id = l.id) m on true
    where l.business_id = $1 and l.variant_id is not null and l.quantity_delivered <> -m.moved
    union all
    select 'credit line ' || c.id || ' has brought back ' || c.quantity_returned || ', its stock moved by ' || m.moved from credit_memo_lines c join credit_memos k on k.business_id = c.business_id and k.id = c.credit_memo_id
    join lateral (select coalesce(sum(quantity), 0) as moved from stock_movements m where m.business_id = c.business_id and m.source_type = 'credit_memo' and m.source_line_id = c.id) m on true
    where c.business_id = $1 and m.moved <> case when k.status = 'void' then 0 else c.quantity_returned end`,
}

/** Everything that is off, in sentences; none when documents, money, stock and books agree. */
export async function auditSales(ask: Ask, business_id: string): Promise<string[]> {
  const problems: string[] = []
  for (const [claim, text] of Object.entries(CLAIMS)) {
    const rows = await ask(text, [business_id])
    problems.push(...rows.slice(0, 5).map(({ found }) => `${claim}: ${found}`))
  }
  return problems
}

/** Whatever was answered is there, as often as was answered; whatever was refused is not. A lost answer may be either. */
export async function salesStand(ask: Ask, business_id: string, { tried }: Sales): Promise<string[]> {
  const there = {
    invoices: await ask('select external_id as word, count(*)::int as count from invoices where business_id = $1 group by 1', [business_id]),
    payments: await ask('select reference as word, count(*)::int as count from invoice_payments where business_id = $1 group by 1', [business_id]),
    memos: await ask('select description as word, count(*)::int as count from credit_memos where business_id = $1 group by 1', [business_id]),
  }
  return (['invoices', 'payments', 'memos'] as const).flatMap((kind) => {
    const counts = new Map<string, number>(there[kind].map(({ word, count }) => [word, count]))
    return [...tried[kind]].flatMap(([word, wanted]) => (wanted !== null && (counts.get(word) ?? 0) !== wanted ? [`${kind}: ${word} should be there ${wanted} times and is ${counts.get(word) ?? 0}`] : []))
  })
}
