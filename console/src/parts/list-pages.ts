// The pages behind a list: where each begins, and which are wanted for the rows in sight. A new one costs the same however many came before.
import type { QueryClient } from '@tanstack/react-query'

export type ListPage<Row> = { items: Row[]; next_cursor: string | null; has_next: boolean; total: number | null }

/**
 * What is known so far: the cursor of each page, perhaps of one more than was read, and the row that each begins with; at last the row after all of them.
 * It is changed in place, because a copy for every page would cost more each time.
 */
export type Chain = { cursors: (string | undefined)[]; starts: number[]; total: number | null }

export const newChain = (): Chain => ({ cursors: [undefined], starts: [0], total: null })

/** How many pages were read, and how many rows they have. */
export const pagesOf = ({ starts }: Chain): number => starts.length - 1
export const rowsOf = ({ starts }: Chain): number => starts.at(-1) as number

/** Rows of this distance to the end let the next page be read. */
const AHEAD = 30

/** The page that has the row at this place. */
export function pageAt({ starts }: Chain, row: number): number {
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= row) low = middle
    else high = middle - 1
  }
  return Math.max(low, 0)
}

/** The pages of the rows from `first` to `last`, and the one that comes next where the end is near. */
export function wantedPages(chain: Chain, first: number, last: number): number[] {
  const wanted: number[] = []
  const read = pagesOf(chain)
  if (read > 0) for (let page = pageAt(chain, first); page <= pageAt(chain, last); page += 1) wanted.push(page)
  if (chain.cursors.length > read && last >= rowsOf(chain) - AHEAD) wanted.push(read)
  return wanted
}

/** Notes a page that came, perhaps again and with other rows: the pages below begin where it ends now. Answers whether that changed anything. */
export function note<Row>(chain: Chain, place: number, { items, has_next, next_cursor, total }: ListPage<Row>): boolean {
  const { cursors, starts } = chain
  if (place > pagesOf(chain)) return false
  const next = has_next ? next_cursor ?? undefined : undefined
  const end = (starts[place] as number) + items.length
  const moved = starts[place + 1] === undefined ? null : end - (starts[place + 1] as number)
  if (moved === 0 && cursors[place + 1] === next && (total === null || total === chain.total)) return false
  chain.total = total ?? chain.total
  if (next === undefined) {
    cursors.length = place + 1
    starts.length = place + 1
    starts.push(end)
    return true
  }
  cursors[place + 1] = next
  if (moved === null) starts.push(end)
  else if (moved !== 0) for (let below = place + 1; below < starts.length; below += 1) starts[below] = (starts[below] as number) + moved
  return true
}

export const pageKey = (query_key: readonly unknown[], cursor: string | undefined): unknown[] => [...query_key, 'page', cursor ?? null]

/** The rows of a list that were read and are still held. */
export function loadedRows<Row>(queries: QueryClient, query_key: readonly unknown[]): Row[] {
  return queries.getQueriesData<ListPage<Row>>({ queryKey: [...query_key, 'page'] }).flatMap(([, page]) => page?.items ?? [])
}
