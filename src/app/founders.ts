// What each room gives a new business, in this order.
import type { Founder } from '../access/businesses/operations.ts'

export const founders: Founder[] = []
