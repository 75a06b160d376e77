// What costing works on: the movements of a variant in their order, and what a pool is made of.

export const COSTING_METHODS = ['fifo', 'weighted_average'] as const
export type CostingMethod = (typeof COSTING_METHODS)[number]

/** A movement as costing sees it. Issues have a negative quantity; their cost is what costing finds. */
export type CostedMovement = {
  id: string
  location_id: string
  effective_date: string
  sequence: number
  quantity: number
  /** The worth it brings itself; null where it follows from what was there before. */
  given_value: number | null
  /** The issue whose units come back with it. */
  returns_movement_id: string | null
  /** The receipt whose units leave again with it. */
  reverses_movement_id: string | null
  standard_cost: number | null
  cost_per: number
}

/** What is left of a receipt. Under weighted_average its value is 0: the worth stands in the pool. */
export type Layer = { movement_id: string; date: string; sequence: number; quantity: number; value: number }

/** What was issued before it was there, at the cost it was taken to have. */
export type Shortage = Layer

export type Pool = {
  location_id: string
  quantity: number
  value: number
  layers: Layer[]
  shortages: Shortage[]
  /** Units and worth of the last movement whose cost is known. */
  last_quantity: number
  last_value: number
}

/** What has become of a movement so far: its worth with every correction, and what of it came back or was undone. */
export type Standing = { quantity: number; value: number; returned_quantity: number; returned_value: number }

/** A change of value that follows from a movement: its own, or that of an issue which the receipt `cause_id` fills. */
export type Effect = {
  movement_id: string
  cause_id: string | null
  value: number
  /** What the other side takes; less than the value only where a receipt is undone that is worth less by now. */
  counter_value: number
  estimated: boolean
}
