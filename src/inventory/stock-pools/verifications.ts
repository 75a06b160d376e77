// What must hold of stock: pools are the sums of their movements and of their layers, the ledgers agree, and costing again changes nothing.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import type { Verification } from '../../foundation/verification.ts'
import { id, oneOf } from '../../foundation/shapes.ts'
import { verificationOf } from '../../ledger/book-verification/operations.ts'
import { MOST_TOLD, tell, units } from '../../ledger/book-verification/rules.ts'
import { COSTING_METHODS, type CostingMethod } from '../stock-costing/contract.ts'
import { MovementRow, PoolRow } from './contract.ts'
import { correctionsOf, groupBy, nothingBefore, walk } from './rules.ts'

const total = Type.Integer()
/** A sum of 64-bit numbers is larger than one: it comes as text. */
const sum = Type.String()

const pools = statement(Count, 'select count(*) as count from stock_pools where business_id = :business_id')
const ledgers = statement(Count, 'select count(*) as count from stock_ledgers where business_id = :business_id')

const difference = { sku: Type.String(), location: Type.String(), quantity: sum, value: sum, other_quantity: sum, other_value: sum, total }
const named = `join product_variants v on v.business_id = s.business_id and v.id = s.variant_id
  join locations l on l.business_id = s.business_id and l.id = s.location_id`

const unlikeMovements = statement(
  Type.Object(difference),
  `select v.sku, l.name as location, s.quantity::text as quantity, s.value::text as value, coalesce(m.quantity, 0)::text as other_quantity,
     coalesce(m.value, 0)::text as other_value, count(*) over () as total
   from stock_pools s ${named} left join (select variant_id, location_id, sum(quantity) as quantity, sum(value) as value from stock_movements
     where business_id = :business_id group by variant_id, location_id) m on m.variant_id = s.variant_id and m.location_id = s.location_id
   where s.business_id = :business_id and v.business_id = :business_id and l.business_id = :business_id
     and (s.quantity <> coalesce(m.quantity, 0) or s.value <> coalesce(m.value, 0)) order by v.sku, l.name limit ${MOST_TOLD}`)

const unlikeLayers = statement(
  Type.Object(difference),
  `select v.sku, l.name as location, s.quantity::text as quantity, s.value::text as value, coalesce(x.quantity, 0)::text as other_quantity,
     (case when p.costing_method = 'fifo' then coalesce(x.value, 0) else s.value end)::text as other_value, count(*) over () as total
   from stock_pools s ${named} join products p on p.business_id = v.business_id and p.id = v.product_id
     left join (select variant_id, location_id, sum(quantity) as quantity, sum(value) as value from (
         select variant_id, location_id, quantity, value from stock_layers where business_id = :business_id
         union all select variant_id, location_id, -quantity, -value from stock_shortages where business_id = :business_id) as parts
       group by variant_id, location_id) x on x.variant_id = s.variant_id and x.location_id = s.location_id
   where s.business_id = :business_id and v.business_id = :business_id and l.business_id = :business_id and p.business_id = :business_id
     and (s.quantity <> coalesce(x.quantity, 0) or p.costing_method = 'fifo' and s.value <> coalesce(x.value, 0)) order by v.sku, l.name limit ${MOST_TOLD}`)

const unlikeLedgers = statement(
  Type.Object({ name: Type.String(), stock: sum, counted: sum, balance: sum, total }),
  `select g.name, s.value::text as stock, coalesce(m.value, 0)::text as counted, coalesce(b.balance, 0)::text as balance, count(*) over () as total
   from stock_ledgers s join ledgers g on g.business_id = s.business_id and g.id = s.ledger_id
     left join (select stock_ledger_id, sum(value) as value from stock_movements
       where business_id = :business_id group by stock_ledger_id) m on m.stock_ledger_id = s.ledger_id
     left join (select ledger_id, sum(debit - credit) as balance from ledger_months
       where business_id = :business_id group by ledger_id) b on b.ledger_id = s.ledger_id
   where s.business_id = :business_id and g.business_id = :business_id and (s.value <> coalesce(m.value, 0) or s.value <> coalesce(b.balance, 0))
   order by g.name limit ${MOST_TOLD}`)

