// Reading how much there is.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import { unitCost } from '../stock-costing/rules.ts'
import { groupBy } from '../stock-pools/rules.ts'
import type { Availability, StockLevel } from './contract.ts'
import * as store from './store.ts'

export async function getProductStock(tx: BusinessTx, product_id: string): Promise<StockLevel[]> {
  const [, rows] = await Promise.all([tx.get(store.exists, { id: product_id }, 'Product'), tx.many(store.ofProduct, { id: product_id })])
  return rows.map(withFigures)
}

export async function listLocationStock(tx: BusinessTx, location_id: string, query: PageQuery) {
  await tx.get(store.placeExists, { id: location_id }, 'Location')
  const page = await tx.page(store.atLocation, { ...query, location_id } as PageQuery)
  return { ...page, items: page.items.map(withFigures) }
}

export async function listAvailability(tx: BusinessTx, query: { variant_ids: string[]; location_id?: string; date?: string }): Promise<Availability[]> {
  const { variant_ids, location_id = null, date = tx.today } = query
  if (location_id) await tx.get(store.placeExists, { id: location_id }, 'Location')
  const variants = await tx.many(store.variants, { ids: variant_ids })
  const known = new Set(variants.map(({ id }) => id))
  const missing = variant_ids.find((id) => !known.has(id))
  if (missing) throw notFound(`Variant ${missing}`)
  const kits = variants.filter(({ type }) => type === 'kit')
  const components = groupBy(
    kits.length > 0 ? await tx.many(store.components, { product_ids: kits.map(({ product_id }) => product_id) }) : [], ({ product_id }) => product_id,
  )
  const ids = [...new Set([...variant_ids, ...[...components.values()].flat().map(({ variant_id }) => variant_id)])]
  const levels = groupBy(await tx.many(store.onHand, { ids, location_id, date }), ({ variant_id }) => variant_id)
  return variants.flatMap(({ id, sku, product_id, type }) => {
    const places = type === 'kit' ? kitsByPlace(components.get(product_id) ?? [], levels) : levels.get(id) ?? []
    return places.map(({ location_id: place_id, location_name, on_hand }) => ({
      variant_id: id, sku, location_id: place_id, location_name, date, on_hand: type === 'kit' ? 0 : on_hand, reserved: 0, available: on_hand, incoming: 0,
    }))
  })
}

type Level = { location_id: string; location_name: string; on_hand: number }

/** Where every component is, as many kits as the scarcest of them makes. */
function kitsByPlace(components: readonly { variant_id: string; quantity: number }[], levels: ReadonlyMap<string, Level[]>): Level[] {
  const [first] = components
  if (!first) return []
  return (levels.get(first.variant_id) ?? []).map((place) => {
    const makes = components.map(({ variant_id, quantity }) => {
      const level = levels.get(variant_id)?.find(({ location_id }) => location_id === place.location_id)
      return Math.max(0, Math.floor((level?.on_hand ?? 0) / quantity))
    })
    return { ...place, on_hand: Math.min(...makes) }
  })
}

function withFigures<Row extends { quantity: number; value: number }>({ quantity, ...row }: Row) {
  return { ...row, on_hand: quantity, reserved: 0, available: quantity, unit_cost: unitCost(quantity, row.value) }
}
