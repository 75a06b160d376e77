// A deck to look at and to present: one slide at a time, by keys, with everything that can be done with the whole.
import { Button, Group, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { moment } from '../format.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Loaded } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { DeckProgress, DeckState, RefreshButton } from './deck-progress.tsx'
import { COMPARISONS, periodWords, templateName } from './deck-words.ts'
import { ExportDialog } from './export-dialog.tsx'
import { DECK_FORMATS, DECK_PARTS, exportDeck } from './exporting.ts'
import { useDeck, usePeople, type Deck } from './reading.ts'
import { sharedDeck } from './shareable.ts'
import { Shares } from './shares.tsx'
import { SlideShow } from './slide-show.tsx'

export function DeckPage() {
  const { deck_id } = useParams({ strict: false }) as { deck_id: string }
  const deck = useDeck(deck_id)
  return <Loaded query={deck}>{(found) => <Content deck={found} />}</Loaded>
}

function Content({ deck }: { deck: Deck }) {
  const { id, title, status, slides, data_as_of, template, basis, comparison, created_by, generated_by } = deck
  const go = useNavigate()
  const writes = useMayWrite()
  const person = usePeople()(created_by)
  const ready = status === 'ready'
  const compared = COMPARISONS.find(({ value }) => value === comparison)?.label.toLowerCase()
  const actions = (
    <>
      {writes && ready && <Button component={Link} to={`/decks/${id}/edit`}>Edit</Button>}
      {writes && ready && <RefreshButton deck={deck} />}
      {writes && ready && <ExportDialog noun="deck" formats={DECK_FORMATS} parts={DECK_PARTS} start={exportDeck(id)} />}
      {writes && ready && <Shares shared={sharedDeck(id)} />}
      {writes && (
        <ActionButton
          grave button="Delete" words="The deck and its slides are deleted, and its public links open nothing any more. Files that were exported stay."
          touched={['decks']}
          done="The deck was deleted." run={() => api.DELETE('/api/v1/ai-reporting/decks/{deck_id}', { params: { path: { deck_id: id } } })}
          then={() => void go({ to: '/decks' })}
        />
      )}
    </>
  )
  return (
    <Page title={title} actions={actions}>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {templateName(template)}, {periodWords(deck)}, {basis} basis, compared with {compared ?? comparison}.
          {person && ` Made by ${person}.`}
          {data_as_of && ` Data as of ${moment(data_as_of)}.`}
          {generated_by && ` Words by ${generated_by === 'model' ? 'a model' : 'rules'}.`}
        </Text>
      </Group>
      <DeckProgress deck={deck} />
      <DeckState deck={deck} />
      {slides.length > 0 && <SlideShow deck={deck} />}
      {slides.length === 0 && ready && <Empty title="There are no slides">Add some by editing the deck.</Empty>}
    </Page>
  )
}
