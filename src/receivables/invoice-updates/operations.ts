// The update of an invoice: everything that changes, in one transaction.
import { noteTyped } from '../../access/numbering/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { requireRecords } from '../../foundation/records.ts'
import { customersByIds } from '../../directory/customers/operations.ts'
import { insertTemplate } from '../../directory/recurring-templates/operations.ts'
import { requireDates } from '../../directory/recurring-templates/rules.ts'
import { locationsByIds } from '../../inventory/locations/operations.ts'
import { lockContracts, moveContracts } from '../../projects/contracts/operations.ts'
import { requireBillable } from '../../projects/contracts/rules.ts'
import { projectsByIds } from '../../projects/projects/operations.ts'
import { openWorkshop } from '../invoice-drafts/operations.ts'
import type { InvoiceInput } from '../invoice-drafts/contract.ts'
import { repostInvoice } from '../invoice-postings/operations.ts'
import type { Invoice, InvoiceRow } from '../invoices/contract.ts'
import { invoicesByNumbers, lockInvoice, present, replaceLines, save, type Loaded } from '../invoices/operations.ts'
import { isFinalized, nameOf, numberKey, requireDueAfter } from '../invoices/rules.ts'
import { requireLineShapes } from '../sales-lines/rules.ts'
import type { InvoiceUpdate } from './contract.ts'
import { asInput, changesOf, differing, requireEditable } from './rules.ts'

export async function updateInvoice(tx: BusinessTx, invoice_id: string, body: InvoiceUpdate): Promise<Invoice> {
  requireLineShapes(body.line_items ?? [])
  if (body.recurring) requireDates(body.recurring, ['body', 'recurring'])
  const loaded = await lockInvoice(tx, invoice_id)
  const { invoice } = loaded
  if (body.id !== invoice_id) throw invalid(`The id of the body, ${body.id}, is not that of the path.`)
  if (body.line_items && invoice.status !== 'draft') throw invalid(`${nameOf(invoice)} is ${invoice.status.replace('_', ' ')}: only the lines of drafts can change.`)
  const changes = differing(invoice, changesOf(body))
  // Once the goods have left, where they come from no longer matters.
  if (invoice.delivered) delete changes.fulfillment_location_id
  requireEditable(invoice, changes, invoice.total_credited > 0)
  if (body.recurring) requireRepeatable(invoice)
  if (changes.number !== undefined) await requireFree(tx, invoice, changes.number ?? '')
  const changed = invoice.status === 'draft' ? await redraft(tx, loaded, body, changes) : await amend(tx, loaded, changes)
  const recurring_template_id = body.recurring ? repeat(tx, changed, body.recurring) : undefined
  if (!recurring_template_id && Object.keys(changes).length === 0 && !body.line_items) return present(tx, loaded)
  const event = isFinalized(invoice.status) && changes.invoice_date ? 'invoice.redated' : 'invoice.updated'
  const after = save(tx, { ...changed, invoice }, { ...changed.invoice, ...(recurring_template_id ? { recurring_template_id } : {}) }, event)
  return present(tx, after)
}

async function requireFree(tx: BusinessTx, invoice: InvoiceRow, number: string): Promise<void> {
  const used = (await invoicesByNumbers(tx, [numberKey(number)])).find(({ id }) => id !== invoice.id)
  if (used) throw invalid(`The invoice number ${number} is used already in this business: choose another.`)
  noteTyped(tx, 'invoice')
}

/** A draft is made anew from what it was and what is given, so that everything about it is checked and priced together. */
async function redraft(tx: BusinessTx, loaded: Loaded, body: InvoiceUpdate, changes: Partial<InvoiceRow>): Promise<Loaded> {
  const { invoice } = loaded
  if (Object.keys(changes).length === 0 && !body.line_items) return loaded
  const merged = { ...invoice, ...changes }
  const input: InvoiceInput = { ...merged, invoice_number: merged.number, line_items: body.line_items ?? loaded.lines.map(asInput), currency: invoice.currency as Currency }
  const { draft } = await openWorkshop(tx, [input])
  const made = draft(input, { origin: invoice.origin, instead_of: loaded })
  const { subtotal, discount_total, tax_total, total } = made.invoice
  replaceLines(tx, invoice.id, made.lines)
  return { ...loaded, names: made.names, lines: made.lines, invoice: { ...merged, subtotal, discount_total, tax_total, total } }
}

