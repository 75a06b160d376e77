// Every list of the console: pages of the API joined into one as it is scrolled. Only rows in sight are drawn, and only their pages held.
import { Box, Paper, Text } from '@mantine/core'
import { hashKey, useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useReducer, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import styles from './data-list.module.css'
import { Failure, Loading } from './feedback.tsx'
import { newChain, note, pageAt, pageKey, pagesOf, rowsOf, wantedPages, type ListPage } from './list-pages.ts'

export type { ListPage } from './list-pages.ts'
export type Column<Row> = { name: string; title: string; width: string; figures?: boolean; cell: (row: Row) => ReactNode; sort_by?: string }

export type DataListProps<Row extends { id: string }> = {
  /** What the list is of, for those who hear it. */
  label: string
  /** Everything that the answer depends on. */
  query_key: readonly unknown[]
  read: (cursor: string | undefined) => Promise<ListPage<Row>>
  columns: readonly Column<Row>[]
  open?: (row: Row) => void
  /** Keys that do something with the row that has the focus; whether one did. */
  on_key?: (event: KeyboardEvent<HTMLDivElement>, row: Row) => boolean
  empty: ReactNode
  sort?: { sort_by: string; descending: boolean }
  on_sort?: (sort: { sort_by: string; descending: boolean }) => void
  height?: string
}

const ROW_HEIGHT = 44
/** Browsers draw nothing below some 17 million pixels: of longer lists this many rows can be scrolled at a time, and the rest moves in at both ends. */
const SPAN = 200_000

/** Asked otherwise it is another list, which begins at its top. */
export function DataList<Row extends { id: string }>(props: DataListProps<Row>) {
  return <OneList key={hashKey(props.query_key)} {...props} />
}

function OneList<Row extends { id: string }>(props: DataListProps<Row>) {
  const { label, query_key, read, columns, open, on_key, empty, sort, on_sort, height = 'calc(100dvh - 260px)' } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [chain] = useState(newChain)
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const [base, setBase] = useState(0)
  const count = rowsOf(chain)
  const drawn = useVirtualizer({
    count: Math.min(count - base, SPAN), getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 12,
  })
  const seen = drawn.getVirtualItems()
  const first = base + (seen[0]?.index ?? 0)
  const last = base + (seen.at(-1)?.index ?? 0)
  const wanted = wantedPages(chain, first, last)
  const cursors = wanted.map((place) => chain.cursors[place])
  const pages = useQueries({
    queries: cursors.map((cursor) => ({ queryKey: pageKey(query_key, cursor), queryFn: () => read(cursor), structuralSharing: false, gcTime: 60_000 })),
  })
  useEffect(() => {
    let changed = false
    wanted.forEach((place, index) => {
      const page = pages[index]?.data
      // A page above may have moved it: then it is asked for anew.
      if (page && chain.cursors[place] === cursors[index]) changed = note(chain, place, page) || changed
    })
    if (changed) redraw()
  })
  const shift = baseFor(base, first, last, count) - base
  useLayoutEffect(() => {
    if (shift === 0) return
    setBase(base + shift)
    scroller.current?.scrollBy(0, -shift * ROW_HEIGHT)
  }, [base, shift])

  const failed = pages.find(({ isError, data }) => isError && data === undefined)
  if (failed && count === 0) return <Failure error={failed.error} again={() => void failed.refetch()} />
  if (pagesOf(chain) === 0) return <Loading what={`Loading ${label}`} />
  if (count === 0) return <>{empty}</>

  const rowAt = (index: number): Row | undefined => {
    const place = pageAt(chain, index)
    return pages[wanted.indexOf(place)]?.data?.items[index - (chain.starts[place] as number)]
  }
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') }
  const step = (event: KeyboardEvent<HTMLDivElement>, index: number, row: Row) => {
    const onRow = event.target === event.currentTarget
    if (onRow && on_key?.(event, row)) return event.preventDefault()
    if (onRow && event.key === 'Enter' && open) return open(row)
    const to = event.key === 'ArrowDown' ? index + 1 : event.key === 'ArrowUp' ? index - 1 : null
    if (to === null || to < 0 || to >= count) return
    event.preventDefault()
    scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus()
  }
  const reading = wanted.includes(pagesOf(chain)) && !failed
  return (
    <Paper withBorder>
      <Box ref={scroller} role="table" aria-label={label} aria-rowcount={chain.total ?? -1} style={{ height, overflow: 'auto' }} tabIndex={-1}>
        <div className={styles.inner} style={{ width: widthOf(columns) }}>
          <div role="row" className={`${styles.row} ${styles.heads}`} style={template}>
            {columns.map((column) => <Header key={column.name} column={column} sort={sort} on_sort={on_sort} />)}
          </div>
          <div role="rowgroup" className={styles.rows} style={{ height: drawn.getTotalSize() }}>
            {seen.map(({ index: place, start }) => {
              const index = base + place
              const row = rowAt(index)
              return (
                // By its place: where a row goes, the next one comes under the same focus.
                <div
                  key={index} role="row" data-index={index} aria-rowindex={index + 2} tabIndex={0} className={`${styles.row} ${open ? 'row-link' : ''}`}
                  style={{ ...template, transform: `translateY(${start}px)`, cursor: open ? 'pointer' : 'default' }}
                  {...(row ? { onClick: () => open?.(row), onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => step(event, index, row) } : {})}
                >
                  {columns.map(({ name, cell, figures }) => (
                    <Text key={name} role="cell" component="div" size="sm" px="sm" truncate {...(figures ? { className: 'figures' } : {})}>
                      {row ? cell(row) : '…'}
                    </Text>
                  ))}
                </div>
              )
            })}
          </div>
        </div>
      </Box>
      {reading && <Text size="xs" c="dimmed" p="xs" role="status">Loading more</Text>}
      {failed && <Failure error={failed.error} again={() => void failed.refetch()} />}
    </Paper>
  )
}

/** What the columns need at least. */
const widthOf = (columns: readonly { width: string }[]): number => columns.reduce((sum, { width }) => sum + Number(/\d+/.exec(width)?.[0] ?? 0), 0)

/** The row that the scrolled part begins with, so that what is in sight is not at its edge. */
function baseFor(base: number, first: number, last: number, count: number): number {
  if (last > base + SPAN - 1000 && count > base + SPAN) return base + SPAN / 2
  return base > 0 && first < base + 1000 ? base - SPAN / 2 : base
}

function Header<Row>({ column, sort, on_sort }: { column: Column<Row>; sort: DataListProps<never>['sort']; on_sort: DataListProps<never>['on_sort'] }) {
  const { title, figures, sort_by } = column
  const active = sort_by !== undefined && sort?.sort_by === sort_by
  const style = figures ? { className: 'figures' } : {}
  const look = { size: 'xs', fw: 600, c: 'dimmed' } as const
  if (sort_by === undefined || !on_sort) return <Text role="columnheader" component="div" p="xs" px="sm" {...look} {...style}>{title}</Text>
  return (
    <Box role="columnheader" aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : 'none'} {...style}>
      <Text
        component="button" type="button" className={styles.sorts ?? ''} {...look}
        onClick={() => on_sort({ sort_by, descending: active ? !sort.descending : true })}
      >
        {title}{active ? (sort.descending ? ' ↓' : ' ↑') : ''}
      </Text>
    </Box>
  )
}
