// What was signed when a month was closed, and what has changed in it since.
import { Alert, Anchor, Code, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, ApiError, dataOf, type Schemas } from '../api.ts'
import { day, moment, money, words } from '../format.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import { ledgerName, useLedgerNames } from '../parts/reading.ts'
import { useBusiness } from '../session.tsx'
import type { Period } from './period-status.tsx'
import style from './report-table.module.css'

type Certificate = Schemas['PeriodCertificate']

export function PeriodCertificate({ period }: { period: Period }) {
  const period_id = period.id
  const params = { path: { period_id } }
  const certificate = useQuery({
    queryKey: ['accounting-periods', period_id, 'certificate'],
    queryFn: () => dataOf(api.GET('/api/v1/accounting-periods/{period_id}/certificate', { params })),
  })
  if (certificate.isPending) return <Loading what="Loading the certificate" />
  if (certificate.isError) return certificate.error instanceof ApiError && certificate.error.status === 404 ? null : (
    <Failure
      error={certificate.error} again={() => void certificate.refetch()}
    />
  )
  const { signed_by_name, signed_at, journal_number, hash, tie_outs } = certificate.data
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">Certificate</Title>
      <Text size="sm">Signed by {signed_by_name} on {moment(signed_at)}, after entry {journal_number} of the journal.</Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>SHA-256 <Code>{hash}</Code></Text>
      <Drift period_id={period_id} />
      <TieOuts tie_outs={tie_outs} end_date={period.end_date} />
      <CertifiedBalances certificate={certificate.data} period={period} />
    </Stack>
  )
}

function Drift({ period_id }: { period_id: string }) {
  const { base_currency } = useBusiness()
  const nameOf = useLedgerNames()
  const drift = useQuery({
    queryKey: ['accounting-periods', period_id, 'drift'],
    queryFn: () => dataOf(api.GET('/api/v1/accounting-periods/{period_id}/drift', { params: { path: { period_id } } })),
  })
  if (drift.isPending) return null
  if (drift.isError) return <Failure error={drift.error} again={() => void drift.refetch()} />
  const { unchanged, entries, changes } = drift.data
  if (unchanged) return <Alert color="green" title="Nothing has changed">The month shows to the cent what was signed.</Alert>
  return (
    <Alert color="yellow" title="The month has changed since it was signed">
      <Stack gap={4}>
        {entries.map(({ id, number, date, memo, total }) => (
          <Text key={id} size="sm">
            <Anchor component={Link} to={`/journal/${id}`} inherit underline="always">Entry {number}</Anchor>, {day(date)}, {money(total, base_currency)} {memo}
          </Text>
        ))}
        {changes.map(({ ledger_id, certified, now, difference }) => (
          <Text key={ledger_id} size="sm">
            {nameOf(ledger_id)}: {money(certified, base_currency)} was signed, now it is {money(now, base_currency)} ({money(difference, base_currency)}).
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

function TieOuts({ tie_outs, end_date }: { tie_outs: Certificate['tie_outs']; end_date: string }) {
  const { base_currency } = useBusiness()
  return tie_outs.map(({ role, ledger_id, ledger_balance, item_balance, difference }) => (
    <Text key={role} size="sm">
      {words(role)}:{' '}
      <Anchor component={Link} c="inherit" inherit underline="always" to="/reports/general-ledger" search={{ ledger_id, end_date } as never}>
        {money(ledger_balance, base_currency)}
      </Anchor>
      {' '}in the ledger, {money(item_balance, base_currency)} in open items
      {difference === 0 ? '.' : `, which is ${money(difference, base_currency)} apart.`}
    </Text>
  ))
}

const AMOUNTS = ['opening', 'debit', 'credit', 'closing'] as const

function CertifiedBalances({ certificate: { trial_balance }, period: { start_date, end_date } }: { certificate: Certificate; period: Period }) {
  const { base_currency } = useBusiness()
  return (
    <div className={style['frame']} tabIndex={0} role="region" aria-label="Certified trial balance">
      <Table className={style['table'] ?? ''} withRowBorders={false} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={style['label'] ?? ''}>Ledger</Table.Th>
            {AMOUNTS.map((name) => <Table.Th key={name} scope="col" className="figures">{words(name)}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {trial_balance.map((row) => (
            <Table.Tr key={row.ledger_id}>
              <Table.Th scope="row" className={style['label'] ?? ''}>
                <Anchor
                  component={Link} c="inherit" inherit to="/reports/general-ledger"
                  search={{ ledger_id: row.ledger_id, start_date, end_date } as never}
                >
                  {ledgerName(row)}
                </Anchor>
              </Table.Th>
              {AMOUNTS.map((name) => <Table.Td key={name} className="figures">{money(row[name], base_currency)}</Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
