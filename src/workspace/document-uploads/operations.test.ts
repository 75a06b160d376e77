import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { startService } from '../../../test/support/service.ts'
import { bytesOf, formOf, newDocument, SAMPLES, upload } from '../../../test/support/uploads.ts'
import { newId } from '../../foundation/ids.ts'
import { FORMATS, type Format } from '../document-files/rules.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})

const sha = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

describe('uploading', () => {
  it('takes a form with several files, described and attached in the same step', async () => {
    const customer_id = await newCustomer(team.client)
    const answer = await upload(team.client, [{ name: 'a.txt', content: 'first words' }, { name: 'größe 2.csv', content: 'a;b\n1;2' }],
      { kind: 'receipt', tags: ['travel', 'food', 'food'], folder: 'Trips', document_date: '2026-02-28', description: '', resource_type: 'customer', resource_id: customer_id })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject([
      { name: 'a.txt', content_type: 'text/plain', size: 11, sha256: sha('first words'), kind: 'receipt', tags: ['travel', 'food'], folder: 'Trips', document_date: '2026-02-28',
        description: null, retained_until: '2033-02-28', source: 'upload', uploaded_by: team.owner.user_id, version_number: 1, pages: null, text_status: 'pending', duplicate_of: null,
        attachments: [{ resource_type: 'customer', resource_id: customer_id }] },
      { name: 'größe 2.csv', content_type: 'text/csv', attachments: [{ resource_id: customer_id }] },
    ])
    const events = await sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, answer.data[0].id])
    expect(events.map(({ type }) => type)).toEqual(['document.created', 'document.attached'])
  })

  it('takes one file as JSON', async () => {
    const content = Buffer.from('in JSON')
    const { status, data } = await team.client.post('/documents', { file_name: 'j.txt', content_base64: content.toString('base64'), kind: 'tax', name: 'other.txt' })
    expect([status, data.length, data[0].name, data[0].kind, data[0].sha256]).toEqual([201, 1, 'other.txt', 'tax', sha(content)])
    for (const wrong of ['***', 'YQ', 'a b c']) {
      expect((await team.client.post('/documents', { file_name: 'j.txt', content_base64: wrong })).detail).toMatchObject([{ loc: ['body', 'content_base64'] }])
    }
  })

  it('knows every kind by its content, and hands out the same bytes', async () => {
    const { data } = await upload(team.client, Object.entries(SAMPLES).map(([ending, content]) => ({ name: `sample.${ending}`, content })))
    expect(data.map(({ name, content_type }: any) => [name, content_type])).toEqual(Object.keys(SAMPLES).map((ending) => [`sample.${ending}`, FORMATS[ending as Format].content_type]))
    for (const ending of ['png', 'xlsx']) {
      const document = data.find(({ name }: any) => name === `sample.${ending}`)
      const { headers, bytes } = await bytesOf(team.client, `/documents/${document.id}/download`)
      expect([bytes.equals(SAMPLES[ending] ?? Buffer.alloc(0)), headers.get('content-type')]).toEqual([true, document.content_type])
    }
  })

  it.each<[string, string, Buffer | string, string]>([
    ['an empty file', 'a.pdf', '', 'a.pdf is empty'],
    ['a program', 'setup.exe', Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1'), 'of a kind that is not taken'],
    ['a program called .pdf', 'invoice.pdf', Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff%PDF-1.4', 'latin1'), 'of a kind that is not taken'],
    ['text called .pdf', 'invoice.pdf', 'just words', 'its content is plain text'],
    ['a page called .csv', 'table.csv', '<html><script>alert(1)</script>', 'its content is plain text'],
    ['a page', 'page.html', '<html></html>', 'its content is plain text'],
    ['a script', 'run.sh', '#!/bin/sh\nrm -rf /', 'its content is plain text'],
    ['an archive called .xlsx', 'book.xlsx', SAMPLES['zip'] ?? '', 'its content is a ZIP archive'],
    ['half an archive', 'a.zip', Buffer.from('PK\x03\x04half', 'latin1'), 'of a kind that is not taken'],
    ['a moving picture', 'a.gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'of a kind that is not taken'],
    ['the test pattern of virus scanners', 'note.txt', ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''), 'is harmful and was not kept'],
  ])('refuses %s with 400, and keeps nothing', async (_, name, content, sentence) => {
    const [{ count }] = await sql('select count(*)::int as count from documents where business_id = $1', [team.business_id])
    const answer = await upload(team.client, [{ name: 'fine.txt', content: 'fine' }, { name, content }])
    expect([answer.status, answer.detail]).toEqual([400, expect.stringContaining(sentence)])
    expect(await sql('select count(*)::int as count from documents where business_id = $1', [team.business_id])).toEqual([{ count }])
  })

  it('a page called .txt stays text that is downloaded', async () => {
    const { id } = await newDocument(team.client, 'page.txt', '<!doctype html><script>alert(1)</script>')
    const { headers } = await bytesOf(team.client, `/documents/${id}/download`)
    expect(['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy'].map((name) => headers.get(name)))
      .toEqual(['text/plain', `attachment; filename="page.txt"; filename*=UTF-8''page.txt`, 'nosniff', "sandbox; default-src 'none'"])
  })

  it('makes a harmless name of what a form says', async () => {
    const form = await formOf([{ name: 'NAME', content: 'x' }])
    const send = async (given: string) => {
      const raw = Buffer.from(form.raw.toString('latin1').replace('"NAME"', `"${Buffer.from(given.replaceAll('\\', '\\\\')).toString('latin1')}"`), 'latin1')
      return (await team.client.call('POST', '/documents', { raw, headers: form.headers })).data[0].name
    }
    expect([await send('../../etc/passwd.txt'), await send('..\\..\\windows\\a.txt'), await send('\u202etxt.größe.txt'), await send(`${'a'.repeat(300)}.txt`)])
      .toEqual(['passwd.txt', 'a.txt', 'txt.größe.txt', `${'a'.repeat(251)}.txt`])
  })

  it('a name with a null byte, or too long for JSON, is refused there', async () => {
    const send = async (file_name: string) => (await team.client.post('/documents', { file_name, content_base64: 'YQ==' })).status
    expect([await send('a\0.txt'), await send(`${'a'.repeat(300)}.txt`), await send('')]).toEqual([422, 422, 422])
  })

  it('an archive is not unpacked, however large it says it is', async () => {
    const zeros = deflateRawSync(Buffer.alloc(20_000_000))
    const local = Buffer.alloc(31)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(zeros.length, 18)
    local.writeUInt32LE(0xfffffff0, 22)
    local.writeUInt16LE(1, 26)
    local.write('z', 30)
    const entry = Buffer.alloc(47)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(1, 28)
    entry.write('z', 46)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(local.length + zeros.length, 16)
    const bomb = Buffer.concat([local, zeros, entry, end])
    expect(await newDocument(team.client, 'bomb.zip', bomb)).toMatchObject({ content_type: 'application/zip', size: bomb.length, text_status: 'none' })
  })

  it('says what is wrong with a form', async () => {
    const customer_id = await newCustomer(team.client)
    const file = [{ name: 'a.txt', content: 'a' }]
    const refusals: [object, Record<string, string>, number, unknown][] = [
      [file, { kind: 'poem' }, 422, [{ loc: ['body', 'kind'], type: 'enum' }]],
      [file, { document_date: '2026-02-30' }, 422, [{ loc: ['body', 'document_date'] }]],
      [file, { resource_type: 'customer' }, 422, [{ loc: ['body', 'resource_id'], type: 'missing' }]],
      [file, { resource_type: 'customer', resource_id: 'x' }, 422, [{ loc: ['body', 'resource_id'], type: 'uuid_parsing' }]],
      [file, { resource_type: 'customer', resource_id: newId() }, 404, expect.stringContaining('Customer')],
      [file, { resource_type: 'poem', resource_id: customer_id }, 404, 'Record of type poem not found.'],
      [file, { resource_type: 'document', resource_id: customer_id }, 404, expect.any(String)],
      [[], {}, 400, 'The form holds no file: send at least one.'],
      [[...file, { name: 'b.txt', content: 'b' }], { name: 'one.txt' }, 400, expect.stringContaining('one file only')],
      [file, { name: 'a.pdf' }, 400, expect.stringContaining('let it end with .txt')],
      [Array.from({ length: 21 }, (_, index) => ({ name: `${index}.txt`, content: `${index}` })), {}, 413, 'At most 20 files can be sent at once.'],
      [file, { description: 'x'.repeat(100_001) }, 413, expect.stringContaining('A field of the form')],
    ]
    for (const [files, fields, status, detail] of refusals) {
      const answer = await upload(team.client, files as never, fields)
      expect([answer.status, answer.detail]).toMatchObject([status, detail])
    }
    const broken = await team.client.call('POST', '/documents', { raw: 'nonsense', headers: { 'content-type': 'multipart/form-data; boundary=x' } })
    expect([broken.status, broken.detail]).toMatchObject([422, [{ loc: ['body'] }]])
    expect((await team.client.call('POST', '/documents', { raw: 'nonsense', headers: { 'content-type': 'multipart/form-data' } })).status).toBe(422)
    expect((await team.client.call('POST', '/notes', { ...await formOf(file) })).status).toBe(422)
  })

  it('too large a file is refused as it arrives, in a form and in JSON', async () => {
    const { url, program } = await startService({ DAYBOOK_MAX_FILE_BYTES: '50000' })
    try {
      const small = client(team.owner.token, team.business_id, url)
      expect((await upload(small, [{ name: 'ok.txt', content: Buffer.alloc(50_000, 97) }])).status).toBe(201)
      const answer = await upload(small, [{ name: 'a.txt', content: Buffer.alloc(5_000_000, 97) }, { name: 'b.txt', content: 'b' }])
      expect([answer.status, answer.detail]).toEqual([413, 'A file may have at most 0.04 MiB.'])
      expect((await small.post('/documents', { file_name: 'a.txt', content_base64: Buffer.alloc(50_001, 97).toString('base64') })).status).toBe(413)
    } finally {
      await program.stop()
    }
  })

  it('the same bytes are kept once, also for two at once; another business shares nothing', async () => {
    const content = `same ${newId()}`
    const answers = await Promise.all([1, 2, 3].map((index) => upload(team.client, [{ name: `${index}.txt`, content }, { name: `${index}b.txt`, content }])))
    const documents = answers.flatMap(({ data }) => data)
    const [first] = documents.filter(({ duplicate_of }) => duplicate_of === null)
    expect(documents.map(({ duplicate_of }) => duplicate_of).toSorted()).toEqual([...Array.from({ length: 5 }, () => first.id), null].toSorted())
    const other = await newBusiness()
    expect((await newDocument(other.client, 'a.txt', content)).duplicate_of).toBeNull()
  })

  it('a repeated key gives the stored answer, whatever the boundary; a dry run keeps nothing', async () => {
    const headers = { 'idempotency-key': newId() }
    const send = async (content: string, more: object = {}) => {
      const form = await formOf([{ name: 'k.txt', content }])
      return team.client.call('POST', '/documents', { ...form, ...more, headers: { ...form.headers, ...headers } })
    }
    const content = `key ${newId()}`
    const [first, second, third] = [await send(content), await send(content), await send('other')]
    expect([second.data[0].id, second.headers.get('idempotent-replayed'), third.status]).toEqual([first.data[0].id, 'true', 400])
    const form = await formOf([{ name: 'dry.txt', content: `dry ${newId()}` }])
    const dry = await team.client.call('POST', '/documents', { ...form, query: { dry_run: true } })
    expect([dry.status, (await team.client.get(`/documents/${dry.data[0].id}`)).status]).toEqual([201, 404])
  })

  it('who may not write is refused before the files are read; attaching needs the right to change the record', async () => {
    const customer_id = await newCustomer(team.client)
    const viewer = await newMember(team.business_id, 'viewer')
    const approver = await newMember(team.business_id, 'approver')
    expect((await upload(viewer.client, [{ name: 'a.txt', content: 'a' }])).status).toBe(403)
    expect((await upload(client(null, team.business_id), [{ name: 'a.txt', content: 'a' }])).status).toBe(401)
    expect((await upload(approver.client, [{ name: 'a.txt', content: 'a' }])).status).toBe(201)
    const denied = await upload(approver.client, [{ name: 'a.txt', content: 'a' }], { resource_type: 'customer', resource_id: customer_id })
    expect([denied.status, denied.detail]).toEqual([403, expect.stringContaining('customers:write')])
    const token = client(await newToken(team.owner, ['documents:read']), team.business_id)
    expect([(await upload(token, [{ name: 'a.txt', content: 'a' }])).status, (await token.get('/documents')).status]).toEqual([403, 200])
  })
})

