// The lines of an entry; each ledger leads to its general ledger, each customer and project to their page.
import { Anchor, Paper, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { money } from '../format.ts'
import { useDimensions, useLedgerNames } from '../parts/reading.ts'
import { useBusiness } from '../session.tsx'
import type { Entry } from './entry-reading.ts'
import { CustomerLink, ProjectLink } from './party-link.tsx'

type Line = Entry['lines'][number]

export function EntryLines({ entry }: { entry: Entry }) {
  const { base_currency } = useBusiness()
  const nameOf = useLedgerNames()
  const foreign = entry.lines.some(({ currency }) => currency !== base_currency)
  const sum = (side: 'debit' | 'credit') => money(entry.lines.reduce((all, line) => all + line[side], 0), entry.currency)
  const month = monthAround(entry.date)
  const one_currency = new Set(entry.lines.map(({ currency }) => currency)).size === 1
  return (
    <Paper withBorder>
      <Table.ScrollContainer type="native" minWidth={foreign ? 520 : 320} tabIndex={0} role="region" aria-label="Lines of the entry">
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Ledger</Table.Th>
              <Table.Th scope="col" className="figures">Debit</Table.Th>
              <Table.Th scope="col" className="figures">Credit</Table.Th>
              {foreign && <Table.Th scope="col" className="figures">In {base_currency}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entry.lines.map((line) => (
              <Table.Tr key={line.id}>
                <Table.Td>
                  <Anchor component={Link} to="/reports/general-ledger" search={{ ledger_id: line.ledger_id, ...month } as never} size="sm">
                    {nameOf(line.ledger_id)}
                  </Anchor>
                  <About line={line} />
                </Table.Td>
                <Table.Td className="figures">{line.debit === 0 ? '' : money(line.debit, line.currency)}</Table.Td>
                <Table.Td className="figures">{line.credit === 0 ? '' : money(line.credit, line.currency)}</Table.Td>
                {foreign && <Table.Td className="figures">{money(line.base_amount, base_currency)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
          {one_currency && (
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row">Total</Table.Th>
                <Table.Th className="figures">{sum('debit')}</Table.Th>
                <Table.Th className="figures">{sum('credit')}</Table.Th>
                {foreign && <Table.Td />}
              </Table.Tr>
            </Table.Tfoot>
          )}
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

/** The month of a day, from its first to its last. */
function monthAround(date: string): { start_date: string; end_date: string } {
  const last = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0))
  return { start_date: `${date.slice(0, 7)}-01`, end_date: last.toISOString().slice(0, 10) }
}

function About({ line: { memo, customer_id, project_id, dimension_value_ids } }: { line: Line }) {
  const dimensions = useDimensions(dimension_value_ids.length > 0).data ?? []
  return (
    <div>
      {memo && <Text size="sm">{memo}</Text>}
      {customer_id && <CustomerLink customer_id={customer_id} />}
      {project_id && <ProjectLink project_id={project_id} />}
      {dimensions.flatMap(({ id, name, values }) => values.filter(({ value }) => dimension_value_ids.includes(value)).map(({ label }) => (
        <Text key={id} span size="sm" c="dimmed" mr="sm">
          {name}: {label}
        </Text>
      )))}
    </div>
  )
}
