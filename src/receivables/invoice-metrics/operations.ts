// Makes the metrics of invoices.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents, type Currency } from '../../foundation/money.ts'
import { salesOutstanding } from '../collections/operations.ts'
import type { InvoiceMetrics, MetricsQuery } from './contract.ts'
import { averageDays, byStatus, invoicedOf, monthsOf, rangeOf } from './rules.ts'
import * as store from './store.ts'

export async function getMetrics(tx: BusinessTx, query: MetricsQuery): Promise<InvoiceMetrics> {
  const range = rangeOf(query, tx.today)
  const base_currency = tx.business.base_currency as Currency
  const asked = { ...range, currency: query.currency ?? null, base_currency, timezone: tx.business.timezone }
  const [counted, collected, credited, written_off, overdue, dso_days] = await Promise.all([
    tx.many(store.counted, asked),
    tx.many(store.collected, asked),
    tx.get(store.credited, asked, 'Credits'),
    tx.get(store.writtenOff, asked, 'Write-offs'),
    tx.get(store.overdue, asked, 'Overdue invoices'),
    salesOutstanding(tx, range.to < tx.today ? range.to : tx.today, query.currency),
  ])
  return {
    ...range,
    base_currency,
    by_status: byStatus(counted),
    invoiced: invoicedOf(counted),
    collected: addCents(...collected.map(({ amount }) => amount)),
    credited: credited.amount,
    written_off: written_off.amount,
    overdue,
    average_days_to_pay: averageDays(counted),
    dso_days,
    months: monthsOf(range, counted, collected),
  }
}
