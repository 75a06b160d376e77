import { extractText } from 'unpdf'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventsOf } from '../../../test/support/events.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, newMember, sql } from '../../../test/support/people.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'
import { service } from '../../../test/support/service.ts'
import { newId } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { findInvoicesToRemind, findInvoicesToSend, remindOfInvoices } from './jobs.ts'

let seller: Seller
beforeAll(async () => {
  seller = await newSeller()
  await seller.client.put(`/businesses/${seller.business_id}`, { legal_name: 'Harbor Coffee', email: 'billing@harbor.example' })
})
afterEach(async () => (await service()).clock.set(null))

const context = async () => ({ database: (await service()).program.database, log: openLog('silent'), mailer: null, job_id: 'test' })

/** Runs what waits: writes letters, hands them to the sandbox, notes that they left. */
const deliver = (business_id = seller.business_id) => runJobs(business_id)
const mails = (text: string, business_id = seller.business_id) => sql(
  `select m.*, (select array_agg(file_name) from mail_attachments a where a.mail_id = m.id) as files from mails m where business_id = $1 and (subject like $2 or text_body like $2) order by created_at, id`,
  [business_id, `%${text}%`])
const get = async (id: string) => ok(await seller.client.get(`/invoices/${id}`))
const send = (id: string, body: object = {}) => seller.client.post(`/invoices/${id}/send`, body)

