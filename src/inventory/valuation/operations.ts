// Makes the valuation of stock.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Download } from '../../foundation/endpoint.ts'
import { downloadOf, type Column } from '../../foundation/sheets.ts'
import { unitCost } from '../stock-costing/rules.ts'
import { groupBy } from '../stock-pools/rules.ts'
import type { GROUPINGS, Valuation, ValuationRow } from './contract.ts'
import * as store from './store.ts'

type Query = {
  as_of?: string
  known_at?: string
  by?: (typeof GROUPINGS)[number]
  location_id?: string
  variant_id?: string
  category?: string
  format?: 'json' | 'csv' | 'xlsx'
}

export async function getValuation(tx: BusinessTx, { format = 'json', ...query }: Query): Promise<Valuation | Download> {
  const { as_of = tx.today, known_at = null, by = 'product', location_id = null, variant_id = null, category = null } = query
  const moment = { as_of, known_at }
  const [pools, ledgers] = await Promise.all([tx.many(store.pools, { ...moment, location_id, variant_id, category }), tx.many(store.ledgers, moment)])
  const rows = by === 'pool' ? pools.map(withUnitCost) : grouped(pools, by)
  const compared = ledgers.map((ledger) => ({ ...ledger, difference: ledger.ledger_balance - ledger.stock_value }))
  const valuation: Valuation = {
    as_of, known_at, by, rows, total_quantity: sum(pools, 'quantity'), total_value: sum(pools, 'value'),
    ledgers: compared, difference: sum(compared, 'difference'),
  }
  return format === 'json' ? valuation : downloadOf({ title: 'Stock valuation', columns: COLUMNS, rows }, format, `stock-valuation-${as_of}`)
}

type PoolLine = Omit<ValuationRow, 'unit_cost'>

function grouped(pools: readonly PoolLine[], by: 'product' | 'location'): ValuationRow[] {
  const none = { product_id: null, product_name: null, variant_id: null, sku: null, location_id: null, location_name: null }
  return [...groupBy(pools, (pool) => (by === 'product' ? pool.product_id : pool.location_id) ?? '').values()].map(([first, ...others]) => {
    const { product_id, product_name, location_id, location_name } = first as PoolLine
    const all = [first as PoolLine, ...others]
    const named = by === 'product' ? { product_id, product_name } : { location_id, location_name }
    return withUnitCost({ ...none, ...named, quantity: sum(all, 'quantity'), value: sum(all, 'value') })
  })
}

function withUnitCost(row: PoolLine): ValuationRow {
  return { ...row, unit_cost: unitCost(row.quantity, row.value) }
}

function sum<Key extends string>(rows: readonly { [K in Key]: number }[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0)
}

const COLUMNS: Column[] = [
  ...['product_name', 'sku', 'location_name'].map((key): Column => ({ key, label: key, kind: 'text' })),
  { key: 'quantity', label: 'quantity', kind: 'integer' }, { key: 'unit_cost', label: 'unit_cost', kind: 'decimal' },
  { key: 'value', label: 'value', kind: 'money' },
]
