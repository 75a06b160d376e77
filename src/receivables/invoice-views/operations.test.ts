import { extractText } from 'unpdf'
import { beforeAll, expect, it } from 'vitest'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'

let seller: Seller
let both: string
beforeAll(async () => {
  seller = await newSeller()
  const agency = ok(await seller.client.post('/tax/agencies', { name: 'Revenue Office', country: 'US', registration_number: 'R-77', filing_frequency: 'quarterly' }))
  const rate = async (name: string, percent: string) => ok(await seller.client.post('/tax/rates', { name, agency_id: agency.id, versions: [{ percent, valid_from: '2026-01-01' }] })).id
  const components = [{ rate_id: await rate('State', '6.25') }, { rate_id: await rate('City', '2') }]
  const group = ok(await seller.client.post('/tax/groups', { name: 'Both', components }))
  both = ok(await seller.client.post('/tax/codes', { code: 'BOTH', name: 'Both', treatment: 'taxable', group_id: group.id })).id
})

async function paperOf(body: object): Promise<string> {
  const invoice = await seller.open({ invoice_date: '2026-03-01', due_date: '2026-03-31', ...body })
  const response = await fetch(invoice.pdf_url)
  return (await extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true })).text.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ')
}

it('tax stands by component, with what it was taken of; lines without it say nothing', async () => {
  const line_items = [
    { description: 'Desk', quantity: 3, unit_price: 12_500, tax_code_id: both }, { description: 'Chair', unit_price: 8333, tax_code_id: both }, { description: 'Advice', unit_price: 1000 },
  ]
  const paper = await paperOf({ line_items, tax_mode: 'exclusive' })
  for (const words of ['Subtotal 468.33', 'State 6.25% of 458.33 28.65', 'City 2% of 458.33 9.17', 'Total USD 506.15', '6.25% + 2%', 'Revenue Office R-77']) expect(paper).toContain(words)
})

it('prices that contain tax say so, and the sums still add up', async () => {
  const paper = await paperOf({ line_items: [{ description: 'Desk', unit_price: 10_825, tax_code_id: both }], tax_mode: 'inclusive' })
  for (const words of ['With tax (USD)', 'Without tax 100.00', 'State 6.25% of 100.00 6.25', 'City 2% of 100.00 2.00', 'Total USD 108.25']) expect(paper).toContain(words)
})

it('addresses are those of the day it was finalized', async () => {
  await seller.client.put(`/customers/${seller.customer_id}`, { billing_address: { line1: '1 Old Street', city: 'Bath', region: 'ME', postal_code: '04530', country: 'US' } })
  const invoice = await seller.open()
  await seller.client.put(`/customers/${seller.customer_id}`, { billing_address: { line1: '2 New Street' } })
  const draft = await seller.invoice()
  const textAt = async (url: string) => (await extractText(new Uint8Array(await (await fetch(url)).arrayBuffer()), { mergePages: true })).text
  expect(await textAt(invoice.pdf_url)).toContain('1 Old Street')
  expect(await textAt(ok(await seller.client.get(`/invoices/${draft.id}/pdf`)).pdf_url)).toContain('2 New Street')
})
