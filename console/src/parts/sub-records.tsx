// What belongs to a record and is kept on its page: a table with a form beside it to add, change and remove.
import { Button, Drawer, Group, Table, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ActionButton } from './action-button.tsx'
import { Section } from './details.tsx'
import { RecordForm, type Field } from './record-form.tsx'
import { useSaved } from './saved.ts'

export type SubColumn<Row> = { title: string; cell: (row: Row) => ReactNode; figures?: boolean }

type SubRecordsProps<Row extends { id: string }, Body extends object> = {
  title: string
  /** What one of them is called, in a sentence. */
  noun: string
  rows: readonly Row[]
  name_of: (row: Row) => string
  columns: readonly SubColumn<Row>[]
  empty: string
  touched: readonly string[]
  fields?: readonly Field[]
  add?: ((body: Body) => Promise<unknown>) | undefined
  change?: ((row: Row, body: Body) => Promise<unknown>) | undefined
  remove?: ((row: Row) => Promise<unknown>) | undefined
  /** Whether this one can still be changed. */
  fixed?: (row: Row) => boolean
  /** Further buttons of a row. */
  more?: (row: Row) => ReactNode
}

const NONE: readonly Field[] = []

export function SubRecords<Row extends { id: string }, Body extends object>(props: SubRecordsProps<Row, Body>) {
  const { title, noun, rows, name_of, columns, empty, touched, fields = NONE, add, change, remove, fixed = () => false, more } = props
  const [edited, edit] = useState<Row | 'new' | null>(null)
  const saved = useSaved(touched)
  const close = () => edit(null)
  const record = edited === 'new' || edited === null ? undefined : edited
  const save = async (body: Body) => {
    await (record ? change?.(record, body) : add?.(body))
    close()
    saved(record ? 'Saved.' : `The ${noun} was added.`)
  }
  const buttons = change || remove || more
  const buttonsOf = (row: Row) => (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {more?.(row)}
      {change && !fixed(row) && <Button size="xs" variant="default" onClick={() => edit(row)} aria-label={`Change ${name_of(row)}`}>Change</Button>}
      {remove && !fixed(row) && (
        <ActionButton small grave button="Remove" words={`${name_of(row)} is removed.`} run={() => remove(row)} touched={touched} done="Removed." />
      )}
    </Group>
  )
  const adding = add && <Button size="xs" variant="default" onClick={() => edit('new')}>Add {noun}</Button>
  return (
    <Section title={title} actions={adding}>
      {rows.length === 0 ? <Text size="sm" c="dimmed">{empty}</Text> : (
        <SmallTable label={title} columns={[
          ...columns.map(({ title: heading, figures = false }) => ({ heading, figures })), ...(buttons ? [{ heading: '', figures: false }] : []),
        ]}>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              {columns.map(({ title: heading, cell, figures }) => (
                <Table.Td key={heading} {...(figures ? { className: 'figures' } : {})}>{cell(row)}</Table.Td>
              ))}
              {buttons && <Table.Td>{buttonsOf(row)}</Table.Td>}
            </Table.Tr>
          ))}
        </SmallTable>
      )}
      <Drawer
        opened={edited !== null} onClose={close} position="right" title={record ? `Change ${name_of(record)}` : `Add ${noun}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {edited !== null && (
          <RecordForm<Body>
            key={record?.id ?? 'new'} fields={fields} record={record} button={record ? 'Save' : `Add ${noun}`} save={save} cancel={close} columns={1}
          />
        )}
      </Drawer>
    </Section>
  )
}

export function SmallTable({ label, columns, children }: { label: string; columns: readonly { heading: string; figures: boolean }[]; children: ReactNode }) {
  return (
    <Table.ScrollContainer minWidth={Math.max(360, columns.length * 110)} type="native" tabIndex={0} role="region" aria-label={`${label}, table`}>
      <Table withTableBorder aria-label={label} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>{columns.map(({ heading, figures }, place) => (heading
            ? <Table.Th key={place} scope="col" style={figures ? { textAlign: 'right' } : {}}><Text size="xs" c="dimmed" fw={600}>{heading}</Text></Table.Th>
            : <Table.Td key={place} />))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
