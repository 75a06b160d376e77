// Changing prices.
import type { Static } from 'typebox'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import type { VariantRow } from '../variants/contract.ts'
import { saveVariants } from '../variants/operations.ts'
import type { ChangedPrice, PriceChange } from './contract.ts'
import { byMargin, byPercent } from './rules.ts'
import * as store from './store.ts'

export async function changePrices(tx: BusinessTx, change: PriceChange): Promise<Static<typeof ChangedPrice>[]> {
  const ids = idsOf(change)
  const rows = new Map((await tx.many(store.lockVariants, { ids })).map((variant) => [variant.id, variant]))
  const variants = ids.map((id) => {
    const variant = rows.get(id)
    if (!variant) throw notFound(`Variant ${id}`)
    return variant
  })
  if (new Set(ids).size < ids.length) throw invalid('A variant is named twice.')
  const priceOf = await pricing(tx, change, ids)
  const changes = variants.map((before) => ({ before, after: changed(before, { price: priceOf(before) }, tx.now) }))
  saveVariants(tx, changes.filter(({ before, after }) => before.price !== after.price))
  return changes.map(({ before, after }) => ({ variant_id: before.id, sku: before.sku, old_price: before.price, new_price: after.price }))
}

function idsOf({ mode, prices, variant_ids, percent }: PriceChange): string[] {
  if (mode === 'list') {
    if (!prices) throw invalid('The mode list needs prices.')
    return prices.map(({ variant_id }) => variant_id)
  }
  if (!variant_ids || percent === undefined) throw invalid(`The mode ${mode} needs variant_ids and percent.`)
  return variant_ids
}

async function pricing(tx: BusinessTx, { mode, prices = [], percent = '0' }: PriceChange, ids: string[]): Promise<(variant: VariantRow) => number> {
  if (mode === 'list') {
    const given = new Map(prices.map(({ variant_id, price }) => [variant_id, price]))
    return ({ id, price }) => given.get(id) ?? price
  }
  if (mode === 'percent') return ({ price }) => byPercent(price, percent)
  const costs = new Map((await tx.many(store.costs, { ids })).map((cost) => [cost.variant_id, cost]))
  return ({ id, sku, standard_cost, cost_per }) => {
    const cost = costs.get(id) ?? (standard_cost === null ? null : { quantity: cost_per, value: standard_cost })
    if (!cost) throw invalid(`Nothing says what ${sku} costs: set its standard_cost, or give its price.`)
    return byMargin(cost, percent)
  }
}