/** A finalized invoice: its entry follows its date and customer, and its contracts follow their link. */
async function amend(tx: BusinessTx, loaded: Loaded, changes: Partial<InvoiceRow>): Promise<Loaded> {
  const { invoice } = loaded
  const after: InvoiceRow = { ...invoice, ...changes }
  const names = { ...loaded.names, ...(await requireNamed(tx, invoice, changes)) }
  if (changes.invoice_date !== undefined || changes.due_date !== undefined) requireDueAfter(after.invoice_date, after.due_date)
  if (invoice.status !== 'void') await moveBetween(tx, invoice, after)
  const change = { ...(changes.invoice_date ? { date: changes.invoice_date } : {}), ...(changes.customer_id ? { customer_id: changes.customer_id } : {}) }
  const reposted = Object.keys(change).length > 0 ? await repostInvoice(tx, loaded, change) : loaded
  return { ...reposted, names, invoice: { ...after, receivable_line_id: reposted.invoice.receivable_line_id } }
}

/** Whatever the changes name must be there; the names that the answer shows follow. */
async function requireNamed(tx: BusinessTx, invoice: InvoiceRow, changes: Partial<InvoiceRow>) {
  const { customer_id, project_id, fulfillment_location_id, attachment_ids } = changes
  const [customers, projects, locations] = await Promise.all([
    customer_id ? customersByIds(tx, [customer_id]) : null,
    project_id ? projectsByIds(tx, [project_id]) : null,
    fulfillment_location_id ? locationsByIds(tx, [fulfillment_location_id]) : null,
  ])
  const customer = customers?.get(customer_id ?? '')
  const project = projects?.get(project_id ?? '')
  if (customer_id && !customer) throw notFound(`customer_id: customer ${customer_id}`)
  if (customer?.status === 'archived') throw invalid(`The customer ${customer.name} is archived: restore it, or choose another.`)
  if (project_id && !project) throw notFound(`project_id: project ${project_id}`)
  if (fulfillment_location_id && !locations?.has(fulfillment_location_id)) throw notFound(`fulfillment_location_id: location ${fulfillment_location_id}`)
  if (attachment_ids && attachment_ids.length > 0) await requireRecords(tx, 'document', attachment_ids.filter((id) => !invoice.attachment_ids.includes(id)))
  return {
    ...(customer ? { customer_name: customer.name, customer_email: customer.email } : {}),
    ...(project_id !== undefined ? { project_name: project?.name ?? null, project_code: project?.code ?? null } : {}),
  }
}

/** What is taken off the old contract is put on the new one. */
async function moveBetween(tx: BusinessTx, before: InvoiceRow, after: InvoiceRow): Promise<void> {
  if (before.contract_id === after.contract_id && before.customer_id === after.customer_id) return
  const contracts = await lockContracts(tx, [...new Set([before.contract_id, after.contract_id].flatMap((id) => id ?? []))])
  const [from, to] = [contracts.get(before.contract_id ?? ''), contracts.get(after.contract_id ?? '')]
  if (after.contract_id && !to) throw invalid(`There is no contract ${after.contract_id} in this business.`)
  if (to) requireBillable(to, { customer_id: after.customer_id, currency: after.currency as Currency })
  if (before.contract_id === after.contract_id) return
  const moved = { billed: before.total, paid: before.total_paid - before.total_credited, date: after.invoice_date ?? tx.today }
  moveContracts(tx, [
    ...(from ? [{ contract: from, billed: -moved.billed, paid: -moved.paid, date: moved.date }] : []),
    ...(to ? [{ contract: to, ...moved }] : []),
  ])
}

function requireRepeatable(invoice: InvoiceRow): void {
  if (invoice.status === 'void') throw invalid(`${nameOf(invoice)} is void: it cannot recur.`)
  if (invoice.recurring_template_id) throw invalid(`${nameOf(invoice)} has a recurring template already: change that one.`)
}

/** A template with the customer, lines, terms and project of the invoice, which itself is no occurrence of it. */
function repeat(tx: BusinessTx, { invoice, lines }: Loaded, config: NonNullable<InvoiceUpdate['recurring']>): string {
  const { customer_id, currency, tax_mode, description, customer_message, internal_note, purchase_order_number, payment_terms_id, fulfillment_location_id } = invoice
  const { project_id, contract_id, revenue_treatment, dimension_value_ids, collect_online, allow_partial_payments } = invoice
  const line_items = lines.map((line) => {
    const { id: _id, ...input } = asInput(line)
    return input
  })
  return insertTemplate(tx, {
    config,
    kind: 'invoice',
    template: {
      customer_id, currency, tax_mode, description, customer_message, internal_note, purchase_order_number, payment_terms_id, fulfillment_location_id,
      project_id, contract_id, revenue_treatment, dimension_value_ids, collect_online, allow_partial_payments, line_items,
    },
    prices: lines.map(({ unit_price }) => unit_price),
    currency: currency as Currency,
    amount: invoice.total,
    described: description,
    source_invoice_id: invoice.id,
  }).id
}
