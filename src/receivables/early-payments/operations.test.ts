import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectSound, newTaxCode } from '../../../test/support/credits.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'

let seller: Seller
let terms: string
const at = async (time: string | null) => (await service()).clock.set(time)
beforeAll(() => at('2026-03-15T15:00:00Z'))
afterAll(() => at(null))
beforeEach(async () => {
  seller = await newSeller()
  terms = ok(await seller.client.get('/payment-terms')).items.find(({ name }: { name: string }) => name === '2% 10 Net 30').id
})

const pay = (id: string, body: object) => seller.client.post(`/invoices/${id}/payments`, { take_discount: true, ...body })

it('pays the rest less the discount, which a credit note settles with its tax', async () => {
  const tax_code_id = await newTaxCode(seller, '8.25')
  const invoice = await seller.open({ payment_terms_id: terms, line_items: [{ description: 'Widgets', quantity: 3, unit_price: 12_500, tax_code_id }] })
  expect(invoice.total).toBe(40_594)
  const payment = ok(await pay(invoice.id, { paid_on: '2026-03-25' }))
  expect(payment).toMatchObject({ amount: 39_782, kind: 'manual' })
  const paid = ok(await seller.client.get(`/invoices/${invoice.id}`))
  expect(paid).toMatchObject({ status: 'manual_paid', balance_due: 0, total_credited: 812, credits_applied: [{ amount: 812, number: 'CM-0001', applied_on: '2026-03-25' }] })
  const { items: [note] } = ok(await seller.client.get('/credit-memos', { invoice_id: invoice.id }))
  expect(note).toMatchObject({ reason: 'early_payment', status: 'closed', total: 812, tax_total: 62, credit_date: '2026-03-25' })
  expect(await seller.balances('accounts_receivable', 'undeposited_funds', 'sales', 'sales_tax_payable')).toEqual([0, 39_782, -36_750, -3_032])
  await expectSound(seller)
})

it('is for those who pay the whole rest in time', async () => {
  const invoice = await seller.open({ payment_terms_id: terms })
  expect((await pay(invoice.id, { paid_on: '2026-03-26' })).detail).toBe('The discount on Invoice INV-0001 was for payment until 2026-03-25, not on 2026-03-26: leave take_discount out.')
  expect((await pay(invoice.id, { amount: 9_000 })).detail).toMatch(/pay 98.00 USD, not 90.00 USD/)
  const plain = await seller.open()
  expect((await pay(plain.id, {})).detail).toMatch(/has no discount for early payment/)
  const draft = await seller.invoice({ payment_terms_id: terms })
  expect((await pay(draft.id, {})).status).toBe(400)
  expect(ok(await seller.client.get(`/invoices/${invoice.id}`))).toMatchObject({ status: 'open', total_paid: 0 })
  const raced = await Promise.all([1, 2].map(() => pay(invoice.id, {})))
  expect(raced.map(({ status }) => status).toSorted()).toEqual([201, 400])
  ok(await seller.client.post(`/invoices/${plain.id}/payments`, { take_discount: false, amount: 9_900 }))
  await expectSound(seller)
})

it('takes the discount of the total off a rest', async () => {
  const invoice = await seller.open({ payment_terms_id: terms })
  ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 4_000 }))
  expect(ok(await pay(invoice.id, {})).amount).toBe(5_800)
  expect(ok(await seller.client.get(`/invoices/${invoice.id}`)).status).toBe('manual_paid')
  const small = await seller.open({ payment_terms_id: terms })
  ok(await seller.client.post(`/invoices/${small.id}/payments`, { amount: 9_850 }))
  expect((await pay(small.id, {})).detail).toMatch(/no more than the discount of 2.00 USD/)
})
