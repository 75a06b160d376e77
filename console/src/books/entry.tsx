// One entry of the journal: its lines, where it comes from, and what can still be done with it.
import { Alert, Anchor, Group, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { day, moment, words } from '../format.ts'
import { Fact } from '../parts/fact.tsx'
import { Failure, Loading } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { DocumentLink } from './documents.tsx'
import { EntryActions } from './entry-actions.tsx'
import { EntryHistory } from './entry-history.tsx'
import { EntryLines } from './entry-lines.tsx'
import { isOwn, useEntry, type Entry } from './entry-reading.ts'
import { StatusBadge } from './entry-status.tsx'

export function EntryPage() {
  const { entry_id = '' } = useParams({ strict: false }) as { entry_id?: string }
  const entry = useEntry(entry_id)
  if (entry.isPending) return <Loading what="Loading the entry" />
  if (entry.isError) return <Failure error={entry.error} again={() => void entry.refetch()} />
  const { number, date, memo, status, source_type, source_id, is_adjusting, superseded } = entry.data
  return (
    <Page title={number === null ? 'Draft entry' : `Entry ${number}`} actions={<EntryActions entry={entry.data} />}>
      <Group gap="xl" align="flex-start">
        <Fact name="Date">{day(date)}</Fact>
        <Fact name="Status"><StatusBadge status={status} /></Fact>
        <Fact name="From"><DocumentLink source_type={source_type} source_id={source_id} /></Fact>
        {is_adjusting && <Fact name="Kind">Adjusting entry</Fact>}
        <Related entry={entry.data} />
      </Group>
      {memo && <Text>{memo}</Text>}
      {superseded && (
        <Alert color="yellow" title="On another date since">
          This entry was put on another date: it stands here only so that nothing is lost.
        </Alert>
      )}
      {!isOwn(entry.data) && <Text size="sm" c="dimmed">It belongs to a document ({words(source_type).toLowerCase()}) and is corrected there.</Text>}
      <EntryLines entry={entry.data} />
      <EntryHistory entry_id={entry_id} />
    </Page>
  )
}

function Related({ entry: { reversal_of_id, reversed_by_id, mirror_of_id, auto_reverse_on, posted_at, rate, currency } }: { entry: Entry }) {
  const to = (id: string, label: string) => <Anchor component={Link} to={`/journal/${id}`} size="sm">{label}</Anchor>
  return (
    <>
      {posted_at && <Fact name="Posted">{moment(posted_at)}</Fact>}
      {rate !== null && rate !== '1' && <Fact name="Rate">{rate} for 1 {currency}</Fact>}
      {reversal_of_id && <Fact name="Reverses">{to(reversal_of_id, 'The entry it takes back')}</Fact>}
      {reversed_by_id && <Fact name="Reversed by">{to(reversed_by_id, 'The entry that takes it back')}</Fact>}
      {mirror_of_id && <Fact name="Mirror of">{to(mirror_of_id, 'The planned entry before')}</Fact>}
      {auto_reverse_on && <Fact name="Reverses itself on">{day(auto_reverse_on)}</Fact>}
    </>
  )
}