describe('versions', () => {
  it('follow on each other; the old ones can still be had', async () => {
    const { id } = await newDocument(team.client, 'lease.txt', 'first state')
    const { data } = await upload(team.client, [{ name: 'lease-new.txt', content: 'second state' }], {}, `/documents/${id}/versions`)
    expect(data).toMatchObject({ id, name: 'lease.txt', version_number: 2, version: 2, sha256: sha('second state'), size: 12 })
    const { data: versions } = await team.client.get(`/documents/${id}/versions`)
    expect(versions.items.map(({ number, file_name, sha256 }: any) => [number, file_name, sha256])).toEqual([[2, 'lease-new.txt', sha('second state')], [1, 'lease.txt', sha('first state')]])
    const text = async (query: string) => (await bytesOf(team.client, `/documents/${id}/download${query}`)).bytes.toString()
    expect([await text(''), await text('?version=1'), await text('?version=2')]).toEqual(['second state', 'first state', 'second state'])
    expect((await team.client.get(`/documents/${id}/download`, { version: 3 })).status).toBe(404)
  })

  it('are refused where they are none', async () => {
    const { id } = await newDocument(team.client, 'lease.txt', 'a state')
    const add = (name: string, content: Buffer | string) => upload(team.client, [{ name, content }], {}, `/documents/${id}/versions`)
    expect((await add('a.txt', 'a state')).detail).toBe('a.txt is the same file as the current version of lease.txt.')
    expect((await add('a.pdf', SAMPLES['pdf'] ?? '')).detail).toContain('of another kind than lease.txt')
    const two = await upload(team.client, [{ name: 'a.txt', content: 'a' }, { name: 'b.txt', content: 'b' }], {}, `/documents/${id}/versions`)
    expect([two.status, two.detail]).toEqual([400, 'Send one file at a time.'])
    await team.client.delete(`/documents/${id}`)
    expect((await add('a.txt', 'new')).detail).toBe('lease.txt is in the bin: restore it first.')
  })

  it('of two at once both count, one after the other', async () => {
    const { id } = await newDocument(team.client)
    const answers = await Promise.all(['x', 'y'].map((content) => upload(team.client, [{ name: 'a.txt', content: `${content} ${newId()}` }], {}, `/documents/${id}/versions`)))
    expect(answers.map(({ data }) => data.version_number).toSorted()).toEqual([2, 3])
  })
})
