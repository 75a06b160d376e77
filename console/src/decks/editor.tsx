// Editing a deck: its slides in their order, and the one that is changed, as it looks and as it is made.
import { Button, Stack, Text } from '@mantine/core'
import { Link, useBlocker, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '../parts/address.ts'
import { Loaded } from '../parts/details.tsx'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { AddSlide } from './add-slide.tsx'
import { DeckProgress, DeckState } from './deck-progress.tsx'
import { periodWords } from './deck-words.ts'
import styles from './deck.module.css'
import { useDeck, type Deck } from './reading.ts'
import { draftOf, isChanged, type SlideDraft } from './slide-draft.ts'
import { SlideForm } from './slide-form.tsx'
import { SlideOrder } from './slide-order.tsx'
import { SlideView } from './slide-view.tsx'

export function DeckEditorPage() {
  const { deck_id } = useParams({ strict: false }) as { deck_id: string }
  const deck = useDeck(deck_id)
  return <Loaded query={deck}>{(found) => <Editor deck={found} />}</Loaded>
}

function Editor({ deck }: { deck: Deck }) {
  const { id, title, slides } = deck
  const [given, change] = useAddress()
  const [drafts, setDrafts] = useState<Record<string, SlideDraft>>({})
  const unsaved = new Set(Object.values(drafts).filter(isChanged).map(({ base }) => base.id))
  useBlocker({
    shouldBlockFn: ({ current, next }) => (
      current.pathname !== next.pathname && unsaved.size > 0 && !window.confirm('What you typed is not saved. Leave all the same?')),
    enableBeforeUnload: () => unsaved.size > 0,
  })
  const shown = slides.find((slide) => slide.id === given['slide']) ?? slides[0]
  const choose = (slide: string) => change({ slide })
  const keep = (slide_id: string, draft: SlideDraft | null) => setDrafts((before) => {
    const others = Object.fromEntries(Object.entries(before).filter(([each]) => each !== slide_id))
    return draft ? { ...others, [slide_id]: draft } : others
  })
  const done = <Button component={Link} to={`/decks/${id}`} search={(shown ? { slide: String(shown.position) } : {}) as never}>Done</Button>
  return (
    <Page title={`Edit ${title}`} actions={<>{deck.status === 'ready' && <AddSlide deck={deck} behind={shown?.position ?? 0} on_added={choose} />}{done}</>}>
      <DeckProgress deck={deck} />
      <DeckState deck={deck} />
      {!shown && <Empty title="There are no slides">Add the first one.</Empty>}
      {shown && (
        <div className={styles.layout} data-edits="true">
          <Stack gap="xs">
            <SlideOrder deck={deck} shown={shown} unsaved={unsaved} choose={choose} />
            <Text size="xs" c="dimmed">Drag a slide, use its arrows, or hold Alt and press the arrow keys. Hidden slides are in no public link.</Text>
          </Stack>
          <div className={styles.stage}>
            <SlideView slide={shown} below={periodWords(deck)} />
            <SlideForm
              key={shown.id} deck={deck} slide={shown} draft={draftFor(drafts[shown.id], shown)} on_draft={(draft) => keep(shown.id, draft)}
            />
          </div>
        </div>
      )}
    </Page>
  )
}

/** One that changes nothing gives way to the slide as it is now. */
const draftFor = (draft: SlideDraft | undefined, slide: Deck['slides'][number]): SlideDraft => (draft && isChanged(draft) ? draft : draftOf(slide))
