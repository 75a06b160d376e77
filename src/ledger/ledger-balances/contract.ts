// Balances at a date: ledger by ledger with their currencies, and the chart as a tree with what stands below each.
import type { Static, TSchema } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { cents, date, list, nullable, oneOf, optional, shape } from '../../foundation/shapes.ts'
import { BASES } from '../../access/businesses/contract.ts'
import { Ledger, LEDGER_TYPES, LedgerRow } from '../ledgers/contract.ts'

const signs = 'positive on the side of the type: debit for assets and expenses, credit for the others'
const base_balance = cents({ description: `Integer cents in the base currency, ${signs}.` })
const balance = nullable(cents({
  description: `Integer cents in the currency, ${signs}; null on the cash basis where that is not the base currency, in which alone it is kept.`,
}))

const { id, number, name, type, subtype, currency } = LedgerRow.properties

export const LedgerBalance = shape('LedgerBalance', {
  ledger_id: id, number, name, type, subtype, currency,
  balance,
  base_balance,
  currencies: list(shape('CurrencyBalance', { currency, balance, base_balance }), { description: 'Each currency in which something stands on it.' }),
})
export type LedgerBalance = Static<typeof LedgerBalance>

const asked = {
  as_of: nullable(date({ description: 'null: all that is posted, whatever its date.' })),
  basis: oneOf(BASES),
  base_currency: currency,
}

export const LedgerBalances = shape('LedgerBalances', { ...asked, ledgers: list(LedgerBalance) })
export type LedgerBalances = Static<typeof LedgerBalances>

const node = {
  id, number, name, type, subtype, currency,
  posting: LedgerRow.properties.posting,
  is_bank: LedgerRow.properties.is_bank,
  role: LedgerRow.properties.role,
  archived: LedgerRow.properties.archived,
  normal_side: Ledger.properties.normal_side,
  base_balance,
  total: cents({ description: 'base_balance of it and of all below it.' }),
}

/** One shape per level: a chart is at most five deep. */
const nodeAt = (level: number): TSchema => {
  const children = level < 5 ? list(nodeAt(level + 1)) : list(shape('NoLedger', {}), { maxItems: 0 })
  return shape(`LedgerNode${level}`, { ...node, children })
}

/** As the code sees it, whatever its level. */
export type LedgerNode = { [Key in keyof typeof node]: Static<(typeof node)[Key]> } & { children: LedgerNode[] }

export const LedgerTree = shape('LedgerTree', {
  ...asked,
  types: list(shape('LedgerTreeType', {
    type: oneOf(LEDGER_TYPES),
    total: cents({ description: 'Of all ledgers of the type, in the base currency.' }),
    ledgers: list(nodeAt(1)),
  })),
})
export type LedgerTree = Omit<Static<typeof LedgerTree>, 'types'> & { types: { type: LedgerNode['type']; total: number; ledgers: LedgerNode[] }[] }

const query = shape('LedgerBalancesQuery', {
  as_of: optional(date({ description: 'At the end of this day; without it, all that is posted.' })),
  basis: optional(oneOf(BASES, { default: 'accrual' })),
})
export type BalancesQuery = Static<typeof query>

const endpoint = endpointsOf('ledgers', 'business')

const about = [
  'Income and expenses count from the beginning of the books. A merged ledger counts for the one it is merged into;',
  'an archived one is shown where something stands on it.',
].join(' ')

export const listBalances = endpoint({
  id: 'list_ledger_balances', method: 'GET', path: '/balances', summary: 'Get the balances of all ledgers',
  description: `Every ledger that takes lines, per currency and in the base currency, in the order of numbers. ${about}`,
  query,
  reply: LedgerBalances,
})

export const getTree = endpoint({
  id: 'get_ledger_tree', method: 'GET', path: '/tree', summary: 'Get the chart of accounts as a tree',
  description: `Nested, with the balance of each ledger and the total of it and all below it. ${about}`,
  query,
  reply: LedgerTree,
})