describe('sending', () => {
  it('an open invoice: a letter in both forms, with its PDF and its link', async () => {
    const invoice = await seller.open({ invoice_date: '2026-03-01', due_date: '2099-03-31' })
    const sent = await send(invoice.id)
    expect(sent).toMatchObject({ status: 201, data: { to: ['acme@example.com'], invoice: { id: invoice.id, sent_at: null } } })
    await deliver()
    const [mail, ...more] = await mails(invoice.number)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      recipient: 'acme@example.com', subject: `Invoice ${invoice.number} from Harbor Coffee`, sender_name: 'Harbor Coffee', reply_to: 'billing@harbor.example', files: [`Invoice-${invoice.number}.pdf`],
    })
    for (const body of [mail.text_body, mail.html_body]) for (const words of ['Hello Acme Widgets,', invoice.number, 'March 31, 2099', invoice.hosted_invoice_url]) expect(body).toContain(words)
    expect(mail.text_body).toContain('Amount due: USD 100.00')
    const [{ content }] = await sql('select content from mail_attachments where mail_id = $1', [mail.id])
    expect((await extractText(new Uint8Array(content), { mergePages: true })).text).toContain(invoice.number)
    const after = await get(invoice.id)
    expect(after.sent_at).toBe(mail.sent_at.toISOString())
    expect(await eventsOf(invoice.id)).toContain('invoice.sent')
    expect(await sql('select status, sent_at from invoice_messages where id = $1', [sent.data.message_id])).toEqual([{ status: 'sent', sent_at: mail.sent_at }])
  })

  it('as asked: to whom, in which words, without PDF and link', async () => {
    const invoice = await seller.open()
    const sent = await send(invoice.id, {
      to: ['one@example.com', 'two@example.com'], cc: ['three@example.com'], bcc: ['four@example.com'], subject: `Mine ${invoice.number}`, message: 'First <line>\nsecond', attach_pdf: false, include_payment_link: false,
    })
    expect(sent.data.to).toEqual(['one@example.com', 'two@example.com'])
    await deliver()
    const [mail] = await mails(`Mine ${invoice.number}`)
    expect(mail).toMatchObject({ recipient: 'one@example.com', also_to: ['two@example.com'], cc: ['three@example.com'], bcc: ['four@example.com'], files: null })
    expect(mail.text_body).toContain('First <line>\nsecond')
    expect(mail.html_body).toContain('First &lt;line&gt;\nsecond')
    expect(mail.text_body + mail.html_body).not.toContain('/pay/')
  })

  it('to the contacts that receive invoices, and answers go where the settings say', async () => {
    const own = await newSeller()
    const contact = (email: string, receives: string[]) => own.client.post(`/customers/${own.customer_id}/contacts`, { name: email, email, receives })
    await contact('books@acme.example', ['invoices'])
    await contact('late@acme.example', ['reminders'])
    await own.client.patch(`/businesses/${own.business_id}/settings`, { sales: { reply_to: 'answers@harbor.example' } })
    const invoice = await own.open({ invoice_date: '2026-01-01', due_date: '2026-01-31' })
    expect((await own.client.post(`/invoices/${invoice.id}/send`, {})).data.to).toEqual(['books@acme.example'])
    expect((await own.client.post(`/invoices/${invoice.id}/send`, { kind: 'reminder' })).data.to).toEqual(['late@acme.example'])
    await deliver(own.business_id)
    expect((await mails(invoice.number, own.business_id)).map(({ recipient, reply_to }) => [recipient, reply_to]).toSorted()).toEqual([
      ['books@acme.example', 'answers@harbor.example'], ['late@acme.example', 'answers@harbor.example'],
    ])
  })

  it('a draft finalizes it first, both or neither', async () => {
    const draft = await seller.invoice()
    const sent = await send(draft.id)
    expect(sent.data.invoice).toMatchObject({ id: draft.id, status: 'open', number: expect.any(String) })
    const empty = await seller.invoice({ line_items: [] })
    const refused = await send(empty.id)
    expect(refused.status).toBe(400)
    expect(await get(empty.id)).toMatchObject({ status: 'draft', number: null })
    const nobody = ok(await seller.client.post('/customers', { name: 'Nobody' }))
    const quiet = await seller.invoice({ customer_id: nobody.id })
    const unheard = await send(quiet.id)
    expect([unheard.status, unheard.detail]).toEqual([400, 'Nobody has no e-mail address: give one in `to`, or add it to the customer.'])
    expect(await get(quiet.id)).toMatchObject({ status: 'draft' })
    expect(await sql('select from invoice_messages where invoice_id = any($1)', [[empty.id, quiet.id]])).toEqual([])
  })

  it('a reminder and a receipt', async () => {
    const invoice = await seller.open({ invoice_date: '2026-01-05', due_date: '2026-01-20' })
    ok(await send(invoice.id, { kind: 'reminder' }))
    await deliver()
    const [reminder] = await mails(`Reminder: invoice ${invoice.number}`)
    expect(reminder.subject).toBe(`Reminder: invoice ${invoice.number} was due on January 20, 2026`)
    expect(await get(invoice.id)).toMatchObject({ sent_at: null })
    const activities = ok(await seller.client.get(`/customers/${seller.customer_id}/collection-activities`)).items
    expect(activities).toContainEqual(expect.objectContaining({ kind: 'email', invoice_ids: [invoice.id], note: `Reminder of invoice ${invoice.number} mailed to acme@example.com.`, author_name: 'Daybook' }))
    const early = await send(invoice.id, { kind: 'receipt' })
    expect([early.status, early.detail]).toEqual([400, `Invoice ${invoice.number} has no payment yet: there is nothing to give a receipt for.`])
    ok(await seller.client.put(`/invoices/${invoice.id}/paid`, { paid_on: '2026-02-01' }))
    ok(await send(invoice.id, { kind: 'receipt' }))
    await deliver()
    const [receipt] = await mails(`Receipt for invoice ${invoice.number}`)
    expect(receipt.text_body).toContain('Thank you for your payment.')
    expect(receipt.text_body).toContain('Amount due: USD 0.00')
    const late = await send(invoice.id, { kind: 'reminder' })
    expect([late.status, late.detail]).toEqual([400, `Invoice ${invoice.number} is paid: there is nothing to remind of.`])
  })

  it.each([
    ['a void one', async (id: string) => ok(await seller.client.put(`/invoices/${id}/void`, {})), {}, /is void: a void invoice is not mailed/],
    ['a reminder of one that is written off', async (id: string) => ok(await seller.client.put(`/invoices/${id}/uncollectible`, {})), { kind: 'reminder' }, /is written off/],
  ])('refuses %s', async (_what, change, body, words) => {
    const invoice = await seller.open()
    await change(invoice.id)
    expect(await send(invoice.id, body)).toMatchObject({ status: 400, detail: expect.stringMatching(words) })
  })

  it('refuses a reminder of a draft, and what has not its shape', async () => {
    const draft = await seller.invoice()
    expect(await send(draft.id, { kind: 'reminder' })).toMatchObject({ status: 400, detail: expect.stringMatching(/is a draft/) })
    for (const [body, type] of [[{ kind: 'letter' }, 'enum'], [{ to: ['nobody'] }, 'value_error'], [{ send_at: 'tomorrow' }, 'datetime_parsing']] as const) {
      const { status, detail } = await send(draft.id, body)
      expect([status, detail[0].type]).toEqual([422, type])
    }
    const viewer = await newMember(seller.business_id, 'viewer')
    expect((await viewer.client.post(`/invoices/${draft.id}/send`, {})).status).toBe(403)
    expect((await (await newBusiness()).client.post(`/invoices/${draft.id}/send`, {})).status).toBe(404)
    expect((await send(newId())).status).toBe(404)
  })

  it('a dry run mails nothing and leaves the draft a draft', async () => {
    const draft = await seller.invoice()
    const answer = await seller.client.call('POST', `/invoices/${draft.id}/send`, { body: {}, query: { dry_run: true } })
    expect(answer.data.invoice.status).toBe('open')
    expect(await get(draft.id)).toMatchObject({ status: 'draft' })
    await deliver()
    expect(await sql('select from invoice_messages where invoice_id = $1', [draft.id])).toEqual([])
  })

  it('a reminder that waits when the customer pays is not sent', async () => {
    const invoice = await seller.open()
    const { data } = await send(invoice.id, { kind: 'reminder' })
    ok(await seller.client.put(`/invoices/${invoice.id}/paid`, {}))
    await deliver()
    expect(await mails(`Reminder: invoice ${invoice.number}`)).toEqual([])
    expect(await sql('select status, problem from invoice_messages where id = $1', [data.message_id])).toEqual([{ status: 'canceled', problem: `Invoice ${invoice.number} is paid: there is nothing to remind of.` }])
  })

  it('a job that runs twice writes once', async () => {
    const invoice = await seller.open()
    const { data } = await send(invoice.id)
    const waiting = await sql(`select payload from graphile_worker._private_jobs where payload->>'message_id' = $1`, [data.message_id])
    expect(waiting).toHaveLength(1)
    await deliver()
    const { writeMessage, confirmMessageJob } = await import('./jobs.ts')
    for (const again of [writeMessage, confirmMessageJob]) await again.run(await context(), { business_id: seller.business_id, message_id: data.message_id } as never)
    expect(await mails(invoice.number)).toHaveLength(1)
    expect((await eventsOf(invoice.id)).filter((type) => type === 'invoice.sent')).toHaveLength(1)
  })
})

