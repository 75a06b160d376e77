import { beforeAll, describe, expect, it } from 'vitest'
import { client as clientOf } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { mapped, newImport } from '../../../test/support/imports.ts'
import { newBusiness, newMember, newToken, sql, type Team } from '../../../test/support/people.ts'
import { bytesOf, newDocument, SAMPLES } from '../../../test/support/uploads.ts'
import { newId } from '../../foundation/ids.ts'
import { xlsxOf } from '../../foundation/sheets.ts'

let team: Team
let other: Team
beforeAll(async () => {
  ;[team, other] = await Promise.all([newBusiness(), newBusiness()])
})

const begin = async (content: string | Buffer, kind = 'customers', name = 'file.csv') =>
  team.client.post('/imports', { kind, document_id: (await newDocument(team.client, name, content)).id })

describe('kinds', () => {
  it('are those whose records the caller may change, with their fields', async () => {
    const { data } = await team.client.get('/imports/kinds')
    expect(data.items.map(({ kind }: any) => kind)).toEqual(['customers', 'catalog_items', 'products', 'projects', 'invoices'])
    expect(data.items[0].fields).toContainEqual(expect.objectContaining({ name: 'name', required: true, type: 'text' }))
    expect((await clientOf((await newMember(team.business_id, 'viewer')).token, team.business_id).get('/imports/kinds')).data.items).toEqual([])
  })
  it('have a template', async () => {
    const { headers, bytes } = await bytesOf(team.client, '/imports/kinds/customers/template')
    expect(headers.get('content-disposition')).toContain('customers.csv')
    expect(bytes.toString()).toMatch(/^external_id,name,email/)
    expect((await team.client.get('/imports/kinds/ships/template')).status).toBe(422)
  })
})

describe('beginning', () => {
  it('reads the columns of a CSV file and suggests a mapping', async () => {
    const made = await newImport(team.client, 'customers', '\ufeffCompany;E-mail;;Colour\nHarbor;a@b.example;x;blue\n;;;\nPier;;;\n')
    expect(made).toMatchObject({
      status: 'uploaded', counts: { rows: 2, valid: 0, created: 0 }, suggested_mapping: { Company: 'name', 'E-mail': 'email' }, mapping: {},
      columns: [{ name: 'Company', example: 'Harbor' }, { name: 'E-mail', example: 'a@b.example' }, { name: 'Column 3', example: 'x' }, { name: 'Colour',
        example: 'blue' }],
      options: { date_format: null, decimal_separator: '.', currency: null, duplicate: 'skip', on_error: 'abort' },
    })
    expect(await eventsOf(made.id)).toEqual(['import.created'])
  })
  it('reads XLSX', async () => {
    const sheet = await xlsxOf({ title: 'T', columns: [{ key: 'a', label: 'Name', kind: 'text' }, { key: 'b', label: 'Credit limit', kind: 'money' }],
      rows: [{ a: 'Harbor', b: 123450 }] })
    const made = await newImport(team.client, 'customers', sheet, {}, 'c.xlsx')
    expect(made.columns).toEqual([{ name: 'Name', example: 'Harbor' }, { name: 'Credit limit', example: '1234.5' }])
  })
  it.each([
    ['nothing below the header', 'name,email\n', 'no rows below'], ['an open quote', 'name\n"Harbor\n', 'never closed'],
    ['an empty header', ',,\na,b,c\n', 'must name the columns'], ['too many columns', `${'a,'.repeat(250)}b\nx\n`, 'more than 200 columns'],
    ['a Latin-1 file', Buffer.from('name\nM\xfcller\n', 'latin1'), 'not text in UTF-8'],
  ])('refuses %s', async (_what, content, words) => {
    const document = await newDocument(team.client, 'file.csv', content).catch(() => null)
    if (!document) return // such bytes are not even taken as a document
    const { status, detail } = await team.client.post('/imports', { kind: 'customers', document_id: document.id })
    expect([status, detail]).toEqual([400, expect.stringContaining(words)])
  })
  it('refuses other files, unknown documents, those of others and those in the bin', async () => {
    expect((await begin(SAMPLES['pdf'] ?? '', 'customers', 'a.pdf')).status).toBe(400)
    const elsewhere = await newDocument(other.client, 'a.csv', 'name\nx\n')
    for (const document_id of [newId(), elsewhere.id]) expect((await team.client.post('/imports', { kind: 'customers', document_id })).status).toBe(404)
    const binned = await newDocument(team.client, 'bin.csv', `name\n${newId()}\n`)
    await team.client.delete(`/documents/${binned.id}`)
    expect((await team.client.post('/imports', { kind: 'customers', document_id: binned.id })).status).toBe(404)
    expect((await team.client.post('/imports', { kind: 'ships', document_id: binned.id })).status).toBe(422)
  })
  it('leaves nothing after a dry run', async () => {
    const document = await newDocument(team.client, 'dry.csv', `name\n${newId()}\n`)
    const tried = await team.client.post('/imports', { kind: 'customers', document_id: document.id }, { query: { dry_run: true } })
    expect([tried.status, tried.data.counts.rows]).toEqual([201, 1])
    expect(await sql('select id from imports where id = $1', [tried.data.id])).toEqual([])
  })
})

