// Mailing invoices, reminders and receipts. What is asked for is kept as a message, and a job writes the letter: it may be later, and a
// PDF is nothing to print while a request waits.
import { getSettings } from '../../access/business-settings/operations.ts'
import { toTimestamp } from '../../foundation/calendar.ts'
import { createActivity } from '../../directory/collection-activities/operations.ts'
import type { BusinessTx, Tx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { fileNameOf } from '../invoice-documents/operations.ts'
import { finalizeInvoices } from '../invoice-postings/operations.ts'
import type { InvoiceView } from '../invoice-views/contract.ts'
import { hostedUrl, viewInvoice } from '../invoice-views/operations.ts'
import { lockInvoice, lockInvoices, present, save, type Loaded } from '../invoices/operations.ts'
import type { InvoiceSending, InvoiceSent, MessageKind, MessageRow } from './contract.ts'
import { letterOf, requireRecipients, requireSendable, unsendable } from './rules.ts'
import * as store from './store.ts'

export const WRITE = 'invoice.write_message'
export const CONFIRM = 'invoice.confirm_message'

export async function sendInvoice(tx: BusinessTx, invoice_id: string, input: InvoiceSending): Promise<InvoiceSent> {
  const loaded = await lockInvoice(tx, invoice_id)
  const kind = input.kind ?? 'invoice'
  requireSendable(loaded.invoice, kind)
  const to = input.to?.length ? input.to : await addressesOf(tx, loaded.invoice.customer_id, kind)
  requireRecipients(to, loaded.names.customer_name)
  const wanted_at = input.send_at ? toTimestamp(new Date(input.send_at)) : tx.now
  const send_at = wanted_at > tx.now ? wanted_at : null
  const is_draft = loaded.invoice.status === 'draft'
  if (is_draft) tx.queue(store.cancelWaiting, { invoice_id })
  const after = !is_draft ? loaded : send_at ? save(tx, loaded, { send_at }, 'invoice.updated') : await finalized(tx, loaded)
  const message = messageOf(tx, invoice_id, { ...input, kind, to, send_at })
  keep(tx, [message])
  return { invoice: await present(tx, after), message_id: message.id, to: [...to] }
}

/** Mails invoices that were just finalized, each to whoever receives invoices of its customer; refuses where one has nobody. */
export async function sendInvoices(tx: BusinessTx, invoices: readonly Loaded[]): Promise<void> {
  const addresses = await addressesByCustomer(tx, invoices.map(({ invoice }) => invoice.customer_id), 'invoice')
  keep(tx, invoices.map(({ invoice, names }) => {
    requireSendable(invoice, 'invoice')
    const to = addresses.get(invoice.customer_id) ?? []
    requireRecipients(to, names.customer_name)
    return messageOf(tx, invoice.id, { kind: 'invoice', to, send_at: null })
  }))
}

async function finalized(tx: BusinessTx, loaded: Loaded): Promise<Loaded> {
  const [after] = await finalizeInvoices(tx, [{ loaded, input: {} }])
  return after as Loaded
}

/** What is to be written. `problem`: it came to nothing instead. */
export type Writing = { message: MessageRow; view: InvoiceView; url: string | null; reply_to: string | null }

/** First step of the job: the invoice as it is now, finalized where that had to wait. null where there is nothing to do any more. */
export async function prepareMessage(tx: BusinessTx, message_id: string): Promise<Writing | null> {
  const message = await tx.find(store.lockMessage, { id: message_id })
  if (message?.status !== 'waiting') return null
  const { status } = await tx.get(store.businessStatus, {}, 'Business')
  const loaded = (await lockInvoices(tx, [message.invoice_id])).get(message.invoice_id)
  if (!loaded) return null
  const reason = status === 'active' ? unsendable(loaded.invoice, message.kind) : 'The business is archived or about to be deleted.'
  if (reason !== null) return close(tx, message, 'canceled', reason)
  const ready = loaded.invoice.status === 'draft' ? await finalized(tx, loaded) : loaded
  const [view, settings] = await Promise.all([viewInvoice(tx, ready), getSettings(tx)])
  return { message, view, url: message.include_payment_link ? hostedUrl(tx, ready) : null, reply_to: settings.sales.reply_to ?? view.business.email }
}

/** Last step: the letter goes out with the commit. False where the invoice has changed since it was printed. */
export async function mailMessage(tx: BusinessTx, { message: { id }, view, url, reply_to }: Writing, pdf: Buffer | null): Promise<boolean> {
  const message = await tx.find(store.lockMessage, { id })
  if (message?.status !== 'waiting') return true
  const loaded = (await lockInvoices(tx, [message.invoice_id])).get(message.invoice_id)
  if (loaded?.invoice.updated_at !== view.updated_at) return false
  const mail_id = sendMail(tx, {
    to: message.recipients, cc: message.cc, bcc: message.bcc, reply_to, sender_name: view.business.name, business_id: tx.business_id,
    ...letterOf(view, { ...message, url }),
    attachments: pdf ? [{ file_name: fileNameOf(view), content_type: 'application/pdf', content: pdf }] : [],
    on_sent: { task: CONFIRM, payload: { business_id: tx.business_id, message_id: message.id } },
  })
  tx.queue(store.updateMessage, { ...message, status: 'mailed', mail_id })
  return true
}

/** A mail server has taken it: from now on the invoice is a sent one, and a reminder is something that was done to be paid. */
export async function confirmMessage(tx: BusinessTx, message_id: string): Promise<void> {
  const message = await tx.find(store.lockMessage, { id: message_id })
  if (message?.status !== 'mailed') return
  const mail = await tx.find(store.mailSentAt, { mail_id: message.mail_id })
  const sent_at = mail?.sent_at ?? tx.now
  tx.queue(store.updateMessage, { ...message, status: 'sent', sent_at })
  const loaded = (await lockInvoices(tx, [message.invoice_id])).get(message.invoice_id)
  if (!loaded) return
  if (message.kind === 'invoice') save(tx, loaded, { sent_at, send_at: null }, 'invoice.sent')
  if (message.kind === 'reminder') {
    const note = `Reminder of invoice ${loaded.invoice.number} mailed to ${message.recipients.join(', ')}.`
    await createActivity(tx, loaded.invoice.customer_id, { kind: 'email', invoice_ids: [message.invoice_id], note }, null)
  }
}

/** It cannot be done; a draft does not wait any longer, so that somebody sees it among the drafts. */
export async function failMessage(tx: BusinessTx, message_id: string, problem: string): Promise<void> {
  const message = await tx.find(store.lockMessage, { id: message_id })
  if (message?.status !== 'waiting') return
  close(tx, message, 'failed', problem)
  const loaded = (await lockInvoices(tx, [message.invoice_id])).get(message.invoice_id)
  if (loaded?.invoice.status === 'draft' && loaded.invoice.send_at !== null) save(tx, loaded, { send_at: null }, 'invoice.updated')
}

/** Drafts whose time has come: a message for each. */
export async function sendDueDrafts(tx: BusinessTx): Promise<number> {
  const due = await tx.many(store.toSend)
  if (due.length === 0) return 0
  const drafts = [...(await lockInvoices(tx, due.map(({ id }) => id))).values()].filter(({ invoice }) => invoice.status === 'draft' && invoice.send_at !== null && invoice.send_at <= tx.now)
  const addresses = await addressesByCustomer(tx, drafts.map(({ invoice }) => invoice.customer_id), 'invoice')
  const messages = drafts.map(({ invoice }) => messageOf(tx, invoice.id, { kind: 'invoice', to: addresses.get(invoice.customer_id) ?? [], send_at: invoice.send_at }))
  const [written, lost] = [messages.filter(({ recipients }) => recipients.length > 0), messages.filter(({ recipients }) => recipients.length === 0)]
  keep(tx, written)
  insert(tx, lost.map((message) => ({ ...message, status: 'failed' as const, problem: 'The customer has no e-mail address.' })))
  const without = new Set(lost.map(({ invoice_id }) => invoice_id))
  for (const loaded of drafts.filter(({ invoice }) => without.has(invoice.id))) save(tx, loaded, { send_at: null }, 'invoice.updated')
  return drafts.length
}

/** How long after its day a reminder still makes sense: a worker may have been away. */
const GRACE_DAYS = 7

/** Customers to remind today, by the days of the settings: each day once, whoever asks. */
export async function remindCustomers(tx: BusinessTx): Promise<number> {
  const { sales: { reminder_days: offsets } } = await getSettings(tx)
  if (offsets.length === 0) return 0
  const due = await tx.many(store.toRemind, { offsets, earliest: Math.min(...offsets), latest: Math.max(...offsets), grace_days: GRACE_DAYS })
  const addresses = await addressesByCustomer(tx, due.map(({ customer_id }) => customer_id), 'reminder')
  const messages = due.flatMap(({ invoice_id, customer_id, offset_days }) => {
    const to = addresses.get(customer_id) ?? []
    return to.length > 0 ? [{ ...messageOf(tx, invoice_id, { kind: 'reminder', to, send_at: null }), offset_days }] : []
  })
  if (messages.length === 0) return 0
  // Of two workers at once the second finds the rows of the first.
  const made = await tx.many(store.insertMessages, { rows: JSON.stringify(messages) })
  for (const { id } of made) enqueue(tx, id, null)
  return made.length
}

export async function businessesToSend(tx: Tx): Promise<string[]> {
  return (await tx.many(store.businessesToSend)).map(({ business_id }) => business_id)
}

export async function businessesToRemind(tx: Tx): Promise<string[]> {
  return (await tx.many(store.businessesToRemind)).map(({ business_id }) => business_id)
}

/** Whether this is a reason that will not go away by trying again. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal && error.status < 500

type Wish = Omit<InvoiceSending, 'to' | 'kind' | 'send_at'> & { kind: MessageKind; to: readonly string[]; send_at: string | null }

function messageOf(tx: BusinessTx, invoice_id: string, { kind, to, cc, bcc, subject, message, attach_pdf, include_payment_link, send_at }: Wish): MessageRow {
  return {
    business_id: tx.business_id, id: newId(), invoice_id, kind, status: 'waiting', offset_days: null, recipients: [...to], cc: cc ?? [], bcc: bcc ?? [], subject: subject ?? null,
    message: message ?? null, attach_pdf: attach_pdf ?? true, include_payment_link: include_payment_link ?? true, send_at, mail_id: null, sent_at: null, problem: null,
    created_by: tx.actor.user_id, created_at: tx.now,
  }
}

function keep(tx: BusinessTx, messages: readonly MessageRow[]): void {
  insert(tx, messages)
  for (const { id, send_at } of messages) enqueue(tx, id, send_at)
}

function insert(tx: BusinessTx, messages: readonly MessageRow[]): void {
  if (messages.length > 0) tx.queue(store.insertMessages, { rows: JSON.stringify(messages) })
}

function enqueue(tx: BusinessTx, message_id: string, run_at: string | null): void {
  tx.enqueue(WRITE, { business_id: tx.business_id, message_id }, run_at === null ? {} : { run_at })
}

function close(tx: BusinessTx, message: MessageRow, status: 'canceled' | 'failed', problem: string): null {
  tx.queue(store.updateMessage, { ...message, status, problem })
  return null
}

async function addressesOf(tx: BusinessTx, customer_id: string, kind: MessageKind): Promise<string[]> {
  return (await addressesByCustomer(tx, [customer_id], kind)).get(customer_id) ?? []
}

async function addressesByCustomer(tx: BusinessTx, customer_ids: readonly string[], kind: MessageKind): Promise<Map<string, string[]>> {
  if (customer_ids.length === 0) return new Map()
  const found = await tx.many(store.addressesOf, { customer_ids: [...new Set(customer_ids)], kind: kind === 'reminder' ? 'reminders' : 'invoices' })
  return new Map(found.map(({ customer_id, addresses }) => [customer_id, addresses]))
}