describe('later', () => {
  it('a draft stays one until its time, then is finalized and mailed', async () => {
    const { clock } = await service()
    clock.set('2026-05-01T10:00:00Z')
    await sql(`update sessions set last_seen_at = '2026-05-01', expires_at = '2099-01-01' where user_id = $1`, [seller.owner.user_id])
    const draft = await seller.invoice()
    const sent = await send(draft.id, { send_at: '2026-05-03T08:00:00Z', subject: `Later ${draft.id}` })
    expect(sent.data.invoice).toMatchObject({ status: 'draft', send_at: '2026-05-03T08:00:00.000Z' })
    const [{ run_at }] = await sql(`select run_at from graphile_worker._private_jobs where payload->>'message_id' = $1`, [sent.data.message_id])
    expect(run_at.toISOString()).toBe('2026-05-03T08:00:00.000Z')
    expect(ok(await seller.client.get('/invoices/scheduled')).items).toContainEqual(expect.objectContaining({ source_id: draft.id, scheduled_date: '2026-05-03' }))
    clock.set('2026-05-03T08:00:01Z')
    await deliver()
    expect(await mails(`Later ${draft.id}`)).toHaveLength(1)
    expect(await get(draft.id)).toMatchObject({ status: 'open', invoice_date: '2026-05-03', sent_at: '2026-05-03T08:00:01.000Z', send_at: null })
    await sql('update sessions set last_seen_at = now() where user_id = $1', [seller.owner.user_id])
  })

  it('sent otherwise meanwhile, the later one is off', async () => {
    const draft = await seller.invoice()
    const later = await send(draft.id, { send_at: '2099-01-01T00:00:00Z' })
    const now = await send(draft.id)
    expect(now.data.invoice.status).toBe('open')
    await deliver()
    expect(await sql('select id, status from invoice_messages where invoice_id = $1 order by created_at, id', [draft.id])).toEqual([{ id: later.data.message_id, status: 'canceled' }, { id: now.data.message_id, status: 'sent' }])
    expect(await mails(now.data.invoice.number)).toHaveLength(1)
  })

  it('a draft that was deleted is nothing to send', async () => {
    const draft = await seller.invoice()
    await send(draft.id, { send_at: '2099-01-01T00:00:00Z' })
    ok(await seller.client.delete(`/invoices/${draft.id}`))
    await deliver()
    expect(await sql('select from invoice_messages where invoice_id = $1', [draft.id])).toEqual([])
  })

  it('the clock sends drafts that were created with a time, each once, and tells what it cannot send', async () => {
    const good = await seller.invoice({ send_at: '2026-01-02T00:00:00Z', description: 'due' })
    const empty = await seller.invoice({ send_at: '2026-01-02T00:00:00Z', line_items: [] })
    const nobody = ok(await seller.client.post('/customers', { name: 'Silent' }))
    const quiet = await seller.invoice({ send_at: '2026-01-02T00:00:00Z', customer_id: nobody.id })
    const coming = await seller.invoice({ send_at: '2099-01-02T00:00:00Z' })
    for (let turn = 0; turn < 2; turn++) {
      await findInvoicesToSend.run(await context(), {} as never)
      await deliver()
    }
    const sent = await get(good.id)
    expect(sent).toMatchObject({ status: 'open', sent_at: expect.any(String), send_at: null })
    expect(await mails(sent.number)).toHaveLength(1)
    for (const [{ id }, problem] of [[empty, expect.stringMatching(/line/)], [quiet, 'The customer has no e-mail address.']] as const) {
      expect(await get(id)).toMatchObject({ status: 'draft', send_at: null })
      expect(await sql('select status, problem from invoice_messages where invoice_id = $1', [id])).toEqual([{ status: 'failed', problem }])
    }
    expect(await get(coming.id)).toMatchObject({ status: 'draft', send_at: '2099-01-02T00:00:00.000Z' })
  })
})

