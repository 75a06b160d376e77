// What each kind of business sells on account, and to whom.
import type { Buyer, Item } from './plan.ts'

export type Offer = {
  buyers: readonly [Buyer, ...Buyer[]]
  items: readonly Item[]
  /** What goes out again every month from the next one on: the place of the buyer, the item, and the price in dollars. */
  standing: readonly (readonly [buyer: number, item: string, dollars: number])[]
}

const NOTHING_STANDING = { standing: [] } as const

function buyers(terms: Buyer['terms'], first: string, ...names: string[]): [Buyer, ...Buyer[]] {
  return [{ name: first, terms }, ...names.map((name): Buyer => ({ name, terms }))]
}

export const COFFEE_OFFER: Offer = {
  buyers: buyers('Net 30', 'Larkspur Bakery', 'The Corner Cup', 'Hotel Meridian', 'Alder Street Café', 'Northgate Grocers', 'Juniper & Sage',
    'Quayside Bistro', 'Fern Hill School'),
  items: [
    { code: 'ESP-KG', name: 'House espresso, whole bean', ledger: '4007', unit: 'kg', price: 1_985, product: true },
    { code: 'FLT-KG', name: 'Filter roast, whole bean', ledger: '4007', unit: 'kg', price: 2_240, product: true },
    { code: 'DEC-KG', name: 'Decaf, whole bean', ledger: '4007', unit: 'kg', price: 2_415, product: true },
    { code: 'DELIVERY', name: 'Delivery', ledger: '4008', unit: 'trip', price: 1_850 },
  ],
  standing: [[2, 'ESP-KG', 1_190.15]],
}

export const SOFTWARE_OFFER: Offer = {
  buyers: buyers(
    'Net 30', 'Brightline Logistics', 'Ostrander Group', 'Pine & Hollow', 'Cobalt Health', 'Meadowlark Schools', 'Tessera Analytics',
    'Vantage Freight', 'Kestrel Robotics'),
  items: [
    { code: 'YEAR', name: 'Platform, one year', ledger: '4000', unit: 'year', price: null, deferred: true },
    { code: 'SETUP', name: 'Set-up and training', ledger: '4051', unit: 'hour', price: 16_450 },
    { code: 'CARE', name: 'Named support engineer', ledger: '4051', unit: 'month', price: 148_500 },
  ],
  standing: [[3, 'CARE', 1_485], [6, 'CARE', 1_485]],
}

export const BUILDING_OFFER: Offer = {
  ...NOTHING_STANDING,
  buyers: buyers(
    'Net 30', 'Maple Court Development', 'Riverside Clinic', 'Martin and Rose Dunn', 'Elm Street Partners', 'Parish of St. Brigid',
    'Cedar Park School District'),
  items: [
    { code: 'PROGRESS', name: 'Progress billing', ledger: '4000', unit: 'draw', price: null },
    { code: 'RETAINAGE', name: 'Retainage released', ledger: '4000', unit: 'draw', price: null },
    { code: 'CHANGE', name: 'Change order', ledger: '4070', unit: 'order', price: null },
  ],
}

/** The sites of the builders, one for each buyer. */
export const SITES = ['Maple Court, 12 flats', 'Annex of the clinic', 'Dunn residence', 'Elm Street stores', 'St. Brigid hall', 'School gym'] as const

export const RESTAURANT_OFFER: Offer = {
  ...NOTHING_STANDING,
  buyers: [
    { name: 'Barton Creek Church', terms: 'Net 15', exempt: true }, { name: 'Travis County Legal Aid', terms: 'Net 15', exempt: true },
    { name: 'Zilker Elementary', terms: 'Net 30', exempt: true }, { name: 'Mueller Tech Meetup', terms: 'Net 7' },
  ],
  items: [
    { code: 'BUFFET', name: 'Buffet, per guest', ledger: '4020', unit: 'guest', price: 3_450 },
    { code: 'LUNCHBOX', name: 'Lunch boxes', ledger: '4020', unit: 'box', price: 1_675 },
  ],
}

export const SHOP_OFFER: Offer = {
  ...NOTHING_STANDING,
  buyers: [
    { name: 'Maple & Birch Stores', terms: 'Net 30', currency: 'CAD' }, { name: 'Boutique Vieux-Port', terms: 'Net 30', currency: 'CAD' },
    { name: 'Alpenladen GmbH', terms: 'Net 30', currency: 'EUR' }, { name: 'Green Mountain Lodge', terms: 'Net 15' },
    { name: 'Lakeside Camp Store', terms: 'Net 30' },
  ],
  items: [
    { code: 'PACK-22', name: 'Day pack, 22 litres', ledger: '4000', unit: 'piece', price: 4_975, product: true },
    { code: 'BLANKET', name: 'Wool blanket', ledger: '4000', unit: 'piece', price: 6_840, product: true },
    { code: 'BOTTLE', name: 'Steel bottle', ledger: '4000', unit: 'piece', price: 1_545, product: true },
  ],
}

export const AGENCY_OFFER: Offer = {
  buyers: buyers(
    'Net 30', 'Oakridge Credit Union', 'Pallas Outdoor', 'Verity Health', 'Common Thread', 'Northwind Ferries', 'Sable & Finch', 'City Library',
    'Roost Homes', 'Halcyon Tea'),
  items: [
    { code: 'DESIGN', name: 'Design and production', ledger: '4000', unit: 'project', price: null },
    { code: 'RETAINER', name: 'Monthly retainer', ledger: '4050', unit: 'month', price: 245_000 },
    { code: 'EXPENSES', name: 'Expenses passed on', ledger: '4060', unit: 'invoice', price: null },
  ],
  standing: [[0, 'RETAINER', 2_690], [1, 'RETAINER', 2_745], [2, 'RETAINER', 2_690], [3, 'RETAINER', 2_615], [4, 'RETAINER', 2_730]],
}
