import { extractText } from 'unpdf'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/support/events.ts'
import { sql } from '../../../test/support/people.ts'
import { samplePng } from '../../../test/support/pictures.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service, startService } from '../../../test/support/service.ts'
import { randomToken } from '../../foundation/secrets.ts'

let seller: Seller
beforeAll(async () => {
  seller = await newSeller()
  ok(await seller.client.post('/processor/connection', { return_url: 'https://example.com/done', refresh_url: 'https://example.com/again' }))
})
afterEach(async () => (await service()).clock.set(null))

type Seen = { status: number; headers: Headers; text: string; main: string }

async function look(url: string, init: RequestInit = {}): Promise<Seen> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, main: /<main>[\s\S]*<\/main>/.exec(text)?.[0] ?? '' }
}
const post = (url: string, form: Record<string, string> = {}) =>
  look(url, { method: 'POST', body: new URLSearchParams(form).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } })
const wordsOf = ({ main }: Seen) => main.replaceAll(/<[^>]+>/g, ' ').replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ')

describe('what the customer sees', () => {
  it('the invoice, its PDF and the way to pay', async () => {
    const invoice = await seller.open({
      line_items: [{ description: 'Beans <b>fresh</b>', quantity: 3, unit_price: 1250 }], invoice_date: '2026-03-01', due_date: '2099-03-31', customer_message: 'See <you>\nsoon', purchase_order_number: 'PO-1',
    })
    const page = await look(invoice.hosted_invoice_url)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const words = wordsOf(page)
    for (const each of ['Test Trading', `Invoice ${invoice.number}`, 'Acme Widgets', 'March 1, 2026', 'Due on March 31, 2099', 'PO-1', '12.50', '37.50', 'Pay USD 37.50', 'Amount due', 'Download PDF']) expect(words).toContain(each)
    expect(page.text).toContain('Beans &lt;b&gt;fresh&lt;/b&gt;')
    expect(page.text).toContain('See &lt;you&gt;')
    expect(page.text).toContain(`<title>Invoice ${invoice.number} from Test Trading</title>`)
    const pdf = await fetch(`${invoice.hosted_invoice_url}/pdf`)
    expect([pdf.status, pdf.headers.get('content-type'), pdf.headers.get('content-disposition')]).toEqual([200, 'application/pdf', `inline; filename="Invoice-${invoice.number}.pdf"`])
    expect((await extractText(new Uint8Array(await pdf.arrayBuffer()), { mergePages: true })).text).toContain(invoice.number)
    expect(invoice.pdf_url).toBe(`${invoice.hosted_invoice_url}/pdf`)
  })

  it('nothing is loaded from elsewhere, kept or passed on', async () => {
    const invoice = await seller.open()
    const { headers, text } = await look(invoice.hosted_invoice_url)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toMatch(/<script|(?:src|href)="https?:|@import|url\(/)
    expect(text).not.toContain(seller.business_id)
    expect(text).not.toContain(invoice.id)
  })

  it('nothing of what is meant for the office', async () => {
    const invoice = await seller.open({ internal_note: 'Slow payer', description: 'Private words', external_id: 'EXT-77' })
    const { text } = await look(invoice.hosted_invoice_url)
    for (const secret of ['Slow payer', 'Private words', 'EXT-77']) expect(text).not.toContain(secret)
  })

  it('the logo', async () => {
    const invoice = await seller.open()
    expect((await look(invoice.hosted_invoice_url)).text).not.toContain('<img')
    expect((await look(`${invoice.hosted_invoice_url}/logo`)).status).toBe(404)
    await seller.client.put(`/businesses/${seller.business_id}/logo`, { content_base64: samplePng(60, 20).content.toString('base64') })
    expect((await look(invoice.hosted_invoice_url)).text).toContain(`src="${new URL(invoice.hosted_invoice_url).pathname}/logo"`)
    const logo = await look(`${invoice.hosted_invoice_url}/logo`)
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png'])
    await seller.client.delete(`/businesses/${seller.business_id}/logo`)
  })

  it('whether it is due, late, paid in part, paid or given up', async () => {
    const { clock } = await service()
    const late = await seller.open({ invoice_date: '2026-01-05', due_date: '2026-01-20' })
    expect(wordsOf(await look(late.hosted_invoice_url))).toContain('Overdue')
    expect(wordsOf(await look(late.hosted_invoice_url))).toContain('Was due on January 20, 2026')
    clock.set('2026-01-20T12:00:00Z')
    expect(wordsOf(await look(late.hosted_invoice_url))).not.toContain('Overdue')
    clock.set(null)
    ok(await seller.client.post(`/invoices/${late.id}/payments`, { amount: 4000, paid_on: '2026-02-01', method: 'bank_transfer', reference: 'secret reference' }))
    const part = wordsOf(await look(late.hosted_invoice_url))
    expect(part).toContain('Payment of February 1, 2026, bank transfer -40.00')
    expect(part).toContain('Pay USD 60.00')
    expect(part).not.toContain('secret reference')
    ok(await seller.client.put(`/invoices/${late.id}/paid`, { paid_on: '2026-02-03' }))
    const paid = await look(late.hosted_invoice_url)
    expect(wordsOf(paid)).toContain('Paid on February 3, 2026')
    expect(paid.text).not.toContain('<form')
    const lost = await seller.open()
    ok(await seller.client.put(`/invoices/${lost.id}/uncollectible`, {}))
    expect((await look(lost.hosted_invoice_url)).text).not.toContain('<form')
  })

  it('a word of thanks on the way back from the processor', async () => {
    const invoice = await seller.open()
    expect(wordsOf(await look(`${invoice.hosted_invoice_url}?paid=10000`))).toContain('Your payment of USD 100.00 is on its way')
    for (const odd of ['x', '', '1e9', '-5', '9'.repeat(40)]) expect(wordsOf(await look(`${invoice.hosted_invoice_url}?paid=${odd}`))).not.toContain('Thank you')
    ok(await seller.client.put(`/invoices/${invoice.id}/paid`, {}))
    expect(wordsOf(await look(`${invoice.hosted_invoice_url}?paid=10000`))).toContain('Your payment has arrived.')
  })
})

describe('the link', () => {
  it('unknown, rotated, void and not yet finalized are the same page', async () => {
    const { url } = await service()
    const unknown = await look(`${url}/pay/${randomToken('')}`)
    expect(unknown.status).toBe(404)
    const gone = await seller.open()
    ok(await seller.client.put(`/invoices/${gone.id}/void`, {}))
    const rotated = await seller.open()
    await sql('update document_links set revoked_at = now() where document_id = $1', [rotated.id])
    for (const address of [gone.hosted_invoice_url, rotated.hosted_invoice_url, `${url}/pay/x`, `${url}/pay/${'é'.repeat(43)}`, `${gone.hosted_invoice_url}/pdf`, `${gone.hosted_invoice_url}/logo`]) {
      const page = await look(address)
      expect([page.status, page.text]).toEqual([404, unknown.text])
    }
    const posted = await post(gone.hosted_invoice_url)
    expect([posted.status, posted.text]).toEqual([404, unknown.text])
  })

  it('the first look is recorded, once, also of many at once', async () => {
    const invoice = await seller.open()
    expect(invoice.viewed_at).toBeNull()
    await Promise.all(Array.from({ length: 5 }, () => look(invoice.hosted_invoice_url)))
    const { viewed_at, version } = ok(await seller.client.get(`/invoices/${invoice.id}`))
    expect(viewed_at).not.toBeNull()
    await look(invoice.hosted_invoice_url)
    expect(ok(await seller.client.get(`/invoices/${invoice.id}`))).toMatchObject({ viewed_at, version })
    expect((await eventsOf(invoice.id)).filter((type) => type === 'invoice.viewed')).toHaveLength(1)
    expect(await sql(`select actor_kind from audit_trail where resource_id = $1 and action = 'invoice.viewed'`, [invoice.id])).toEqual([{ actor_kind: 'public_link' }])
  })

  it('the PDF alone is no look at the page, and a business that is read-only is not written to', async () => {
    const invoice = await seller.open()
    await look(`${invoice.hosted_invoice_url}/pdf`)
    expect(ok(await seller.client.get(`/invoices/${invoice.id}`)).viewed_at).toBeNull()
    const other = await newSeller()
    const kept = await other.open()
    await sql(`update businesses set status = 'archived' where id = $1`, [other.business_id])
    expect((await look(kept.hosted_invoice_url)).status).toBe(200)
    expect(await sql('select viewed_at from invoices where id = $1', [kept.id])).toEqual([{ viewed_at: null }])
  })

  it('is limited per address', async () => {
    const { url, program } = await startService({ DAYBOOK_TRUST_PROXY: 'true' })
    const from = (address: string) => look(`${url}/pay/${randomToken('')}`, { headers: { 'x-forwarded-for': address } })
    const answers = await Promise.all(Array.from({ length: 70 }, () => from('203.0.113.9')))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(8)
    expect((await from('203.0.113.10')).status).toBe(404)
    await program.stop()
  })
})

describe('paying', () => {
  it('leads to the processor, and comes back', async () => {
    const invoice = await seller.open()
    const sent = await post(invoice.hosted_invoice_url)
    expect(sent.status).toBe(303)
    const checkout = sent.headers.get('location') ?? ''
    expect(checkout).toContain('/sandbox/checkout/')
    expect((await look(checkout)).status).toBe(200)
    const again = await post(invoice.hosted_invoice_url)
    expect(again.headers.get('location')).toBe(checkout)
    const paid = await post(checkout, { number: '4242424242424242', expiry: '12/34', cvc: '123' })
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `${invoice.hosted_invoice_url}?paid=10000`])
  })

  it('in parts only where that is allowed, in a sum as people write it', async () => {
    const whole = await seller.open()
    expect((await look(whole.hosted_invoice_url)).text).not.toContain('name="sum"')
    const refused = await post(whole.hosted_invoice_url, { sum: '12.50' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('is paid in one sum of 100.00 USD')
    const parts = await seller.open({ allow_partial_payments: true })
    expect((await look(parts.hosted_invoice_url)).text).toContain('name="sum"')
    const checkout = (await post(parts.hosted_invoice_url, { sum: '12,5' })).headers.get('location') ?? ''
    expect((await look(checkout)).text).toContain('12.50 USD')
    for (const sum of ['', 'much', '0', '-1', '1e3']) expect((await post(parts.hosted_invoice_url, { sum })).status).toBe(400)
    expect((await post(parts.hosted_invoice_url, { sum: '100.01' })).text).toContain('has a balance of 100.00 USD')
  })

  it('is not offered where it cannot be done', async () => {
    const by_hand = await seller.open({ collect_online: false })
    const page = await look(by_hand.hosted_invoice_url)
    expect(page.text).not.toContain('<form')
    expect(wordsOf(page)).toContain('cannot be paid online')
    expect((await post(by_hand.hosted_invoice_url)).status).toBe(400)
  })
})
