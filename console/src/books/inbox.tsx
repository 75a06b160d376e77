// What waits for a person: bank transactions of which nobody has said what they were for, one after the other by keyboard or many at once.
import { Button, Checkbox, Group, Kbd, SegmentedControl, Select, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState, type KeyboardEvent } from 'react'
import { api, dataOf } from '../api.ts'
import { day, money } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { NameLink } from '../parts/details.tsx'
import { Empty, say, sayFailed } from '../parts/feedback.tsx'
import { loadedRows } from '../parts/list-pages.ts'
import { Page } from '../parts/page.tsx'
import { useLedgerNames } from '../parts/reading.ts'
import { useMayWrite } from '../parts/roles.ts'
import { BulkCategorize } from './bulk-categorize.tsx'
import { accept, nameOf, undo } from './categorizing.ts'
import { CategoryDrawer } from './category-drawer.tsx'
import { postingChanges } from './posting-changes.ts'
import { Proposal } from './proposal.tsx'
import type { Transaction } from './transaction-status.tsx'

type Chosen = ReadonlyMap<string, Transaction>

const WAITING = { view: 'bank', status: ['unreviewed', 'partially_allocated'] }
const UNDECIDED = { view: 'all', needs_category: true }
const KEYS = [
  ['↑ ↓', 'move'], ['A', 'accept the proposal'], ['Enter', 'choose a category'], ['X', 'choose for many'], ['O', 'open'], ['U', 'undo the last'],
] as const

const columns: Column<Transaction>[] = [
  { name: 'date', title: 'Date', width: '120px', cell: ({ datetime }) => day(datetime) },
  {
    name: 'counterparty', title: 'Who', width: 'minmax(150px, 1fr)',
    cell: (row) => <NameLink path={`/transactions/${row.id}`}>{nameOf(row)}</NameLink>,
  },
  { name: 'description', title: 'What for', width: 'minmax(140px, 1fr)', cell: ({ description }) => description },
  { name: 'amount', title: 'Amount', width: '130px', figures: true, cell: ({ amount, currency }) => money(amount, currency) },
]

