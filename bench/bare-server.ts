// The least a Fastify and pg server can do for the same read: no caller, no tenant, no checks. What Daybook is measured against.
import fastify from 'fastify'
import pg from 'pg'
import { valueTypes } from '../src/foundation/database/values.ts'
import { pageStatement, type List } from '../src/foundation/database/list.ts'
import { invoices } from '../src/receivables/invoices/store.ts'
import { findNote, notes } from '../src/workspace/notes/store.ts'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20, types: valueTypes })
const server = fastify()

server.get<{ Params: { business_id: string; note_id: string } }>('/:business_id/notes/:note_id', async (request) => {
  const values = findNote.parameters.map((name) => (name === 'id' ? request.params.note_id : request.params.business_id))
  const { rows } = await pool.query({ name: findNote.name, text: findNote.text, values })
  return { success: true, message: null, code: null, data: rows[0] }
})

for (const [path, list] of [['notes', notes], ['invoices', invoices]] as [string, unknown][]) {
  const page = pageStatement(list as List, { sort_by: 'created_at', descending: true, backwards: false, zone: 'all', filters: [] })
  server.get<{ Params: { business_id: string } }>(`/:business_id/${path}`, async (request) => {
    const values = page.parameters.map((name) => (name === 'limit' ? 51 : request.params.business_id))
    const { rows } = await pool.query({ name: page.name, text: page.text, values })
    return { success: true, message: null, code: null, data: { items: rows.slice(0, 50) } }
  })
}

const url = await server.listen({ host: '127.0.0.1', port: 0 })
console.log(`ready ${url}`)
