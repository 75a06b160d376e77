import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../../test/support/client.ts'
import { block, pdfOf } from '../../../test/support/documents.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { startService } from '../../../test/support/service.ts'
import { S3_KEYS, startS3 } from '../../../test/support/s3.ts'
import { bytesOf, newDocument, SAMPLES, upload } from '../../../test/support/uploads.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
})

describe('extraction', () => {
  it('is a job whose result has text, fields and how sure they are; it books nothing', async () => {
    const lines = ['INVOICE', 'Invoice number: INV-77', 'Date: 2026-02-03', 'Bill to: ACME Ltd', 'Consulting   2   100.00   200.00', 'Total: 200.00 USD']
    const { id } = await newDocument(team.client, 'inv.pdf', await pdfOf(block(lines, 40, 60)))
    const begun = await team.client.post(`/documents/${id}/extract`)
    expect([begun.status, begun.data.kind, begun.data.status]).toEqual([201, 'document_extraction', 'queued'])
    expect((await team.client.post(`/documents/${id}/extract`)).data.id).toBe(begun.data.id)
    await runJobs(team.business_id)
    const { data } = await team.client.get(`/jobs/${begun.data.id}`)
    expect(data).toMatchObject({ status: 'succeeded', result: { document_id: id, generated_by: 'rules', pages: 1, parts: [{ fields: { invoice_number: { value: 'INV-77', confidence: expect.any(Number), evidence: { page: 1 } } } }] } })
    expect(data.result.text).toContain('Consulting')
    expect((await team.client.get(`/documents/${id}`)).data).toMatchObject({ text_status: 'read', pages: 1 })
    const events = await sql('select type from events where business_id = $1 and resource_id = $2 order by seq', [team.business_id, id])
    expect(events.map(({ type }) => type).filter((type) => type !== 'document.read')).toEqual(['document.created', 'document.extracted'])
    expect((await team.client.get('/invoices')).data.items).toEqual([])
  })

  it('is refused for what cannot be read, for the bin, and where it is turned off', async () => {
    const { id } = await newDocument(team.client, 'a.zip', SAMPLES['zip'])
    const refused = await team.client.post(`/documents/${id}/extract`)
    expect([refused.status, refused.detail]).toEqual([400, expect.stringContaining('a.zip is a ZIP archive, which cannot be read')])
    const text = await newDocument(team.client, 'a.txt')
    await team.client.delete(`/documents/${text.id}`)
    expect((await team.client.post(`/documents/${text.id}/extract`)).detail).toBe('a.txt is in the bin: restore it first.')
    await team.client.patch(`/businesses/${team.business_id}/settings`, { ai: { enabled: false } })
    expect((await team.client.post(`/documents/${id}/extract`)).status).toBe(403)
  })
})

describe('with an S3-compatible storage', () => {
  it('documents come, are read in parts, and go; one that is away is a 503', async () => {
    const s3 = await startS3('papers')
    const { url, program } = await startService({ DAYBOOK_STORAGE_BUCKET: 'papers', DAYBOOK_STORAGE_ENDPOINT: s3.endpoint, ...S3_KEYS })
    try {
      const own = client(team.owner.token, team.business_id, url)
      const document = await newDocument(own, 'far.txt', 'far away')
      expect([...s3.objects.keys()]).toEqual([`${team.business_id}/${document.sha256.slice(0, 2)}/${document.sha256}`])
      expect((await bytesOf(own, `/documents/${document.id}/download`, {}, url)).bytes.toString()).toBe('far away')
      expect((await bytesOf(own, `/documents/${document.id}/download`, { range: 'bytes=4-7' }, url)).bytes.toString()).toBe('away')
      expect((await newDocument(own, 'twin.txt', 'far away')).duplicate_of).toBe(document.id)
      expect(s3.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1)
      s3.fail = 400
      expect((await upload(own, [{ name: 'a.txt', content: 'never' }])).status).toBe(503)
      expect((await bytesOf(own, `/documents/${document.id}/download`, {}, url)).status).toBe(503)
    } finally {
      await program.stop()
      await s3.stop()
    }
  })
})
