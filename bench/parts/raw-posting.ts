// The transaction of a posting, statement for statement, driven by bare pipelined connections: no HTTP, no checks, no framework.
import pg from 'pg'
import { currentStamp } from '../../src/access/caller.ts'
import { canonicalJson } from '../../src/foundation/canonical.ts'
import { appendHistory } from '../../src/foundation/database/history.ts'
import type { Statement } from '../../src/foundation/database/statement.ts'
import { valueTypes } from '../../src/foundation/database/values.ts'
import { newId } from '../../src/foundation/ids.ts'
import type { Head } from '../../src/ledger/books/contract.ts'
import { findHead } from '../../src/ledger/books/store.ts'
import { postEntries } from '../../src/ledger/journal/store.ts'
import type { BenchBusiness, Caller } from './books.ts'
import { callLoad, type Load } from './rounds.ts'

/** The lines of the entry that everybody posts. */
export type Amounts = readonly (readonly [ledger: string, amount: number])[]

export async function rawPostings(database_url: string, caller: Caller, businesses: readonly BenchBusiness[], date: string, amounts: Amounts, lanes: number): Promise<{ load: Load; stop(): Promise<void> }> {
  const clients = await Promise.all(Array.from({ length: lanes }, async () => {
    const client = new pg.Client({ connectionString: database_url, pipeline: true, types: valueTypes, options: '-c role=daybook_app -c timezone=UTC' } as pg.ClientConfig)
    await client.connect()
    return client
  }))
  return {
    load: callLoad('raw transactions', (lane) => post(clients[lane] as pg.Client, caller, businesses[lane % businesses.length] as BenchBusiness, date, amounts), lanes),
    stop: async () => void (await Promise.all(clients.map((client) => client.end()))),
  }
}

async function post(client: pg.Client, { user_id }: Caller, { business_id, ledgers }: BenchBusiness, date: string, amounts: Amounts): Promise<void> {
  const now = new Date().toISOString()
  const run = (statement: Statement, given: Record<string, unknown>) =>
    client.query({ name: statement.name, text: statement.text, values: statement.parameters.map((name) => given[name]) })
  const [, , { rows: [head] }] = await Promise.all([
    client.query(`begin; set local app.business_id = '${business_id}'`),
    run(currentStamp, { user_id }),
    run(findHead, { business_id }),
  ]) as unknown as [unknown, unknown, { rows: [Head] }]
  const entry = {
    id: newId(), place: 1, date, memo: 'Bench', source_type: 'manual', source_id: null, currency: 'USD', rate: '1', is_adjusting: false, auto_reverse_on: null, reversal_of_id: null,
    mirror_of_id: null, template_id: null, prepared_by: user_id, approved_by: null, line_count: amounts.length, total: amounts.reduce((sum, [, amount]) => sum + Math.max(amount, 0), 0),
    superseded: false,
  }
  const lines = amounts.map(([ledger, amount], index) => ({
    id: newId(), entry_id: entry.id, place: 1, position: index + 1, date, ledger_id: ledgers[ledger], currency: 'USD', amount, base_amount: amount, rate: '1', memo: null,
    customer_id: null, vendor_id: null, project_id: null, dimension_value_ids: [], tax_code_id: null, settles_line_id: null, is_adjusting: false,
  }))
  const content = {
    at: now, actor_kind: 'token', actor_id: user_id, actor_name: 'Bench', on_behalf_of: null, action: 'journal_entry.posted', resource_type: 'journal_entry', resource_id: entry.id,
    resource_label: 'Bench', before: null, after: entry, reason: null, request_id: 'bench', ip: '127.0.0.1',
  }
  const change = { ...content, event_id: newId(), data: entry, content: canonicalJson(content) }
  await Promise.all([
    run(postEntries, { business_id, stamp: head.stamp, now, entries: JSON.stringify([entry]), lines: JSON.stringify(lines), sealed: [JSON.stringify(lines)] }),
    run(appendHistory, { business_id, changes: JSON.stringify([change]), contents: [change.content] }),
    client.query('commit'),
  ])
}
