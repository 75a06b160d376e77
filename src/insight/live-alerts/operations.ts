// The live alerts: what is the matter in the business right now.
import { countText, moneyText } from '../../foundation/wording.ts'
import type { Finding, LiveAlert } from '../../workspace/live-alerts/contract.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000
/** About the business as a whole. */
const whole = { resource_type: null, resource_id: null }

export const cashAlert: LiveAlert = {
  kind: 'low_cash',
  topic: 'cash',
  async find(tx) {
    const { threshold } = await tx.get(store.threshold, {}, 'Business')
    const low = await tx.many(store.lowCash, { threshold, timezone: tx.business.timezone })
    return low.map(({ id, name, balance, since }): Finding => ({
      severity: balance < 0 ? 'critical' : 'warning', title: `${name} is low: ${moneyText(balance, tx.business.base_currency)}`,
      body: threshold === 0 ? 'The books show less than nothing on it.' : `The threshold is ${moneyText(threshold, tx.business.base_currency)}.`,
      action_url: `/ledgers/${id}`, resource_type: 'ledger', resource_id: id, since: since ?? tx.now,
    }))
  },
}

export const overdueAlert: LiveAlert = {
  kind: 'overdue_receivables',
  topic: 'invoice',
  async find(tx) {
    const { count, balance, since } = await tx.get(store.overdue, { timezone: tx.business.timezone }, 'Invoices')
    if (count === 0 || since === null) return []
    const title = `${countText(count)} invoice${count === 1 ? ' is' : 's are'} overdue`
    return [{ severity: 'warning', title, body: `Customers owe ${moneyText(balance, tx.business.base_currency)} past its date.`, action_url: '/invoices/collections', ...whole, since }]
  },
}

export const openMonthsAlert: LiveAlert = {
  kind: 'open_months',
  topic: 'period',
  async find(tx) {
    const { count, oldest, since } = await tx.get(store.openMonths, { timezone: tx.business.timezone }, 'Periods')
    if (count === 0 || since === null) return []
    const title = count === 1 ? `${oldest} is still open` : `${countText(count)} past months are still open`
    return [{ severity: 'info', title, body: `The oldest is ${oldest}. Reconcile and close it.`, action_url: '/accounting-periods', ...whole, since }]
  },
}

export const stockAlert: LiveAlert = {
  kind: 'negative_stock',
  topic: 'inventory',
  async find(tx) {
    const { count, since } = await tx.get(store.shortages, {}, 'Stock')
    if (count === 0 || since === null) return []
    const title = `Stock is below zero in ${countText(count)} place${count === 1 ? '' : 's'}`
    return [{ severity: 'warning', title, body: 'More was issued than had come in: record the receipts, or count.', action_url: '/inventory/stock-levels', ...whole, since }]
  },
}

export const processorAlert: LiveAlert = {
  kind: 'processor_restricted',
  topic: 'payment',
  async find(tx) {
    const found = await tx.many(store.restricted)
    return found.map(({ id, updated_at }) => ({
      severity: 'critical', title: 'The card processor wants to know more', body: 'Until it does, it may refuse payments or hold payouts back.',
      action_url: '/processor',
      resource_type: 'processor_connection', resource_id: id, since: updated_at,
    }))
  },
}

export const trialAlert: LiveAlert = {
  kind: 'trial_ending',
  topic: 'billing',
  async find(tx) {
    const { trial_ends_at = null, since = null } = (await tx.find(store.trial)) ?? {}
    if (trial_ends_at === null || since === null) return []
    const days = Math.ceil((Date.parse(trial_ends_at) - Date.parse(tx.now)) / DAY_MS)
    const title = days > 0 ? `The trial ends in ${days} day${days === 1 ? '' : 's'}` : 'The trial is over'
    return [{ severity: days > 0 ? 'warning' : 'critical', title, body: 'Choose a plan to go on. Nothing is ever deleted for lack of one.', action_url: '/settings/billing', ...whole, since }]
  },
}
