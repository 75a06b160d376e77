import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { service, startService } from '../../../test/support/service.ts'
import { bytesOf, newDocument, SAMPLES, upload } from '../../../test/support/uploads.ts'
import { pdfOf } from '../../../test/support/documents.ts'
import { jobs } from '../../app/jobs.ts'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { storeFiles } from '../document-files/operations.ts'
import { keepDocument } from './operations.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})
afterEach(async () => (await service()).clock.set(null))

async function run(name: string, of = service()) {
  const { program } = await of
  await jobs.find((job) => job.name === name)?.run({ database: program.database, log: openLog('silent'), mailer: null as never, job_id: 'test' }, {} as never)
}

const names = ({ data }: { data: any }) => data.items.map(({ name }: any) => name)

describe('the list', () => {
  let own: Team
  beforeAll(async () => {
    own = await newBusiness()
    await newDocument(own.client, 'b.txt', 'bb', { kind: 'bill', folder: 'Rent', document_date: '2026-01-15', tags: 'lease' })
    await newDocument(own.client, 'a.txt', 'aaaaaaa', { kind: 'receipt', document_date: '2026-02-15', tags: ['lease', 'food'] })
    await newDocument(own.client, 'c.csv', 'a,b,c', { resource_type: 'todo', resource_id: (await own.client.post('/todos', { title: 'Sample' })).data.id })
  })

  it('sorts and filters', async () => {
    const list = async (query: object) => names(await own.client.get('/documents', query as never))
    expect(await list({})).toEqual(['c.csv', 'a.txt', 'b.txt'])
    expect(await list({ sort_by: 'name', descending: false })).toEqual(['a.txt', 'b.txt', 'c.csv'])
    expect(await list({ sort_by: 'size' })).toEqual(['a.txt', 'c.csv', 'b.txt'])
    expect(await list({ sort_by: 'document_date', descending: false })).toEqual(['b.txt', 'a.txt', 'c.csv'])
    expect(await list({ kind: 'bill' })).toEqual(['b.txt'])
    expect(await list({ folder: 'Rent' })).toEqual(['b.txt'])
    expect(await list({ tag: 'food' })).toEqual(['a.txt'])
    expect(await list({ source: 'upload', from: '2026-02-01', to: '2026-02-28' })).toEqual(['a.txt'])
    expect(await list({ source: 'email' })).toEqual([])
    expect(await list({ unattached: true })).toEqual(['a.txt', 'b.txt'])
    expect(await list({ unattached: false })).toEqual(['c.csv'])
    expect(await list({ resource_type: 'todo' })).toEqual(['c.csv'])
    expect(await list({ resource_id: newId() })).toEqual([])
    const first = await own.client.get('/documents', { limit: 2, sort_by: 'document_date' })
    const second = await own.client.get('/documents', { limit: 2, sort_by: 'document_date', cursor: first.data.next_cursor })
    expect([...names(first), ...names(second)]).toEqual(['a.txt', 'b.txt', 'c.csv'])
  })

  it('finds words of the name and of the text, in this business only', async () => {
    const word = `quorum${Date.now()}`
    const pdf = await pdfOf([{ text: `The ${word} was 1,234.56 EUR`, y: 40 }, { text: 'second', y: 40, page: 2 }])
    const { id, text_status } = await newDocument(own.client, 'Scan_2026-03.pdf', pdf)
    const find = async (q: string) => names(await own.client.get('/documents', { q }))
    expect([text_status, await find(word), await find('scan 2026')]).toEqual(['pending', [], ['Scan_2026-03.pdf']])
    expect(await runJobs(own.business_id)).toContain('documents.read')
    expect((await own.client.get(`/documents/${id}`)).data).toMatchObject({ text_status: 'read', pages: 2, version: 1 })
    expect([await find(word), await find(`1,234.56 ${word}`), await find(`${word} nowhere`), await find('-- !!')]).toEqual([['Scan_2026-03.pdf'], ['Scan_2026-03.pdf'], [], []])
    await own.client.put(`/documents/${id}`, { name: 'Renamed.pdf' })
    expect([await find(word), await find('scan'), await find('renamed')]).toEqual([['Renamed.pdf'], [], ['Renamed.pdf']])
    expect(names(await team.client.get('/documents', { q: word }))).toEqual([])
  })

  it('a file that cannot be read says so', async () => {
    const { id } = await newDocument(own.client, 'broken.pdf', SAMPLES['pdf'])
    await runJobs(own.business_id)
    expect((await own.client.get(`/documents/${id}`)).data).toMatchObject({ text_status: 'failed', pages: null })
  })
})