describe('reminders by the clock', () => {
  it('come on their days, once each, and not to those who paid, are disputed, paused or written off', async () => {
    const { clock } = await service()
    const own = await newSeller()
    await own.client.patch(`/businesses/${own.business_id}/settings`, { sales: { reminder_days: [-3, 1, 14] } })
    const dated = (more: object = {}) => own.open({ invoice_date: '2026-01-01', due_date: '2026-01-31', ...more })
    const plain = await dated()
    const paused = await dated({ reminders_paused: true })
    const paid = await dated()
    ok(await own.client.put(`/invoices/${paid.id}/paid`, { paid_on: '2026-01-10' }))
    const lost = await dated()
    ok(await own.client.put(`/invoices/${lost.id}/uncollectible`, { uncollectible_on: '2026-01-10' }))
    const disputed = await dated()
    await sql('update invoices set disputed = true where id = $1', [disputed.id])
    const calm = ok(await own.client.post('/customers', { name: 'Calm', email: 'calm@example.com', reminders_paused: true }))
    const quiet = await dated({ customer_id: calm.id })
    const mute = ok(await own.client.post('/customers', { name: 'Mute' }))
    await dated({ customer_id: mute.id })

    const at = async (now: string) => {
      clock.set(now)
      await findInvoicesToRemind.run(await context(), {} as never)
      await deliver(own.business_id)
      return (await sql('select invoice_id, offset_days, status from invoice_messages where business_id = $1 order by offset_days', [own.business_id])).map(({ invoice_id, offset_days, status }) => `${invoice_id} ${offset_days} ${status}`)
    }
    expect(await at('2026-01-27T20:00:00Z')).toEqual([])
    // Seven in the morning there.
    expect(await at('2026-01-28T12:00:00Z')).toEqual([])
    expect(await at('2026-01-28T13:00:00Z')).toEqual([`${plain.id} -3 sent`])
    expect(await at('2026-01-28T14:00:00Z')).toEqual([`${plain.id} -3 sent`])
    expect(await at('2026-01-31T20:00:00Z')).toEqual([`${plain.id} -3 sent`])
    expect(await at('2026-02-01T20:00:00Z')).toEqual([`${plain.id} -3 sent`, `${plain.id} 1 sent`])
    expect((await mails(plain.number, own.business_id)).map(({ subject }) => subject)).toEqual([
      `Reminder: invoice ${plain.number} is due on January 31, 2026`, `Reminder: invoice ${plain.number} was due on January 31, 2026`,
    ])
    for (const { number } of [paused, paid, lost, disputed, quiet]) expect(await mails(number, own.business_id)).toEqual([])
    // Two workers at once, after days without one.
    clock.set('2026-02-18T20:00:00Z')
    await Promise.all([1, 2, 3].map(async () => remindOfInvoices.run(await context(), { business_id: own.business_id } as never)))
    await deliver(own.business_id)
    expect(await mails(plain.number, own.business_id)).toHaveLength(3)
  })

  it('of several days that have passed only the latest counts, and those long gone are let go', async () => {
    const { clock } = await service()
    const own = await newSeller()
    await own.client.patch(`/businesses/${own.business_id}/settings`, { sales: { reminder_days: [1, 3, 30] } })
    const fresh = await own.open({ invoice_date: '2026-01-01', due_date: '2026-02-10' })
    const old = await own.open({ invoice_date: '2026-01-01', due_date: '2026-01-02' })
    clock.set('2026-02-15T20:00:00Z')
    await remindOfInvoices.run(await context(), { business_id: own.business_id } as never)
    await deliver(own.business_id)
    expect(await sql('select invoice_id, offset_days from invoice_messages where business_id = $1', [own.business_id])).toEqual([{ invoice_id: fresh.id, offset_days: 3 }])
    expect(await mails(old.number, own.business_id)).toEqual([])
  })

  it('nothing happens where no days are set', async () => {
    const own = await newSeller()
    await own.open({ invoice_date: '2026-01-01', due_date: '2026-01-02' })
    await findInvoicesToRemind.run(await context(), {} as never)
    await remindOfInvoices.run(await context(), { business_id: own.business_id } as never)
    expect(await sql('select from invoice_messages where business_id = $1', [own.business_id])).toEqual([])
  })
})
