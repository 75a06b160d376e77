// Every list of the console: pages of the API joined into one that goes on as it is scrolled, with only the rows in sight drawn.
import { Box, Paper, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Failure, Loading } from './feedback.tsx'

export type Column<Row> = { name: string; title: string; width: string; figures?: boolean; cell: (row: Row) => ReactNode; sort_by?: string }
export type ListPage<Row> = { items: Row[]; next_cursor: string | null; has_next: boolean; total: number | null }

export type DataListProps<Row extends { id: string }> = {
  /** What the list is of, for those who hear it. */
  label: string
  /** Everything that the answer depends on. */
  query_key: readonly unknown[]
  read: (cursor: string | undefined) => Promise<ListPage<Row>>
  columns: readonly Column<Row>[]
  open?: (row: Row) => void
  empty: ReactNode
  sort?: { sort_by: string; descending: boolean }
  on_sort?: (sort: { sort_by: string; descending: boolean }) => void
  height?: string
}

const ROW_HEIGHT = 44

export function DataList<Row extends { id: string }>({ label, query_key, read, columns, open, empty, sort, on_sort, height = 'calc(100dvh - 260px)' }: DataListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useInfiniteQuery({
    queryKey: query_key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_next ? page.next_cursor ?? undefined : undefined),
  })
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  const drawn = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 12 })
  const seen = drawn.getVirtualItems()
  const last = seen.at(-1)?.index ?? 0
  useEffect(() => {
    if (list.hasNextPage && !list.isFetchingNextPage && last >= rows.length - 20) void list.fetchNextPage()
  }, [last, rows.length, list])

  if (list.isPending) return <Loading what={`Loading ${label}`} />
  if (list.isError && rows.length === 0) return <Failure error={list.error} again={() => void list.refetch()} />
  if (rows.length === 0) return <>{empty}</>

  const template = columns.map(({ width }) => width).join(' ')
  const step = (event: KeyboardEvent<HTMLDivElement>, index: number, row: Row) => {
    if (event.key === 'Enter' && open) return open(row)
    const to = event.key === 'ArrowDown' ? index + 1 : event.key === 'ArrowUp' ? index - 1 : null
    if (to === null || to < 0 || to >= rows.length) return
    event.preventDefault()
    drawn.scrollToIndex(to)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus())
  }
  return (
    <Paper withBorder>
      <Box ref={scroller} role="table" aria-label={label} aria-rowcount={list.data?.pages[0]?.total ?? -1} style={{ height, overflow: 'auto' }} tabIndex={-1}>
        <Box role="row" pos="sticky" top={0} bg="var(--mantine-color-body)" style={{ display: 'grid', gridTemplateColumns: template, minWidth: 'max-content', zIndex: 1, borderBottom: '1px solid var(--mantine-color-default-border)' }}>
          {columns.map((column) => <Header key={column.name} column={column} sort={sort} on_sort={on_sort} />)}
        </Box>
        <Box role="rowgroup" style={{ height: drawn.getTotalSize(), position: 'relative', minWidth: 'max-content' }}>
          {seen.map(({ index, start }) => {
            const row = rows[index] as Row
            return (
              <Box
                key={row.id} role="row" data-index={index} aria-rowindex={index + 2} tabIndex={0} className={open ? 'row-link' : ''}
                onClick={() => open?.(row)} onKeyDown={(event) => step(event, index, row)}
                style={{ position: 'absolute', insetInline: 0, transform: `translateY(${start}px)`, height: ROW_HEIGHT, display: 'grid', gridTemplateColumns: template, alignItems: 'center', cursor: open ? 'pointer' : 'default', borderBottom: '1px solid var(--mantine-color-default-border)' }}
              >
                {columns.map(({ name, cell, figures }) => (
                  <Text key={name} role="cell" component="div" size="sm" px="sm" truncate {...(figures ? { className: 'figures' } : {})}>{cell(row)}</Text>
                ))}
              </Box>
            )
          })}
        </Box>
      </Box>
      {list.isFetchingNextPage && <Text size="xs" c="dimmed" p="xs" role="status">Loading more</Text>}
      {list.isFetchNextPageError && <Failure error={list.error} again={() => void list.fetchNextPage()} />}
    </Paper>
  )
}

function Header<Row>({ column, sort, on_sort }: { column: Column<Row>; sort: DataListProps<never>['sort']; on_sort: DataListProps<never>['on_sort'] }) {
  const { title, figures, sort_by } = column
  const active = sort_by !== undefined && sort?.sort_by === sort_by
  const style = figures ? { className: 'figures' } : {}
  if (sort_by === undefined || !on_sort) return <Text role="columnheader" component="div" size="xs" fw={600} c="dimmed" p="xs" px="sm" {...style}>{title}</Text>
  return (
    <Box role="columnheader" aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : 'none'} {...style}>
      <Text
        component="button" type="button" size="xs" fw={600} c="dimmed" p="xs" px="sm" style={{ background: 'none', border: 0, cursor: 'pointer', font: 'inherit', fontSize: 12 }}
        onClick={() => on_sort({ sort_by, descending: active ? !sort.descending : true })}
      >
        {title}{active ? (sort.descending ? ' ↓' : ' ↑') : ''}
      </Text>
    </Box>
  )
}
