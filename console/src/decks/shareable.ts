// How a deck or a board is shared: the same for both, by ways of their own.
import { api, dataOf, type Schemas } from '../api.ts'

export type Shareable = {
  noun: string
  /** What is seen through a link that is not frozen. */
  live_words: string
  key: readonly unknown[]
  touched: readonly string[]
  list: () => Promise<{ items: Schemas['Share'][] }>
  make: (body: Schemas['ShareInput']) => Promise<Schemas['NewShare']>
  revoke: (share_id: string) => Promise<unknown>
}

const all = { limit: 200 } as const

export function sharedDeck(deck_id: string): Shareable {
  const path = { deck_id }
  return {
    noun: 'deck', live_words: 'The deck as it was last refreshed and edited.', key: ['shares', 'deck', deck_id], touched: ['shares'],
    list: () => dataOf(api.GET('/api/v1/ai-reporting/decks/{deck_id}/shares', { params: { path, query: all } })),
    make: (body) => dataOf(api.POST('/api/v1/ai-reporting/decks/{deck_id}/share', { params: { path }, body })),
    revoke: (share_id) => api.DELETE('/api/v1/ai-reporting/shares/{share_id}', { params: { path: { share_id } } }),
  }
}

export function sharedBoard(dashboard_id: string): Shareable {
  const path = { dashboard_id }
  return {
    noun: 'board', live_words: 'The figures of the moment when somebody looks.', key: ['shares', 'dashboard', dashboard_id], touched: ['shares'],
    list: () => dataOf(api.GET('/api/v1/dashboards/{dashboard_id}/shares', { params: { path, query: all } })),
    make: (body) => dataOf(api.POST('/api/v1/dashboards/{dashboard_id}/shares', { params: { path }, body })),
    revoke: (share_id) => api.DELETE('/api/v1/dashboards/shares/{share_id}', { params: { path: { share_id } } }),
  }
}
