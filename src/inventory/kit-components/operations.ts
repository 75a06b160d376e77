// What a kit consists of.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { kitResource, type KitComponent, type KitComponents } from './contract.ts'
import * as store from './store.ts'

export async function getKitComponents(tx: BusinessTx, product_id: string): Promise<KitComponents> {
  const { id, name } = await tx.get(store.findKit, { id: product_id }, 'Product')
  return { id, name, components: await tx.many(store.componentsOf, { id }) }
}

export async function replaceKitComponents(
  tx: BusinessTx, product_id: string, given: readonly { variant_id: string; quantity: number }[],
): Promise<KitComponents> {
  const kit = await tx.get(store.lockKit, { id: product_id }, 'Product')
  const parts = new Map((await tx.many(store.lockParts, { ids: given.map(({ variant_id }) => variant_id) })).map((part) => [part.id, part]))
  const missing = given.find(({ variant_id }) => !parts.has(variant_id))
  if (missing) throw notFound(`Variant ${missing.variant_id}`)
  if (kit.type !== 'kit') throw invalid(`${kit.name} is of type ${kit.type}: only a kit has components.`)
  const seen = new Set<string>()
  const components = given.map(({ variant_id, quantity }): KitComponent => {
    const { sku, name, type, status } = parts.get(variant_id) ?? { sku: '', name: '', type: 'kit', status: 'active' }
    if (type !== 'stocked') throw invalid(`${sku} is of type ${type}: a kit consists of stocked products.`)
    if (status === 'archived') throw invalid(`${sku} is archived: take it out of the archive, or choose another one.`)
    if (seen.has(variant_id)) throw invalid(`${sku} is named twice: give its whole quantity at once.`)
    seen.add(variant_id)
    return { variant_id, sku, name, quantity }
  })
  const before = { id: kit.id, name: kit.name, components: await tx.many(store.componentsOf, { id: kit.id }) }
  const after = { ...before, components }
  tx.queue(store.deleteComponents, { id: kit.id })
  tx.queue(
    store.insertComponents, { id: kit.id, variant_ids: components.map(({ variant_id }) => variant_id), quantities: components.map(({ quantity }) => quantity) },
  )
  tx.record(kitResource, 'kit_components.replaced', { before, after })
  return after
}
