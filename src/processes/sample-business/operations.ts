// Makes a sample: a business of its own with three months of posted books, through the same doors that everybody uses.
import { createSample, type Founder } from '../../access/businesses/operations.ts'
import { updateSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { bulkCustomers } from '../../directory/customers/operations.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import type { Industry } from '../../ledger/charts/rules.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import { postEntries } from '../../ledger/posting/operations.ts'
import { importInvoices } from '../../receivables/invoice-intake/operations.ts'
import type { SampleFigures } from './contract.ts'
import { planSample, type SampleBill, type SamplePlan } from './rules.ts'
import * as store from './store.ts'

type Ledgers = (number: string) => string

/** A new sample of the caller's, with what its books come to. The same seed on the same day makes the same books. */
export async function makeSample(tx: BusinessTx, { seed, industry }: { seed: number; industry: Industry }, founders: readonly Founder[]): Promise<{ id: string; figures: SampleFigures }> {
  const { timezone } = tx.business
  const plan = planSample(seed, tx.today, industry)
  // In one currency and with its first month in the plan, wherever the business is.
  const input = { name: plan.name, industry, timezone, base_currency: 'USD' as const, country: 'US', fiscal_year_start_month: 1, books_start_date: plan.start_date }
  const { id, filled } = await createSample(tx, input, founders, (inside) => fill(inside, plan))
  return { id, figures: filled }
}

/** What the books of a sample come to now, whatever its owner has done in it since. */
export function figuresOfSample(tx: BusinessTx, sample_business_id: string): Promise<SampleFigures> {
  const business = { ...tx.business, id: sample_business_id, read_only: null }
  return tx.beside(business, tx.actor, readFigures)
}

async function fill(tx: BusinessTx, plan: SamplePlan): Promise<SampleFigures> {
  const { books } = await readBooks(tx)
  const byNumber = new Map([...books.ledgers.values()].map(({ number, id }) => [number, id]))
  const ledgers: Ledgers = (number) => {
    const found = byNumber.get(number)
    if (!found) throw new Error(`The default chart has no ledger ${number}.`)
    return found
  }
  await updateSettings(tx, { sales: { deposit_ledger_id: ledgers('1000') } })
  await bulkCustomers(tx, { customers: plan.customers })
  await postBills(tx, plan.bills, ledgers)
  await postEntries(tx, plan.entries.map(({ lines, ...entry }): Posting => ({
    ...entry, source_type: 'manual', lines: lines.map(({ ledger, amount }) => ({ ledger_id: ledgers(ledger), amount })),
  })))
  await importInvoices(tx, {
    rows: plan.invoices.map(({ external_id, customer, date, lines, payments, draft }) => ({
      external_id, customer_external_id: customer, invoice_date: date, line_items: lines, finalize: !draft, payments,
    })),
  })
  return readFigures(tx)
}

/** A payment settles the line of its bill, so that the cash basis knows what it was for. */
async function postBills(tx: BusinessTx, bills: readonly SampleBill[], ledgers: Ledgers): Promise<void> {
  const vendors = new Map([...new Set(bills.map(({ vendor }) => vendor))].map((vendor) => [vendor, newId()]))
  const payable = ledgers('2000')
  const entered = await postEntries(tx, bills.map(({ vendor, date, memo, ledger, amount }): Posting => ({
    date, memo, source_type: 'manual', lines: [{ ledger_id: ledgers(ledger), amount }, { ledger_id: payable, amount: -amount, vendor_id: vendors.get(vendor) ?? null }],
  })))
  await postEntries(tx, bills.flatMap(({ vendor, memo, amount, paid_on }, index): Posting[] => {
    const owed = entered[index]?.lines.find(({ ledger_id }) => ledger_id === payable)
    if (paid_on === null || !owed) return []
    const lines = [{ ledger_id: payable, amount, vendor_id: vendors.get(vendor) ?? null, settles_line_id: owed.id }, { ledger_id: ledgers('1000'), amount: -amount }]
    return [{ date: paid_on, memo: `Paid: ${memo}`, source_type: 'manual', lines }]
  }))
}

function readFigures(tx: BusinessTx): Promise<SampleFigures> {
  return tx.get(store.figures, {}, 'Books')
}