const variants = statement(
  Type.Object({ id: id(), sku: Type.String(), costing_method: oneOf(COSTING_METHODS) }),
  `select v.id, v.sku, p.costing_method from product_variants v join products p on p.business_id = v.business_id and p.id = v.product_id
   where v.business_id = :business_id and p.business_id = :business_id
     and exists (select from stock_pools s where s.business_id = :business_id and s.variant_id = v.id and s.last_date is not null) order by v.id`)
const movementsOf = statement(
  MovementRow,
  `select ${columns(MovementRow)}
   from stock_movements where business_id = :business_id and variant_id = any(:ids) order by variant_id, effective_date, sequence`)
const poolsOf = statement(PoolRow, `select ${columns(PoolRow)} from stock_pools where business_id = :business_id and variant_id = any(:ids)`)

const pairOf = (row: { quantity: string; value: string }) => `${row.quantity} worth ${units(row.value)}`
const AT_ONCE = 200

export const stockVerifications: Verification[] = [
  verificationOf({
    claim: 'Every pool of stock is the sum of its movements', counted: pools, found: unlikeMovements,
    sentence: (row) => `${row.sku} at ${row.location} has ${pairOf(row)}; its movements come to ${row.other_quantity} worth ${units(row.other_value)}`,
  }),
  verificationOf({
    claim: 'Every pool of stock is the sum of its layers less what was issued short', counted: pools, found: unlikeLayers,
    sentence: (row) => `${row.sku} at ${row.location} has ${pairOf(row)}; its layers come to ${row.other_quantity} worth ${units(row.other_value)}`,
  }),
  verificationOf({
    claim: 'What the stock is worth equals the balances of its ledgers', counted: ledgers, found: unlikeLedgers,
    sentence: (row) => `${row.name} carries stock worth ${units(row.stock)}; its movements come to ${units(row.counted)}, its balance is ${units(row.balance)}`,
  }),
  {
    claim: 'Costing every movement of stock again gives the costs that are recorded',
    async run(tx) {
      const all = await tx.many(variants)
      const problems: string[] = []
      for (let first = 0; first < all.length; first += AT_ONCE) {
        const some = all.slice(first, first + AT_ONCE)
        const ids = some.map((variant) => variant.id)
        const [movements, states] = await Promise.all([tx.many(movementsOf, { ids }), tx.many(poolsOf, { ids })])
        const [byVariant, byState] = [groupBy(movements, ({ variant_id }) => variant_id), groupBy(states, ({ variant_id }) => variant_id)]
        for (const { id: variant_id, sku, costing_method } of some) problems.push(
          ...recosted(sku, costing_method, byVariant.get(variant_id) ?? [], byState.get(variant_id) ?? []),
        )
      }
      return { checked: all.length, problems: tell(problems) }
    },
  },
]

/** What costing a variant from its first movement on finds off, linked pools together and the others each for itself. */
function recosted(sku: string, method: CostingMethod, movements: readonly MovementRow[], pools: readonly PoolRow[]): string[] {
  const linked = new Set(pools.filter((pool) => pool.linked).map(({ location_id }) => location_id))
  return [...groupBy(movements, ({ location_id }) => (linked.has(location_id) ? 'linked' : location_id)).values()].flatMap((rows) => {
    const originals = rows.filter(({ corrects_movement_id }) => corrects_movement_id === null)
    const recorded = rows.map(({ id: movement_id, corrects_movement_id, cause_movement_id, value, counter_value }) =>
      ({ movement_id: corrects_movement_id ?? movement_id, cause_id: cause_movement_id, value, counter_value }))
    try {
      const { effects, pools: after } = walk(method, nothingBefore, originals, new Set(), () => true)
      const off = correctionsOf(effects, recorded, new Set()).map(({ movement_id, value }) => {
        const sequence = originals.find(({ id: own }) => own === movement_id)?.sequence
        return `movement ${sequence} of ${sku} should be worth ${units(String(value))} more`
      })
      const states = pools.filter(({ location_id }) => after.has(location_id)).filter(({ location_id, quantity, value }) => {
        const pool = after.get(location_id)
        return pool?.quantity !== quantity || pool.value !== value
      }).map(() => `a pool of ${sku} is not what its movements make of it`)
      return [...off, ...states]
    } catch (error) {
      return [`${sku} cannot be costed again: ${(error as Error).message}`]
    }
  })
}
