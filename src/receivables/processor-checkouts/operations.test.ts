// Tests of paying an invoice by its link.
import { beforeAll, describe, expect, it } from 'vitest'
import { checkout, connect, newInvoice, pay } from '../../../test/support/cards.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
  await connect(team)
})

describe('a checkout', () => {
  it('is used again for the same amount, and takes the place of one for another', async () => {
    const invoice = await newInvoice(team, 10_000, { allow_partial_payments: true })
    const first = await checkout(invoice.token)
    expect(first).toMatchObject({ status: 201, data: { amount: 10_000, currency: 'USD', session_id: expect.stringMatching(/^cs_/) } })
    expect((await checkout(invoice.token)).data).toEqual(first.data)
    const part = (await checkout(invoice.token, 4_000)).data
    expect(part.session_id).not.toBe(first.data.session_id)
    await runJobs(team.business_id)
    expect((await (await fetch(first.data.checkout_url)).text())).toContain('expired')
    expect(await sql(`select status, amount::int from processor_checkouts where invoice_id = $1 order by created_at`, [invoice.id])).toEqual([{ status: 'expired', amount: 10_000 }, { status: 'open', amount: 4_000 }])
  })

  it('asked for by many at once leaves one open', async () => {
    const invoice = await newInvoice(team)
    const answers = await Promise.all([1, 2, 3, 4].map(() => checkout(invoice.token)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await sql(`select from processor_checkouts where invoice_id = $1 and status = 'open'`, [invoice.id])).toHaveLength(1)
  })

  it('shows the invoice and leads back to its page', async () => {
    const invoice = await newInvoice(team)
    const { data } = await checkout(invoice.token)
    expect(await sql('select reference, description, customer_email, success_url, cancel_url from sandbox_checkouts where id = $1', [data.session_id])).toEqual([{
      reference: invoice.id, description: expect.stringMatching(/^Invoice INV-/), customer_email: 'customer@example.com',
      success_url: expect.stringContaining(`/pay/${invoice.token}?paid=100000`), cancel_url: expect.stringContaining(`/pay/${invoice.token}`),
    }])
  })

  it.each([
    ['more than is due', {}, 10_001, /balance of 100.00 USD/],
    ['a part where all is wanted', {}, 9_999, /one sum/],
    ['an invoice that is not paid online', { collect_online: false }, undefined, /cannot be paid online/],
  ])('refuses %s', async (_, more, amount, detail) => {
    const invoice = await newInvoice(team, 10_000, more)
    expect(await checkout(invoice.token, amount)).toMatchObject({ status: 400, detail: expect.stringMatching(detail) })
  })

  it('refuses an invoice that is paid, of a business that is not connected, and any unknown link', async () => {
    const invoice = await newInvoice(team)
    await pay(team, invoice.token)
    expect((await checkout(invoice.token)).detail).toMatch(/is paid/)
    const other = await newBusiness()
    expect((await checkout((await newInvoice(other)).token)).detail).toMatch(/cannot be paid online/)
    expect((await checkout('nothing')).status).toBe(404)
    const voided = await newInvoice(team)
    await team.client.put(`/invoices/${voided.id}/void`, {})
    expect((await checkout(voided.token)).status).toBe(404)
  })
})
