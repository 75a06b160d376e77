// Calls that do one thing to many: a result per item, or, as is the default, all or nothing.
import { Type, type Static } from 'typebox'
import { invalid, Refusal } from './refusal.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, shape } from './shapes.ts'

export const MOST_ITEMS = 1000

export const atomic = optional(boolean({ default: true, description: 'One error: nothing is changed, and the answer is a 400 that names the first.' }))

const BulkItemResult = shape('BulkItemResult', { index: integer(0), status: oneOf(['ok', 'error']), id: nullable(id()), detail: nullable(Type.String()) })
export const BulkResult = shape('BulkResult', { succeeded: integer(0), failed: integer(0), results: list(BulkItemResult) })
export type BulkResult = Static<typeof BulkResult>

/** Tries each item in turn; `attempt` gives the id of what it made or changed, and refuses by throwing. */
export function attemptEach<Item>(items: readonly Item[], all_or_nothing: boolean, attempt: (item: Item, index: number) => string): BulkResult {
  const results = items.map((item, index): Static<typeof BulkItemResult> => {
    try {
      return { index, status: 'ok', id: attempt(item, index), detail: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (all_or_nothing) throw invalid(`Item ${index}: ${error.detail}`)
      return { index, status: 'error', id: null, detail: error.detail }
    }
  })
  const failed = results.filter(({ status }) => status === 'error').length
  return { succeeded: results.length - failed, failed, results }
}