describe('one document', () => {
  it('is described anew; a change nobody made changes nothing', async () => {
    const document = await newDocument(team.client, 'a.txt', undefined, { folder: 'Old' })
    const { data } = await team.client.put(`/documents/${document.id}`, { name: '../b.txt', folder: null, kind: 'tax', tags: ['x', 'x'], document_date: '2020-02-29' })
    expect(data).toMatchObject({ name: 'b.txt', folder: null, kind: 'tax', tags: ['x'], retained_until: '2027-02-28', version: 2 })
    expect((await team.client.put(`/documents/${document.id}`, {})).data.version).toBe(2)
    const wrong = await team.client.put(`/documents/${document.id}`, { name: 'b.pdf' })
    expect([wrong.status, wrong.detail]).toEqual([400, 'b.pdf would not end as its content does, which is plain text: let it end with .txt.'])
    expect((await team.client.put(`/documents/${document.id}`, { name: 'plain' })).data.name).toBe('plain')
    expect((await bytesOf(team.client, `/documents/${document.id}/download`)).headers.get('content-disposition')).toContain('filename="plain.txt"')
  })

  it('is to be kept until its time is over, and only an accountant shortens that', async () => {
    const { clock } = await service()
    clock.set('2026-03-01T12:00:00Z')
    const { id } = await newDocument(team.client, 'kept.txt', undefined, { document_date: '2026-01-31' })
    const bookkeeper = await newMember(team.business_id, 'bookkeeper')
    expect((await team.client.delete(`/documents/${id}`)).detail).toBe('kept.txt is to be kept until 2033-01-31 and can be deleted then.')
    expect((await bookkeeper.client.put(`/documents/${id}`, { document_date: null })).status).toBe(403)
    expect((await bookkeeper.client.put(`/documents/${id}`, { document_date: '2026-02-28' })).data.retained_until).toBe('2033-02-28')
    expect((await team.client.put(`/documents/${id}`, { document_date: null })).data.retained_until).toBeNull()
    expect((await team.client.delete(`/documents/${id}`)).status).toBe(200)
  })

  it('lies in the bin for thirty days, then goes with its bytes', async () => {
    const own = await newBusiness()
    const { clock, program } = await service()
    clock.set('2026-03-01T12:00:00Z')
    const { id, sha256 } = await newDocument(own.client, 'bin.txt', `bin ${newId()}`)
    const other = await newDocument(own.client, 'other.txt')
    const twin = await newDocument(own.client, 'twin.txt', (await bytesOf(own.client, `/documents/${id}/download`)).bytes)
    expect(twin.duplicate_of).toBe(id)
    expect((await own.client.delete(`/documents/${id}`)).data.deleted_at).toBe('2026-03-01T12:00:00.000Z')
    expect((await own.client.delete(`/documents/${id}`)).data.version).toBe(2)
    expect([names(await own.client.get('/documents')), names(await own.client.get('/documents', { binned: true }))]).toEqual([['twin.txt', 'other.txt'], ['bin.txt']])
    expect((await own.client.put(`/documents/${id}`, { folder: 'x' })).detail).toBe('bin.txt is in the bin: restore it first.')
    expect((await own.client.put(`/documents/${id}/restore`)).data).toMatchObject({ deleted_at: null, version: 3 })
    expect((await own.client.put(`/documents/${id}/restore`)).data.version).toBe(3)
    await own.client.delete(`/documents/${id}`)
    clock.set('2026-03-31T11:59:00Z')
    await run('documents.empty_bins')
    expect((await own.client.get(`/documents/${id}`)).status).toBe(200)
    clock.set('2026-03-31T12:01:00Z')
    await run('documents.empty_bins')
    expect((await own.client.get(`/documents/${id}`)).status).toBe(404)
    expect((await own.client.get(`/documents/${twin.id}`)).data.duplicate_of).toBeNull()
    clock.set('2100-01-01T00:00:00Z')
    await run('documents.clean_storage')
    clock.set(null)
    expect((await bytesOf(own.client, `/documents/${other.id}/download`)).status).toBe(200)
    expect((await bytesOf(own.client, `/documents/${twin.id}/download`)).status).toBe(200)
    await sql('delete from documents where business_id = $1 and id = $2', [own.business_id, twin.id])
    clock.set('2100-01-01T00:00:00Z')
    await run('documents.clean_storage')
    const left: string[] = []
    for await (const file of program.database.surroundings.storage.list()) if (file.business_id === own.business_id) left.push(file.sha256)
    expect(left).toEqual([other.sha256])
    expect(left).not.toContain(sha256)
  })

  it('is kept for the service itself', async () => {
    const { program } = await service()
    const { surroundings } = program.database
    const business = await findBusiness(program.database, team.business_id)
    const [file] = await storeFiles(surroundings, { business_id: team.business_id, now: new Date().toISOString(), files: [{ name: 'deck.pdf', content: SAMPLES['pdf'] ?? Buffer.alloc(0) }] })
    const document = await asSystem(program.database, business!, 'test', (tx) => keepDocument(tx, { file: file!, kind: 'report', name: 'Deck of March.pdf' }))
    expect((await team.client.get(`/documents/${document.id}`)).data).toMatchObject({ source: 'generated', kind: 'report', uploaded_by: null, name: 'Deck of March.pdf' })
  })
})

