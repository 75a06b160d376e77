// The columns of aging: what they are called, and which documents are in which.
import type { Schemas } from '../api.ts'

export const BUCKETS = ['current', 'd1_30', 'd31_60', 'd61_90', 'over_90', 'unapplied_credits'] as const
export type Bucket = (typeof BUCKETS)[number]

/** What the address of the page asks for. */
export type AgingSearch = {
  as_of?: string
  /** As the books were known at this moment. */
  known_at?: string
  aging_by?: 'due_date' | 'invoice_date'
  customer_id?: string | undefined
  bucket?: Bucket | undefined
}

export function titlesOf([first = 30, second = 60, third = 90]: number[]): Record<Bucket, string> {
  return {
    current: 'Not due yet', d1_30: `1 to ${first} days`, d31_60: `${first + 1} to ${second} days`, d61_90: `${second + 1} to ${third} days`,
    over_90: `Over ${third} days`, unapplied_credits: 'Credits',
  }
}

/** Below zero is to the customer's credit, however old. */
export function bucketOf({ amount, days }: Schemas['AgingItem'], [first = 30, second = 60, third = 90]: number[]): Bucket {
  if (amount < 0) return 'unapplied_credits'
  return days <= 0 ? 'current' : days <= first ? 'd1_30' : days <= second ? 'd31_60' : days <= third ? 'd61_90' : 'over_90'
}
