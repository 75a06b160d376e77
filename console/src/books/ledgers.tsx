// The chart of accounts as a tree with balances; every balance leads to its lines.
import { Anchor, Badge, Button, Group, Menu, Paper, SegmentedControl, Table, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { money, words } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { Failure, Loading, say, sayFailed } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { ledgerName } from '../parts/reading.ts'
import { useSession } from '../session.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { LedgerDrawer, type Editing } from './ledger-form.tsx'
import style from './report-table.module.css'

type Node = Omit<Schemas['LedgerNode1'], 'children'> & { children: Node[] }
type Shown = { node: Node; depth: number }

const flat = (nodes: Node[], depth = 0): Shown[] => nodes.flatMap((node) => [{ node, depth }, ...flat(node.children, depth + 1)])

/** A ledger and all below it, whose lines make up its balance. */
const belowAs = (node: Node): string => flat([node]).map((each) => each.node.id).join(',')

/** What matches, with everything above it. */
function matching(nodes: Node[], wanted: string): Node[] {
  return nodes.flatMap((node) => {
    const children = matching(node.children, wanted)
    return ledgerName(node).toLowerCase().includes(wanted) || children.length > 0 ? [{ ...node, children }] : []
  })
}

export function Ledgers() {
  const [given, change] = useAddress()
  const [wanted, setWanted] = useState('')
  const [editing, setEditing] = useState<Editing | null>(null)
  const { membership } = useSession()
  const { as_of, basis = 'accrual' } = given
  const tree = useQuery({
    queryKey: ['ledgers', 'tree', given], placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/api/v1/ledgers/tree', { params: { query: { ...(as_of ? { as_of } : {}), basis: basis as 'accrual' } } })),
  })
  const writes = membership?.role !== 'viewer'
  return (
    <Page
      title="Chart of accounts"
      actions={(
        <>
          <ExportButtons what="the chart" formats={['csv', 'xlsx']} path={(format) => `/api/v1/ledgers/export?format=${format}`} />
          {writes && <Button onClick={() => setEditing({ ledger_id: null, parent: null })}>New ledger</Button>}
        </>
      )}
    >
      <Group gap="sm">
        <TextInput
          aria-label="Search ledgers" placeholder="Number or name" w={200} value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <DayField hidden_label label="Balances as of" value={as_of ?? null} on_change={(day) => change({ as_of: day })} width={170} />
        <SegmentedControl
          aria-label="Basis" data={[{ value: 'accrual', label: 'Accrual' }, { value: 'cash', label: 'Cash' }]} value={basis}
          onChange={(chosen) => change({ basis: chosen })}
        />
      </Group>
      {tree.isPending && <Loading what="Loading the chart" />}
      {tree.isError && <Failure error={tree.error} again={() => void tree.refetch()} />}
      {tree.data?.types.map(({ type, total, ledgers }) => {
        const rows = flat(matching(ledgers as Node[], wanted.trim().toLowerCase()))
        if (rows.length === 0) return null
        return (
          <TypeTable
            key={type} type={type} total={total} rows={rows} currency={tree.data.base_currency}
            dates={{ basis, ...(as_of ? { end_date: as_of } : { period: 'all_time' }) }} edit={writes ? setEditing : null}
          />
        )
      })}
      {editing && <LedgerDrawer key={editing.ledger_id ?? editing.parent?.id ?? 'new'} editing={editing} close={() => setEditing(null)} />}
    </Page>
  )
}

const TITLES: Record<string, string> = { asset: 'Assets', liability: 'Liabilities', equity: 'Equity', income: 'Income', expense: 'Expenses' }

type TypeTableProps = { type: string; total: number; rows: Shown[]; currency: string; dates: Record<string, string>; edit: ((editing: Editing) => void) | null }

function TypeTable({ type, total, rows, currency, dates, edit }: TypeTableProps) {
  return (
    <Paper withBorder>
      <Table.ScrollContainer type="native" minWidth={340} tabIndex={0} role="region" aria-label={TITLES[type] ?? type}>
        <Table verticalSpacing={4} highlightOnHover className={style['table'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{TITLES[type]}</Table.Th>
              <Table.Th scope="col" visibleFrom="sm">Kind</Table.Th>
              <Table.Th scope="col" className="figures">{money(total, currency)}</Table.Th>
              <Table.Th scope="col" w={50}><span aria-hidden="true" /></Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ node, depth }) => (
              <Table.Tr key={node.id}>
                <Table.Td style={{ paddingInlineStart: `${0.75 + depth * 1.25}rem`, whiteSpace: 'normal' }}>
                  <Text span size="sm" fw={node.posting ? 400 : 600}>{ledgerName(node)}</Text>
                  {node.archived && <Badge ml={6} size="xs" color="gray" variant="light">Archived</Badge>}
                </Table.Td>
                <Table.Td visibleFrom="sm"><Text span size="sm" c="dimmed">{words(node.subtype)}</Text></Table.Td>
                <Table.Td className="figures">
                  <Anchor
                    component={Link} c="inherit" inherit to="/reports/general-ledger" search={{ ledger_id: belowAs(node), ...dates } as never}
                    aria-label={`${ledgerName(node)}: ${money(node.total, currency)}, see its lines`}
                  >
                    {money(node.total, currency)}
                  </Anchor>
                </Table.Td>
                <Table.Td>{edit && <NodeMenu node={node} edit={edit} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

function NodeMenu({ node, edit }: { node: Node; edit: (editing: Editing) => void }) {
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: (step: 'archive' | 'restore') =>
      dataOf(api.PUT(`/api/v1/ledgers/{ledger_id}/${step}` as '/api/v1/ledgers/{ledger_id}/archive', { params: { path: { ledger_id: node.id } } })),
    onSuccess: ({ archived }) => {
      say(archived ? `${node.name} is archived.` : `${node.name} is back.`)
      void queries.invalidateQueries({ queryKey: ['ledgers'] })
    },
    onError: sayFailed,
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target><Button size="compact-sm" variant="subtle" color="gray" aria-label={`What to do with ${ledgerName(node)}`}>⋯</Button></Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => edit({ ledger_id: node.id, parent: null })}>Rename or change</Menu.Item>
        <Menu.Item onClick={() => edit({ ledger_id: null, parent: node })}>Add a ledger below</Menu.Item>
        {node.archived ? (
          <Menu.Item onClick={() => act.mutate('restore')}>
            Restore
          </Menu.Item>
        ) : <Menu.Item onClick={() => act.mutate('archive')}>Archive</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
