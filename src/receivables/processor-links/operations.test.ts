// Tests of replacing the link of an invoice.
import { beforeAll, expect, it } from 'vitest'
import { checkout, connect, newInvoice } from '../../../test/support/cards.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, sql, type Team } from '../../../test/support/people.ts'
import { ok } from '../../../test/support/sales.ts'

let team: Team
beforeAll(async () => {
  team = await newBusiness()
  await connect(team)
})

const rotate = (invoice_id: string) => team.client.put(`/processor/invoices/${invoice_id}/rotate-link`)

it('the old link dies, with the checkout that it opened; the new one stays', async () => {
  const invoice = await newInvoice(team)
  const before = ok(await team.client.get(`/invoices/${invoice.id}`))
  const opened = ok(await checkout(invoice.token))
  const after = ok(await rotate(invoice.id))
  expect(after.hosted_invoice_url).not.toBe(before.hosted_invoice_url)
  expect(ok(await team.client.get(`/invoices/${invoice.id}`))).toMatchObject({ hosted_invoice_url: after.hosted_invoice_url, pdf_url: after.pdf_url, version: before.version + 1 })
  const statuses = (url: string) => Promise.all([url, `${url}/pdf`].map(async (each) => (await fetch(each)).status))
  expect(await statuses(before.hosted_invoice_url)).toEqual([404, 404])
  expect(await statuses(after.hosted_invoice_url)).toEqual([200, 200])
  expect((await checkout(invoice.token)).status).toBe(404)
  expect((await checkout(after.hosted_invoice_url.split('/pay/')[1])).data.session_id).not.toBe(opened.session_id)
  await runJobs(team.business_id)
  expect(await (await fetch(opened.checkout_url)).text()).toContain('expired')
  expect(await eventsOf(invoice.id)).toContain('invoice.updated')
})

it('by many at once leaves one link', async () => {
  const invoice = await newInvoice(team)
  const answers = await Promise.all([1, 2, 3].map(() => rotate(invoice.id)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await sql('select generation from document_links where document_id = $1 and revoked_at is null', [invoice.id])).toEqual([{ generation: 4 }])
  const { hosted_invoice_url } = ok(await team.client.get(`/invoices/${invoice.id}`))
  expect((await fetch(hosted_invoice_url)).status).toBe(200)
})

it('is refused where there is no link, and to those who may not', async () => {
  const draft = ok(await team.client.post('/invoices', { customer_id: (await newInvoice(team)).customer_id, line_items: [{ description: 'Work', unit_price: 1 }] }))
  expect(await rotate(draft.id)).toMatchObject({ status: 400, detail: expect.stringMatching(/is draft: it has no link/) })
  const gone = await newInvoice(team)
  await team.client.put(`/invoices/${gone.id}/void`, {})
  expect(await rotate(gone.id)).toMatchObject({ status: 400, detail: expect.stringMatching(/is void/) })
  const bookkeeper = await newMember(team.business_id, 'bookkeeper')
  expect((await bookkeeper.client.put(`/processor/invoices/${gone.id}/rotate-link`)).status).toBe(403)
})
