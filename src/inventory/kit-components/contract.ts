// Kit components: what a kit is put together from when it is sold.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { id, integer, list, shape } from '../../foundation/shapes.ts'
import { MOST_UNITS } from '../stock-pools/contract.ts'

const quantity = integer(1, MOST_UNITS, { description: 'Units in one kit.' })

export const KitComponent = shape('KitComponent', { variant_id: id(), sku: Type.String(), name: Type.String(), quantity })
export type KitComponent = Static<typeof KitComponent>

export const KitComponents = shape('KitComponents', { id: id({ description: 'That of the product.' }), name: Type.String(), components: list(KitComponent) })
export type KitComponents = Static<typeof KitComponents>

export const KitComponentsInput = shape('KitComponentsInput', {
  components: list(shape('KitComponentInput', { variant_id: id(), quantity }), { maxItems: 100 }),
})

export const kitResource = resource({
  type: 'kit_components', group: 'inventory', shape: KitComponents, table: null, label: 'name', events: ['kit_components.replaced'],
})

const endpoint = endpointsOf('inventory', 'business')
const params = shape('ProductParams', { product_id: id() })
const path = '/products/{product_id}/kit-components'

export const getKitComponents = endpoint({
  id: 'get_kit_components', method: 'GET', path, summary: 'Get the components of a kit', params, reply: KitComponents,
})

export const replaceKitComponents = endpoint({
  id: 'replace_kit_components', method: 'PUT', path, summary: 'Say what a kit consists of',
  description: 'Counts for what is issued from now on. A kit is available as often as its scarcest component allows.',
  params, body: KitComponentsInput, reply: KitComponents,
  refusals: ['The product is no kit.', 'A component is archived, not stocked, or named twice.'],
})