export function Inbox() {
  const [given, change] = useAddress()
  const go = useNavigate()
  const queries = useQueryClient()
  const ledgerOf = useLedgerNames()
  const writes = useMayWrite()
  const [chosen, choose] = useState<Chosen>(new Map())
  const [opened, open] = useState<Transaction | null>(null)
  const [done, setDone] = useState<{ id: string; name: string }[]>([])
  const busy = useRef(new Set<string>())
  const summary = useQuery({ queryKey: ['transactions', 'summary'], queryFn: () => dataOf(api.GET('/api/v1/transactions/summary')) })
  const undecided = given['which'] === 'undecided'
  const query = {
    ...(undecided ? UNDECIDED : WAITING), ...(given['ledger_id'] ? { ledger_id: given['ledger_id'] } : {}), sort_by: 'datetime', descending: false,
  }
  const query_key = ['transactions', 'inbox', query]
  const waiting = summary.data?.reduce((sum, { unreviewed_count }) => sum + unreviewed_count, 0)

  const finished = (transaction: Transaction, words: string) => {
    setDone((before) => [...before, { id: transaction.id, name: nameOf(transaction) }])
    choose((before) => new Map([...before].filter(([id]) => id !== transaction.id)))
    say(words)
    void queries.invalidateQueries({ queryKey: ['counterparty-defaults'] })
    void postingChanges(queries)
  }
  /** Done already, and shown until the list is read anew. */
  const isDone = (row: Transaction) => busy.current.has(row.id) || done.some(({ id }) => id === row.id)
  const start = (row: Transaction) => !isDone(row) && open(row)
  const take = async (row: Transaction) => {
    if (!row.suggestion || isDone(row)) return
    busy.current.add(row.id)
    await accept(row, row.suggestion.id).then((now) => finished(now, `${nameOf(now)}: booked to ${ledgerOf(row.suggestion?.ledger_id ?? '')}.`), sayFailed)
    busy.current.delete(row.id)
  }
  const takeBack = async () => {
    const last = done.at(-1)
    if (!last || opened || busy.current.has(last.id)) return
    busy.current.add(last.id)
    await undo(last.id).then(() => {
      setDone((before) => before.filter(({ id }) => id !== last.id))
      say(`${last.name} waits again.`)
      void postingChanges(queries)
    }, sayFailed)
    busy.current.delete(last.id)
  }
  const turn = (row: Transaction) => {
    const next = new Map(chosen)
    if (!next.delete(row.id)) next.set(row.id, row)
    choose(next)
  }
  const onKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, row: Transaction): boolean => {
    if (ctrlKey || metaKey || altKey) return false
    const does: Record<string, () => void> = {
      o: () => void go({ to: `/transactions/${row.id}` }),
      ...(writes ? { a: () => void take(row), c: () => start(row), x: () => turn(row), ' ': () => turn(row) } : {}),
    }
    does[key.toLowerCase()]?.()
    return does[key.toLowerCase()] !== undefined
  }
  useHotkeys([
    ['u', () => void takeBack()],
    [
      'ArrowDown', () => document.activeElement === document.body && document.querySelector<HTMLElement>('[role=row][data-index]')?.focus(),
      { preventDefault: false },
    ],
  ])

  const pick: Column<Transaction> = {
    name: 'pick', title: '', width: '44px',
    cell: (row) => (
      <Checkbox
        aria-label={`Choose ${nameOf(row)}`} size="xs" tabIndex={-1} checked={chosen.has(row.id)} onClick={(event) => event.stopPropagation()}
        onChange={() => turn(row)}
      />
    ),
  }
  const proposal: Column<Transaction> = {
    name: 'proposal', title: 'Proposed', width: 'minmax(230px, 1.4fr)',
    cell: (row) => <Proposal transaction={row} ledgerOf={ledgerOf} writes={writes} accept={() => void take(row)} choose={() => start(row)} />,
  }
  return (
    <Page title="To categorize" actions={(
      <>
        <Button component={Link} to="/transactions/defaults" variant="default">What always holds</Button>
        <Button component={Link} to="/transactions" variant="default">All transactions</Button>
      </>
    )}>
      <Group gap="sm">
        <SegmentedControl
          aria-label="Which" value={undecided ? 'undecided' : 'waiting'} onChange={(which) => change({ which: which === 'undecided' ? which : null })}
          data={[
            { value: 'waiting', label: `Waiting${waiting === undefined ? '' : ` (${waiting.toLocaleString()})`}` },
            { value: 'undecided', label: 'Undecided' },
          ]}
        />
        <Select
          aria-label="Ledger" placeholder="Every cash ledger" clearable w={190} value={given['ledger_id'] ?? null}
          onChange={(ledger_id) => change({ ledger_id })}
          data={summary.data?.map(({ ledger_id, ledger_name }) => ({ value: ledger_id, label: ledger_name })) ?? []}
        />
      </Group>
      {writes && (
        <Group gap="xs" mih={36}>
          <BulkCategorize
            transactions={[...chosen.values()]} count={chosen.size}
            on_done={(ids) => {
              choose(new Map())
              setDone((before) => [...before, ...ids])
            }}
          />
          {chosen.size === 0
            ? (
              <Button size="xs" variant="subtle" onClick={() => choose(
                new Map(loadedRows<Transaction>(queries, query_key).slice(0, 1000).map((row) => [row.id, row]))
              )}>
                Choose all that are loaded
              </Button>
            )
            : <Button size="xs" variant="subtle" onClick={() => choose(new Map())}>Choose none</Button>}
          {done.length > 0 && <Button size="xs" variant="default" onClick={() => void takeBack()}>Undo {done.at(-1)?.name}</Button>}
        </Group>
      )}
      <DataList
        label="Transactions that wait" columns={[...(writes ? [pick] : []), ...columns, proposal]} query_key={query_key}
        height="max(320px, calc(100dvh - 310px))"
        read={(cursor) => dataOf(api.GET('/api/v1/transactions', { params: { query: { ...query, limit: 100, ...(cursor ? { cursor } : {}) } as object } }))}
        open={(row) => (writes ? void start(row) : void go({ to: `/transactions/${row.id}` }))} on_key={onKey}
        empty={<Empty title="Nothing waits">Every transaction of the bank is accounted for. New ones show up here by themselves.</Empty>}
      />
      {writes && (
        <Group gap="md" visibleFrom="sm" aria-label="Keys">
          {KEYS.map(([key, does]) => <Text key={key} size="xs" c="dimmed"><Kbd size="xs">{key}</Kbd> {does}</Text>)}
        </Group>
      )}
      <CategoryDrawer
        transaction={opened} close={() => open(null)}
        on_done={(now) => {
          open(null)
          finished(now, `${nameOf(now)} is booked.`)
        }}
      />
    </Page>
  )
}
