// One month: what stands in the way of closing it, closing and reopening it, and what was certified.
import { Button, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api.ts'
import { day, moment } from '../format.ts'
import { Fact } from '../parts/fact.tsx'
import { Failure, Loading, say } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { PeriodCertificate } from './period-certificate.tsx'
import { PeriodChecks, useChecks } from './period-checks.tsx'
import { monthOf, PeriodStatus, type Period } from './period-status.tsx'
import { postingChanges } from './posting-changes.ts'

export function PeriodPage() {
  const { period_id = '' } = useParams({ strict: false }) as { period_id?: string }
  const period = useQuery({
    queryKey: ['accounting-periods', period_id],
    queryFn: () => dataOf(api.GET('/api/v1/accounting-periods/{period_id}', { params: { path: { period_id } } })),
  })
  if (period.isPending) return <Loading what="Loading the period" />
  if (period.isError) return <Failure error={period.error} again={() => void period.refetch()} />
  const { start_date, end_date, fiscal_year, closed_at, reopen_reason, status } = period.data
  return (
    <Page title={monthOf(period.data)}>
      <Group gap="xl" align="flex-start">
        <Fact name="Status"><PeriodStatus period={period.data} /></Fact>
        <Fact name="From">{day(start_date)}</Fact>
        <Fact name="To">{day(end_date)}</Fact>
        <Fact name="Fiscal year">{fiscal_year}</Fact>
        {closed_at && <Fact name="Closed">{moment(closed_at)}</Fact>}
        {reopen_reason && <Fact name="Reopened because">{reopen_reason}</Fact>}
      </Group>
      {status === 'closed' ? <Reopening period={period.data} /> : <Closing period={period.data} />}
      {(status === 'closed' || reopen_reason !== null) && <PeriodCertificate period={period.data} />}
    </Page>
  )
}

function useStep(period: Period, said: string) {
  const queries = useQueryClient()
  const params = { path: { period_id: period.id } }
  return useMutation({
    mutationFn: (step: { name: 'soft-close' } | { name: 'close'; accept_warnings: boolean } | { name: 'reopen'; reason: string }) => {
      if (step.name === 'soft-close') return dataOf(api.PUT('/api/v1/accounting-periods/{period_id}/soft-close', { params }))
      if (step.name === 'close') {
        return dataOf(api.PUT('/api/v1/accounting-periods/{period_id}/close', { params, body: { accept_warnings: step.accept_warnings } }))
      }
      return dataOf(api.PUT('/api/v1/accounting-periods/{period_id}/reopen', { params, body: { reason: step.reason } }))
    },
    onSuccess: () => {
      say(said)
      void postingChanges(queries)
    },
  })
}

function Closing({ period }: { period: Period }) {
  const [accepted, setAccepted] = useState(false)
  const close = useStep(period, `${monthOf(period)} is closed.`)
  const softly = useStep(period, `${monthOf(period)} is softly closed.`)
  const checks = useChecks(period.id)
  const warned = checks.data?.some(({ ok, severity }) => !ok && severity === 'warning') ?? false
  const failed = close.error ?? softly.error
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">Before it is closed</Title>
      <PeriodChecks period={period} />
      {warned && (
        <Checkbox
          label="I have seen the warnings: close it all the same." checked={accepted}
          onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
        />
      )}
      {failed && <Failure error={failed} />}
      <Group>
        <Button loading={close.isPending} onClick={() => close.mutate({ name: 'close', accept_warnings: accepted })}>Close {monthOf(period)}</Button>
        {period.status === 'open' && (
          <Button variant="default" loading={softly.isPending} onClick={() => softly.mutate({ name: 'soft-close' })}>
            Close it softly
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        Once closed, nobody books into the month, and a certificate with its trial balance is kept.
        Closed softly, only those who may override it still can, with a reason.
      </Text>
      {period.status === 'soft_closed' && <Reopening period={period} />}
    </Stack>
  )
}

function Reopening({ period }: { period: Period }) {
  const [reason, setReason] = useState('')
  const reopen = useStep(period, `${monthOf(period)} is open again.`)
  return (
    <form onSubmit={(event) => { event.preventDefault(); reopen.mutate({ name: 'reopen', reason: reason.trim() }) }}>
      <Stack gap="sm" maw={560}>
        <Group align="flex-end">
          <TextInput label="Reason to reopen it" required style={{ flex: 1 }} value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value)} />
          <Button type="submit" variant="default" loading={reopen.isPending}>Reopen</Button>
        </Group>
        {reopen.isError && <Failure error={reopen.error} />}
      </Stack>
    </form>
  )
}