describe('mapping', () => {
  const dates = 'code,name,start\nA,One,03/04/2026\nB,Two,13/04/2026\n'
  it('says which column is what', async () => {
    const made = await newImport(team.client, 'customers', `a,b\n${newId()},x\n`)
    const done = await team.client.put(`/imports/${made.id}/mapping`, { mapping: { a: 'name' }, options: { duplicate: 'update' } })
    expect(done.data).toMatchObject({ status: 'mapped', mapping: { a: 'name' }, options: { duplicate: 'update', on_error: 'abort' } })
    expect(await eventsOf(made.id)).toEqual(['import.created', 'import.mapped'])
  })
  it.each([
    [{ a: 'name', b: 'name' }, {}, 'both mapped'], [{ b: 'email' }, {}, 'No column is mapped to name'], [{ z: 'name' }, {}, 'no column “z”'], [{ a: 'size' },
      {}, 'no field “size”'],
  ])('refuses %j', async (mapping, options, words) => {
    const made = await newImport(team.client, 'customers', `a,b\n${newId()},x\n`)
    const { status, detail } = await team.client.put(`/imports/${made.id}/mapping`, { mapping, options })
    expect([status, detail]).toEqual([400, expect.stringContaining(words)])
  })
  it('does not guess which day is meant', async () => {
    const made = await newImport(team.client, 'projects', dates)
    const put = (options: object) => team.client.put(`/imports/${made.id}/mapping`, { mapping: made.suggested_mapping, options })
    expect(await put({})).toMatchObject({ status: 400, detail: expect.stringContaining('Row 2, column “start”: 03/04/2026 could be two different days') })
    expect((await put({ date_format: 'DD/MM/YYYY' })).data.status).toBe('mapped')
    expect((await put({ date_format: 'YY' })).status).toBe(422)
  })
  it('takes dates that can only be one day', async () => {
    expect((await mapped(team.client, 'projects', 'code,name,start\nA,One,25.03.2026\nB,Two,05.05.2026\nC,Three,2026-04-03\n')).status).toBe('mapped')
  })
  it('knows what the kind cannot do', async () => {
    const made = await newImport(team.client, 'invoices', `number,customer\n1,${newId()}\n`)
    expect((await team.client.put(`/imports/${made.id}/mapping`, { mapping: made.suggested_mapping,
      options: { duplicate: 'update' } })).detail).toContain('choose skip or error')
  })
})

describe('who may', () => {
  it('needs the permission of the kind besides', async () => {
    const token = await newToken({ ...team.owner, client: team.client }, ['imports:read', 'imports:write', 'documents:read', 'catalog-items:write'])
    const narrow = clientOf(token, team.business_id)
    const document = await newDocument(team.client, 'who.csv', `name\n${newId()}\n`)
    expect(await narrow.post('/imports', { kind: 'customers', document_id: document.id })).toMatchObject({ status: 403,
      detail: expect.stringContaining('customers:write') })
    expect((await narrow.post('/imports', { kind: 'catalog_items', document_id: document.id })).status).toBe(201)
    const made = await newImport(team.client, 'customers', `name\n${newId()}\n`)
    expect((await narrow.put(`/imports/${made.id}/mapping`, { mapping: { name: 'name' } })).status).toBe(403)
    expect((await narrow.delete(`/imports/${made.id}`)).status).toBe(403)
  })
  it('a viewer only reads; another business sees nothing', async () => {
    const made = await newImport(team.client, 'customers', `name\n${newId()}\n`)
    const viewer = await newMember(team.business_id, 'viewer')
    expect((await viewer.client.get(`/imports/${made.id}`)).status).toBe(200)
    expect((await viewer.client.delete(`/imports/${made.id}`)).status).toBe(403)
    for (const path of ['', '/preview', '/errors', '/errors/download']) expect((await other.client.get(`/imports/${made.id}${path}`)).status).toBe(404)
    for (const path of ['/run', '/cancel', '/rollback']) expect((await other.client.put(`/imports/${made.id}${path}`)).status).toBe(404)
    expect((await other.client.get('/imports')).data.items).toEqual([])
  })
  it('lists by kind and status, and deletes what never ran', async () => {
    const made = await newImport(team.client, 'projects', 'code,name\nX,Y\n')
    const listed = await team.client.get('/imports', { kind: 'projects', status: 'uploaded' })
    expect(listed.data.items.map(({ id }: any) => id)).toContain(made.id)
    expect((await team.client.delete(`/imports/${made.id}`)).status).toBe(200)
    expect((await team.client.get(`/imports/${made.id}`)).status).toBe(404)
    expect(await sql('select from import_rows where import_id = $1', [made.id])).toEqual([])
  })
})
