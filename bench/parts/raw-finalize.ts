// The transaction that finalizes an invoice of three lines, statement for statement and folded so that it waits for the database twice, on
// bare pipelined connections: no HTTP, no checks, no framework. Every call takes the next draft of its lane.
import pg from 'pg'
import { findSettings } from '../../src/access/business-settings/store.ts'
import { currentStamp } from '../../src/access/caller.ts'
import { formatNumber, highestUsed, type Mark, type Pattern } from '../../src/access/numbering/rules.ts'
import { lockSequence, marksOfKind, saveMarks, setLastAssigned } from '../../src/access/numbering/store.ts'
import { customersByIds } from '../../src/directory/customers/store.ts'
import { findDefault } from '../../src/directory/payment-terms/store.ts'
import { canonicalJson } from '../../src/foundation/canonical.ts'
import { appendHistory } from '../../src/foundation/database/history.ts'
import type { Statement } from '../../src/foundation/database/statement.ts'
import { send, sendText } from '../../src/foundation/database/wire.ts'
import { valueTypes } from '../../src/foundation/database/values.ts'
import { newId } from '../../src/foundation/ids.ts'
import { hashToken, randomToken } from '../../src/foundation/secrets.ts'
import type { Head } from '../../src/ledger/books/contract.ts'
import { lockHead } from '../../src/ledger/books/store.ts'
import { insertCashLines } from '../../src/ledger/cash-basis/store.ts'
import { sealedText } from '../../src/ledger/journal/rules.ts'
import { addToAnalysis, postEntries } from '../../src/ledger/journal/store.ts'
import { codes, componentsOfGroups, exemptionsOf, rates } from '../../src/ledger/tax-calculation/store.ts'
import type { InvoiceRow } from '../../src/receivables/invoices/contract.ts'
import { creditsOf, entriesOf, insertEntries, linesOf, lockInvoices, namesOf, paymentsOf, updateInvoices, updateLines } from '../../src/receivables/invoices/store.ts'
import { insertLinks } from '../../src/workspace/document-links/store.ts'
import type { Caller } from './books.ts'
import type { Draft, Seller } from './invoices.ts'
import { callLoad, type Load } from './rounds.ts'

export type Lane = Seller & { drafts: Draft[] }

/**
 * `every`: all statements that the service sends. `fewest`: without those that only checks and the answer need. `flights`: every one, but
 * each flight answered in one piece, as the service has it, where a bare connection is answered statement by statement.
 */
export type Way = 'every' | 'fewest' | 'flights'

export async function rawFinalizations(database_url: string, caller: Caller, lanes: readonly Lane[], way: Way): Promise<{ load: Load; stop(): Promise<void> }> {
  const clients = await Promise.all(lanes.map(async () => {
    const client = new pg.Client({ connectionString: database_url, pipeline: true, types: valueTypes, options: '-c role=daybook_app -c timezone=UTC' } as pg.ClientConfig)
    await client.connect()
    return client
  }))
  return {
    load: callLoad(`raw transactions (${way})`, (lane) => finalize(clients[lane] as pg.Client, caller, lanes[lane] as Lane, way), lanes.length),
    stop: async () => void (await Promise.all(clients.map((client) => client.end()))),
  }
}

export function nextDraft({ drafts }: Lane): Draft {
  const draft = drafts.pop()
  if (!draft) throw new Error('There are no drafts left: make more.')
  return draft
}

type Rows<Row> = { rows: Row[] }
type Line = { id: string; amount: number; description: string }
type Sequence = Pattern & { kind: string; reset: 'never' }

async function finalize(client: pg.Client, { user_id }: Caller, lane: Lane, way: Way): Promise<void> {
  const { business_id, ledgers } = lane
  const { id, customer_id } = nextDraft(lane)
  const now = new Date().toISOString()
  const run = (statement: Statement, given: Record<string, unknown> = {}) => {
    const named: Record<string, unknown> = { business_id, now, ...given }
    const values = statement.parameters.map((name) => named[name])
    return way === 'flights' ? send(client, statement, values) : client.query({ name: statement.name, text: statement.text, values })
  }
  const say = (text: string): Promise<unknown> => (way === 'flights' ? Promise.all(text.split('; ').map((each) => sendText(client, each))) : client.query(text))
  const ids = [id]
  const asked = { code_ids: [], default_keys: ['default_sales_code_id'] }
  const [, , invoices, lines, head, sequences, marks] = await Promise.all([
    say(`begin; set local app.business_id = '${business_id}'`),
    run(currentStamp, { user_id }),
    run(lockInvoices, { ids }),
    run(linesOf, { ids }),
    run(lockHead),
    run(lockSequence, { kind: 'invoice' }),
    run(marksOfKind, { kind: 'invoice' }),
    ...(way === 'fewest' ? [] : [
      run(namesOf, { ids }), run(paymentsOf, { ids }), run(creditsOf, { ids }), run(entriesOf, { ids }),
      run(customersByIds, { ids: [customer_id] }), run(findSettings), run(findDefault),
      run(findSettings), run(codes, asked), run(componentsOfGroups, asked), run(rates, asked), run(exemptionsOf, { customer_ids: [customer_id] }),
    ]),
  ]) as unknown as [unknown, unknown, Rows<InvoiceRow>, Rows<Line>, Rows<Head>, Rows<Sequence>, Rows<Mark>]
  const write = written(id, lane, now, ledgers, user_id, invoices.rows[0] as InvoiceRow, lines.rows, head.rows[0] as Head, sequences.rows[0] as Sequence, marks.rows)
  await Promise.all([
    run(saveMarks, write.marks),
    run(setLastAssigned, { kind: 'invoice', last_assigned: write.number }),
    run(postEntries, write.entry),
    run(insertCashLines, { lines: write.cash }),
    run(addToAnalysis, { rows: write.analysis }),
    run(insertEntries, { rows: write.ties }),
    run(updateLines, { rows: write.lines }),
    run(insertLinks, { hashes: [hashToken(randomToken(''))], types: ['invoice'], ids, generation: 1 }),
    run(updateInvoices, { rows: write.invoice }),
    run(appendHistory, write.history),
    say('commit'),
  ])
}