describe('downloads', () => {
  it('know what the client has, and parts of the file', async () => {
    const { id, sha256 } = await newDocument(team.client, 'Übersicht (1).txt', '0123456789')
    const get = (headers: Record<string, string> = {}) => bytesOf(team.client, `/documents/${id}/download`, headers)
    const whole = await get()
    expect([whole.headers.get('etag'), whole.headers.get('content-length'), whole.headers.get('content-disposition')])
      .toEqual([`"${sha256}"`, '10', `attachment; filename="_bersicht__1_.txt"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.txt`])
    const same = await get({ 'if-none-match': `W/"${sha256}"` })
    expect([same.status, same.bytes.length]).toEqual([304, 0])
    const ranges: [string, number, string][] = [
      ['bytes=0-3', 206, '0123'], ['bytes=8-', 206, '89'], ['bytes=-2', 206, '89'], ['bytes=4-100', 206, '456789'], ['bytes=3-1', 200, '0123456789'], ['bytes=0-1,3-4', 200, '0123456789'], ['lines=1-2', 200, '0123456789'],
    ]
    for (const [range, status, text] of ranges) {
      const part = await get({ range })
      expect([range, part.status, part.bytes.toString()]).toEqual([range, status, text])
    }
    expect((await get({ range: 'bytes=0-3' })).headers.get('content-range')).toBe('bytes 0-3/10')
    expect((await get({ range: 'bytes=0-3', 'if-range': '"other"' })).status).toBe(200)
    const beyond = await get({ range: 'bytes=10-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  })

  it('say so when the bytes are not there', async () => {
    const { id, sha256 } = await newDocument(team.client)
    const { program } = await service()
    await program.database.surroundings.storage.remove({ business_id: team.business_id, sha256 })
    expect((await team.client.get(`/documents/${id}/download`)).status).toBe(503)
  })

  it('a page is drawn as a PNG', async () => {
    const { id } = await newDocument(team.client, 'two.pdf', await pdfOf([{ text: 'one', y: 40 }, { text: 'two', y: 40, page: 2 }]))
    const page = await bytesOf(team.client, `/documents/${id}/preview?page=2`)
    expect([page.status, page.headers.get('content-type'), page.bytes.subarray(1, 4).toString(), page.bytes.readUInt32BE(16) > 1190]).toEqual([200, 'image/png', 'PNG', true])
    expect((await team.client.get(`/documents/${id}/preview`, { page: 3 })).detail).toBe('two.pdf has 2 pages.')
    const picture = await newDocument(team.client, 'dot.png', SAMPLES['png'])
    expect((await bytesOf(team.client, `/documents/${picture.id}/preview`)).status).toBe(200)
    const broken = await newDocument(team.client, 'broken.pdf', SAMPLES['pdf'])
    expect((await team.client.get(`/documents/${broken.id}/preview`)).detail).toBe('broken.pdf could not be drawn.')
    const table = await newDocument(team.client, 'table.csv', 'a,b')
    expect((await team.client.get(`/documents/${table.id}/preview`)).status).toBe(400)
    expect((await team.client.get(`/documents/${table.id}/preview`, { page: 0 })).status).toBe(422)
  })
})

describe('bytes that no document came to name', () => {
  it('are left by a call that broke off between storing and committing, and removed a day later', async () => {
    const data = await mkdtemp(join(tmpdir(), 'daybook-orphans-'))
    const of = startService({ DAYBOOK_DATA: data })
    const { url, program, clock } = await of
    try {
      const own = client(team.owner.token, team.business_id, url)
      const { storage } = program.database.surroundings
      const kept = await newDocument(own, 'kept.txt')
      const files = async () => (await readdir(join(data, 'documents'), { recursive: true })).filter((path) => /[0-9a-f]{64}/.test(path)).length
      // The storing worked, the database did not.
      await sql(`create function break_off() returns trigger language plpgsql as $$ begin if new.name = 'lost.txt' then raise exception 'broken off'; end if; return new; end $$`)
      await sql('create trigger break_off before insert on documents for each row execute function break_off()')
      try {
        expect((await upload(own, [{ name: 'lost.txt', content: `lost ${newId()}` }])).status).toBe(500)
      } finally {
        await sql('drop trigger break_off on documents')
        await sql('drop function break_off')
      }
      expect(await files()).toBe(2)
      await run('documents.clean_storage', of)
      expect(await files()).toBe(2)
      clock.set(new Date(Date.now() + 25 * 3_600_000).toISOString())
      await run('documents.clean_storage', of)
      expect(await files()).toBe(1)
      clock.set(null)
      expect((await bytesOf(own, `/documents/${kept.id}/download`, {}, url)).status).toBe(200)
      // What is removed while the same bytes come in again is told to whoever sends them.
      const content = `again ${newId()}`
      const before = new Date().toISOString()
      const [file] = await storeFiles(program.database.surroundings, { business_id: team.business_id, now: before, files: [{ name: 'a.txt', content: Buffer.from(content) }] })
      const old = new Date(Date.now() - 48 * 3_600_000)
      await utimes(join(data, 'documents', team.business_id, file!.sha256.slice(0, 2), file!.sha256), old, old)
      await run('documents.clean_storage', of)
      const business = await findBusiness(program.database, team.business_id)
      await expect(asSystem(program.database, business!, 'test', (tx) => keepDocument(tx, { file: file! }))).rejects.toMatchObject({ status: 503 })
      const again = await newDocument(own, 'a.txt', content)
      expect((await bytesOf(own, `/documents/${again.id}/download`, {}, url)).bytes.toString()).toBe(content)
      await storage.put({ business_id: newId(), sha256: 'a'.repeat(64) }, Buffer.from('of a business that is gone'))
      clock.set(new Date(Date.now() + 25 * 3_600_000).toISOString())
      await run('documents.clean_storage', of)
      expect(await files()).toBe(2)
    } finally {
      await program.stop()
      await rm(data, { recursive: true, force: true })
    }
  })
})

describe('strangers', () => {
  it('find nothing of it: 404 on every operation', async () => {
    const document = await newDocument(team.client)
    const stranger = await newBusiness()
    const at = `/documents/${document.id}`
    const calls: [string, string, unknown?][] = [
      ['GET', at], ['PUT', at, { folder: 'x' }], ['DELETE', at], ['PUT', `${at}/restore`], ['GET', `${at}/download`], ['GET', `${at}/preview`], ['GET', `${at}/versions`],
      ['POST', `${at}/versions`, { file_name: 'a.txt', content_base64: 'YQ==' }], ['POST', `${at}/extract`], ['DELETE', `${at}/attachments/${newId()}`],
      ['GET', `${at}/links`], ['POST', `${at}/links`, { expires_at: '2026-12-01T00:00:00Z' }], ['DELETE', `/documents/links/${newId()}`],
    ]
    for (const [method, path, body] of calls) expect([method, path, (await stranger.client.call(method, path, { body })).status]).toEqual([method, path, 404])
    expect(names(await stranger.client.get('/documents'))).toEqual([])
  })

  it('a viewer reads and changes nothing; a token does what its scopes say', async () => {
    const document = await newDocument(team.client)
    const at = `/documents/${document.id}`
    const viewer = await newMember(team.business_id, 'viewer')
    const reader = client(await newToken(team.owner, ['documents:read']), team.business_id)
    const other = client(await newToken(team.owner, ['notes:read', 'notes:write']), team.business_id)
    for (const one of [viewer.client, reader]) {
      expect([(await one.get(at)).status, (await one.get(`${at}/download`)).status]).toEqual([200, 200])
      for (const [method, path, body] of [['PUT', at, { folder: 'x' }], ['DELETE', at], ['PUT', `${at}/restore`], ['POST', `${at}/extract`], ['POST', `${at}/links`, { expires_at: '2027-01-01T00:00:00Z' }]] as [string, string, unknown?][]) {
        expect((await one.call(method, path, { body })).status).toBe(403)
      }
    }
    expect([(await other.get('/documents')).status, (await other.get(at)).status]).toEqual([403, 403])
  })
})
