// What the transactions of a counterparty always are: proposed, or booked without asking. Each can be changed and taken out.
import { Badge, Button, Drawer, Group, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { useAddress } from '../parts/address.ts'
import { DataList, type Column } from '../parts/data-list.tsx'
import { Facts } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { ledgerName, useLedgerNames, useLedgers } from '../parts/reading.ts'
import { RecordForm, type Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { useSaved } from '../parts/saved.ts'

type Default = Schemas['CounterpartyDefault']

const TOUCHED = ['counterparty-defaults', 'transactions']
const DIRECTIONS = { in: 'Money in', out: 'Money out', any: 'In and out' } as const

export function CounterpartyDefaults() {
  const [given, change] = useAddress()
  const writes = useMayWrite()
  const ledgerOf = useLedgerNames()
  const [edited, edit] = useState<Default | null>(null)
  const [adding, { open: add, close: endAdding }] = useDisclosure()
  const [sort, setSort] = useState({ sort_by: 'counterparty', descending: false })
  const search = useDebouncedCallback((q: string) => change({ q }), 300)
  const close = () => {
    edit(null)
    endAdding()
  }
  const columns: Column<Default>[] = [
    { name: 'counterparty', title: 'Counterparty', width: 'minmax(180px, 1fr)', sort_by: 'counterparty', cell: ({ counterparty }) => counterparty },
    { name: 'direction', title: 'Which', width: '120px', cell: ({ direction }) => DIRECTIONS[direction] },
    { name: 'ledger', title: 'Is for', width: 'minmax(180px, 1fr)', cell: ({ ledger_id }) => ledgerOf(ledger_id) },
    {
      name: 'auto_apply', title: 'How', width: '190px',
      cell: ({ auto_apply, problem }) => (problem
        ? <Badge color="red" variant="light">Passed over</Badge>
        : <Badge color={auto_apply ? 'green' : 'blue'} variant="light">{auto_apply ? 'Without asking' : 'Proposed'}</Badge>),
    },
    {
      name: 'applied_count', title: 'Used', width: '90px', figures: true, sort_by: 'applied_count',
      cell: ({ applied_count }) => applied_count.toLocaleString(),
    },
  ]
  return (
    <Page title="What always holds" actions={(
      <>
        <Button component={Link} to="/transactions/inbox" variant="default">To categorize</Button>
        {writes && <Button onClick={add}>Add a counterparty</Button>}
      </>
    )}>
      <TextInput
        aria-label="Search counterparties" placeholder="Part of the name" w={{ base: '100%', xs: 260 }} defaultValue={given['q'] ?? ''}
        onChange={({ currentTarget: { value } }) => search(value)}
      />
      <DataList
        label="Counterparties" columns={columns} query_key={['counterparty-defaults', 'list', given, sort]} sort={sort} on_sort={setSort} open={edit}
        read={(cursor) => dataOf(
          api.GET('/api/v1/counterparty-defaults', { params: { query: { ...given, ...sort, limit: 100, ...(cursor ? { cursor } : {}) } as object } })
        )}
        empty={(
          <Empty title="Nothing holds always">
            Say “always” when you categorize a transaction, or choose the same a few times: what a counterparty usually is then stands here.
          </Empty>
        )}
      />
      <Drawer opened={adding || edited !== null} onClose={close} position="right" title={edited?.counterparty ?? 'Add a counterparty'}>
        {(adding || edited) && <DefaultForm key={edited?.id ?? 'new'} kept={edited} writes={writes} close={close} />}
      </Drawer>
    </Page>
  )
}

function DefaultForm({ kept, writes, close }: { kept: Default | null; writes: boolean; close: () => void }) {
  const saved = useSaved(TOUCHED)
  const ledgers = (useLedgers().data ?? []).filter(({ archived, posting }) => !archived && posting)
  const fields: Field[] = [
    { name: 'counterparty', label: 'Counterparty', kind: 'text', required: true, words: 'Case, spaces and punctuation make no difference.' },
    {
      name: 'direction', label: 'Which transactions', kind: 'choice', required: true, initial: 'any',
      choices: Object.entries(DIRECTIONS).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'ledger_id', label: 'What they are for', kind: 'choice', required: true,
      choices: ledgers.map((ledger) => ({ value: ledger.id, label: ledgerName(ledger) })),
    },
    { name: 'memo', label: 'Memo', kind: 'text' },
    { name: 'auto_apply', label: 'Book them without asking', kind: 'switch', words: 'Otherwise it is proposed, and somebody accepts it.' },
  ]
  const path = kept && { params: { path: { default_id: kept.id } } }
  const save = async (body: Schemas['CounterpartyDefaultInput']) => {
    await (path ? api.PATCH('/api/v1/counterparty-defaults/{default_id}', { ...path, body }) : api.POST('/api/v1/counterparty-defaults', { body }))
    close()
    saved(kept ? 'Saved. What was categorized before stays as it is.' : 'From now on this holds.')
  }
  return (
    <Stack>
      {kept && (
        <Facts facts={[
          ['Made', kept.source === 'learned' ? 'From what people chose' : 'By hand'], ['Last used', moment(kept.last_applied_at)],
          ['Corrected afterwards', kept.corrected_count || null], ['Passed over because', kept.problem],
        ]} />
      )}
      {writes && <RecordForm fields={fields} record={kept ?? undefined} button={kept ? 'Save' : 'Add'} save={save} cancel={close} columns={1} />}
      {writes && path && (
        <Group>
          <ActionButton
            small grave button="Take it out" words="What was categorized by it stays as it is. Learning begins anew." touched={TOUCHED} done="Taken out."
            run={() => api.DELETE('/api/v1/counterparty-defaults/{default_id}', path)} then={close}
          />
        </Group>
      )}
    </Stack>
  )
}
