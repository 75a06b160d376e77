import { extractText } from 'unpdf'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, newMember, sql } from '../../../test/support/people.ts'
import { samplePng } from '../../../test/support/pictures.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'

let seller: Seller
beforeAll(async () => {
  seller = await newSeller()
})
afterEach(async () => (await service()).clock.set(null))

async function bytesOf(url: string, headers: Record<string, string> = {}): Promise<{ status: number; type: string | null; name: string | null; bytes: Buffer }> {
  const response = await fetch(url, { headers })
  return { status: response.status, type: response.headers.get('content-type'), name: response.headers.get('content-disposition'), bytes: Buffer.from(await response.arrayBuffer()) }
}
const internal = async (id: string, token = seller.owner.token) =>
  bytesOf(`${(await service()).url}/api/v1/invoices/${id}/pdf/internal`, { authorization: `Bearer ${token}`, 'x-business-id': seller.business_id })
const textOf = async (bytes: Buffer) => (await extractText(new Uint8Array(bytes), { mergePages: true })).text.replaceAll(/\s+/g, ' ')

describe('the PDF', () => {
  it('holds the invoice as it is kept, with the tax of its lines and what was paid', async () => {
    await seller.client.put(`/businesses/${seller.business_id}`, { legal_name: 'Test Trading LLC', email: 'billing@trading.example', address: { line1: '1 Quay', city: 'Bath', region: 'ME', postal_code: '04530', country: 'US' } })
    await seller.client.patch(`/businesses/${seller.business_id}/settings`, { sales: { invoice_footer: 'All sales are final.' } })
    await seller.client.put(`/businesses/${seller.business_id}/logo`, { content_base64: samplePng(60, 20).content.toString('base64') })
    const invoice = await seller.open({
      line_items: [{ description: 'Beans', quantity: 3, unit_price: 1250, note: 'Dark roast' }, { description: 'Cup', unit_price: 900, discount_percent: '10' }],
      customer_message: 'See you soon.', purchase_order_number: 'PO-9', invoice_date: '2026-03-01', due_date: '2026-03-31',
    })
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 1000, paid_on: '2026-03-05', method: 'check', reference: '1001' }))
    const { status, type, name, bytes } = await internal(invoice.id)
    expect([status, type, name]).toEqual([200, 'application/pdf', `attachment; filename="Invoice-${invoice.number}.pdf"`])
    const text = await textOf(bytes)
    for (const words of [
      'Test Trading LLC', '1 Quay', 'Acme Widgets', invoice.number, 'March 1, 2026', 'March 31, 2026', 'PO-9', 'Beans', 'Dark roast', '37.50', '-0.90', '8.10', '45.60',
      'Payment of March 5, 2026, check, 1001', '-10.00', '35.60', 'See you soon.', 'All sales are final.', `${invoice.hosted_invoice_url}`,
    ]) expect(text.replaceAll('\u00a0', ' ')).toContain(words)
    expect(bytes.includes('/Subtype /Image')).toBe(true)
    expect((await internal(invoice.id)).bytes.equals(bytes)).toBe(true)
  })

  it('is marked where it is a draft or void, and tells nobody where to pay', async () => {
    const draft = await seller.invoice()
    const drafted = await textOf((await internal(draft.id)).bytes)
    expect(drafted).toContain('DRAFT')
    expect(drafted).not.toContain('/pay/')
    const gone = await seller.open()
    ok(await seller.client.put(`/invoices/${gone.id}/void`, {}))
    const voided = await textOf((await internal(gone.id)).bytes)
    expect(voided).toContain('VOID')
    expect(voided).not.toContain('/pay/')
  })

  it('has an address that opens without a token for 15 minutes', async () => {
    const { clock } = await service()
    const invoice = await seller.open({ line_items: [{ description: 'Kaffee 世界', unit_price: 5 }] })
    const link = ok(await seller.client.get(`/invoices/${invoice.id}/pdf`))
    expect(link.source).toBe('service')
    expect(Date.parse(link.expires_at) - Date.now()).toBeGreaterThan(14 * 60_000)
    const opened = await bytesOf(link.pdf_url)
    expect([opened.status, opened.type]).toEqual([200, 'application/pdf'])
    expect(opened.bytes.equals((await internal(invoice.id)).bytes)).toBe(true)
    for (const other of [link.pdf_url.slice(0, -1), `${link.pdf_url}A`, link.pdf_url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')), `${link.pdf_url.replace(/[^/]+$/, '')}x`]) {
      expect((await bytesOf(other)).status).toBe(404)
    }
    clock.set(new Date(Date.parse(link.expires_at) - 1).toISOString())
    expect((await bytesOf(link.pdf_url)).status).toBe(200)
    clock.set(link.expires_at)
    expect((await bytesOf(link.pdf_url)).status).toBe(404)
  })

  it('is for those who may read invoices of this business', async () => {
    const invoice = await seller.open()
    const viewer = await newMember(seller.business_id, 'viewer')
    expect((await internal(invoice.id, viewer.token)).status).toBe(200)
    const stranger = await newBusiness()
    for (const path of ['pdf', 'pdf/internal', 'payment-link']) {
      expect((await stranger.client.get(`/invoices/${invoice.id}/${path}`)).status).toBe(404)
      expect((await seller.client.get(`/invoices/${newId()}/${path}`)).status).toBe(404)
    }
  })
})

describe('the payment link', () => {
  it('says what is due and why it cannot be paid', async () => {
    const invoice = await seller.open()
    expect(ok(await seller.client.get(`/invoices/${invoice.id}/payment-link`))).toEqual({
      url: invoice.hosted_invoice_url, payable: false, reason: expect.stringContaining('cannot be paid online'), amount_due: 10_000, currency: 'USD', online_payment: false, allow_partial: false,
    })
    ok(await seller.client.put(`/invoices/${invoice.id}/paid`, {}))
    expect(ok(await seller.client.get(`/invoices/${invoice.id}/payment-link`))).toMatchObject({ payable: false, reason: `Invoice ${invoice.number} is paid.`, amount_due: 0 })
  })

  it('is for finalized invoices that are not void', async () => {
    const draft = await seller.invoice()
    const answer = await seller.client.get(`/invoices/${draft.id}/payment-link`)
    expect([answer.status, answer.detail]).toEqual([400, `Invoice ${draft.id} is draft: only a finalized invoice that is not void has a link.`])
    const gone = await seller.open()
    ok(await seller.client.put(`/invoices/${gone.id}/void`, {}))
    expect((await seller.client.get(`/invoices/${gone.id}/payment-link`)).status).toBe(400)
    expect(await sql('select revoked_at is not null as revoked from document_links where document_id = $1', [gone.id])).toEqual([{ revoked: true }])
  })
})