/** The same values that the service writes, with as little work as they can be made with. */
function written(
  id: string, { business_id }: Lane, now: string, ledgers: Record<string, string>, user_id: string, invoice: InvoiceRow, lines: Line[], head: Head, sequence: Sequence, marks: Mark[],
) {
  const date = invoice.invoice_date ?? ''
  const month = `${date.slice(0, 7)}-01`
  const highest = highestUsed(marks, 'never', date) + 1
  const number = formatNumber(sequence, highest, date)
  const [receivable, sales] = [ledgers['Accounts Receivable'] as string, ledgers['Sales'] as string]
  const { customer_id, total } = invoice
  const entry = {
    id: newId(), place: 1, date, memo: `Invoice ${number}`, source_type: 'invoice', source_id: id, currency: 'USD', rate: '1', is_adjusting: false, auto_reverse_on: null, reversal_of_id: null,
    mirror_of_id: null, template_id: null, prepared_by: null, approved_by: null, line_count: lines.length + 1, total, superseded: false,
  }
  const tags = { customer_id, vendor_id: null, project_id: null, dimension_value_ids: [] }
  const posted = [{ ledger_id: receivable, amount: total, memo: null as string | null }, ...lines.map(({ amount, description }) => ({ ledger_id: sales, amount: -amount, memo: description }))].map((line, index) => ({
    ...line, ...tags, id: newId(), entry_id: entry.id, place: 1, position: index + 1, date, currency: 'USD', base_amount: line.amount, rate: '1', tax_code_id: null, settles_line_id: null, is_adjusting: false,
  }))
  const [item, ...income] = posted as [(typeof posted)[number], ...typeof posted]
  const cash = [...income.map((line) => ({ ledger_id: sales, document_line_id: line.id as string | null, base_amount: -line.amount })), { ledger_id: receivable, document_line_id: null, base_amount: -total }].map((line) => ({
    ...line, ...tags, id: newId(), entry_id: entry.id, entry_number: head.number + 1, date, is_adjusting: false, item_line_id: item.id, currency: 'USD',
  }))
  const movement = (ledger_id: string, debit: number, credit: number, cash_debit: number, cash_credit: number) => ({ axis: 'customer', value_id: customer_id, ledger_id, month, debit, credit, cash_debit, cash_credit })
  const analysis = [
    ...posted.map(({ ledger_id, amount }) => movement(ledger_id, Math.max(amount, 0), Math.max(-amount, 0), 0, 0)),
    ...cash.map(({ ledger_id, base_amount }) => movement(ledger_id, 0, 0, Math.max(base_amount, 0), Math.max(-base_amount, 0))),
  ]
  const changes = { status: 'open', number, due_date: date, finalized_at: now, base_total: total, base_balance: total, receivable_line_id: item.id }
  const after = { ...invoice, ...changes, updated_at: now, version: invoice.version + 1 }
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, invoice[name as keyof InvoiceRow]]))
  const told = [
    change(now, user_id, 'journal_entry.posted', 'journal_entry', entry.id, null, entry, entry),
    change(now, user_id, 'invoice.finalized', 'invoice', id, before, changes, after),
  ]
  return {
    number,
    marks: { kind: 'invoice', prefix: sequence.prefix, suffix: sequence.suffix, months: [month], highest_used: [highest], starts_at: [1] },
    entry: { stamp: null, entries: JSON.stringify([entry]), lines: JSON.stringify(posted), sealed: [sealedText({ ...entry, business_id }, posted)] },
    cash: JSON.stringify(cash),
    analysis: JSON.stringify(analysis),
    ties: JSON.stringify([{ invoice_id: id, entry_id: entry.id, role: 'finalization', standing: true }]),
    lines: JSON.stringify(lines.map((line) => ({ ...line, ledger_id: sales }))),
    invoice: JSON.stringify([after]),
    history: { changes: JSON.stringify(told), contents: told.map(({ content }) => content) },
  }
}

function change(at: string, user_id: string, action: string, resource_type: string, resource_id: string, before: object | null, after: object, data: object) {
  const content = {
    at, actor_kind: 'token', actor_id: user_id, actor_name: 'Bench', on_behalf_of: null, action, resource_type, resource_id, resource_label: 'Bench', before, after, reason: null,
    request_id: 'bench', ip: '127.0.0.1',
  }
  return { ...content, event_id: newId(), data, content: canonicalJson(content) }
}
