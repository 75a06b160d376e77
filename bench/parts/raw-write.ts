// The transaction of a create, statement for statement, driven by bare pipelined connections: no HTTP, no checks, no framework.
import pg from 'pg'
import { currentStamp } from '../../src/access/caller.ts'
import { appendHistory } from '../../src/foundation/database/history.ts'
import { valueTypes } from '../../src/foundation/database/values.ts'
import type { Statement } from '../../src/foundation/database/statement.ts'
import { canonicalJson } from '../../src/foundation/canonical.ts'
import { newId } from '../../src/foundation/ids.ts'
import { resources } from '../../src/foundation/resource.ts'
import { insertNote } from '../../src/workspace/notes/store.ts'
import { todoResource } from '../../src/workspace/todos/contract.ts'
import { callLoad, type Load } from './rounds.ts'
import type { Seed } from './seed.ts'

export async function rawCreates(database_url: string, seed: Seed, lanes: number): Promise<{ load: Load; stop(): Promise<void> }> {
  const clients = await Promise.all(Array.from({ length: lanes }, async () => {
    const client = new pg.Client({ connectionString: database_url, pipeline: true, types: valueTypes, options: '-c role=daybook_app -c timezone=UTC' } as pg.ClientConfig)
    await client.connect()
    return client
  }))
  const lookup = resources.get(todoResource.type)?.lookup as Statement
  return {
    load: callLoad('raw transactions', (lane) => create(clients[lane] as pg.Client, lookup, seed), lanes),
    stop: async () => void (await Promise.all(clients.map((client) => client.end()))),
  }
}

async function create(client: pg.Client, lookup: Statement, seed: Seed): Promise<void> {
  const now = new Date().toISOString()
  const run = (statement: Statement, given: Record<string, unknown>) => client.query({ name: statement.name, text: statement.text, values: statement.parameters.map((name) => given[name]) })
  const flight = [
    client.query(`begin; set local app.business_id = '${seed.business_id}'`),
    run(currentStamp, { user_id: seed.user_id }),
    run(lookup, { business_id: seed.business_id, ids: [seed.record_id] }),
  ]
  await Promise.all(flight)
  const note = {
    id: newId(), business_id: seed.business_id, resource_type: 'todo', resource_id: seed.record_id, parent_id: null, body: 'Checked with the bank.', pinned: false,
    author_id: seed.user_id, author_name: 'Bench', mentions: [], edited_at: null, deleted: false, created_at: now, updated_at: now, version: 1,
  }
  const content = {
    at: now, actor_kind: 'token', actor_id: seed.user_id, actor_name: 'Bench', on_behalf_of: null, action: 'note.created', resource_type: 'note', resource_id: note.id,
    resource_label: 'todo', before: null, after: note, reason: null, request_id: 'bench', ip: '127.0.0.1',
  }
  const change = { ...content, event_id: newId(), data: note, content: canonicalJson(content) }
  await Promise.all([
    run(insertNote, note),
    run(appendHistory, { business_id: seed.business_id, changes: JSON.stringify([change]), contents: [change.content] }),
    client.query('commit'),
  ])
}
