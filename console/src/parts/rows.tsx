// A short table: a few rows that are all there, with what can be done about each.
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './rows.module.css'

export type RowColumn<Row> = { title: string; cell: (row: Row) => ReactNode; figures?: boolean; wraps?: boolean }
type RowsProps<Row> = { label: string; rows: readonly Row[]; columns: readonly RowColumn<Row>[]; id: (row: Row) => string; width?: number }

export function Rows<Row>({ label, rows, columns, id, width = 640 }: RowsProps<Row>) {
  const style = (figures?: boolean) => (figures ? { className: 'figures' } : {})
  return (
    <Table.ScrollContainer minWidth={width} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing="xs" aria-label={label} className={styles.rows ?? ''}>
        <Table.Thead>
          <Table.Tr>{columns.map(({ title, figures }) => <Table.Th key={title} {...style(figures)}>{title}</Table.Th>)}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={id(row)}>
              {columns.map(({ title, cell, figures, wraps }) => <Table.Td key={title} {...style(figures)} data-wraps={wraps}>{cell(row)}</Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
