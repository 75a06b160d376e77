// Presenting: one slide, the keys of a presenter, full screen and notes. Hidden slides are passed over, but can be chosen from the list.
import { Badge, Button, Group, Kbd, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useAddress } from '../parts/address.ts'
import { periodWords } from './deck-words.ts'
import styles from './deck.module.css'
import type { Deck, Slide } from './reading.ts'
import { SlideList } from './slide-list.tsx'
import { SlideView } from './slide-view.tsx'

/** Where keys belong to what is typed or chosen there. */
const BUSY = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=combobox]'

export function SlideShow({ deck }: { deck: Deck }) {
  const { slides } = deck
  const stage = useRef<HTMLDivElement>(null)
  const [given, change] = useAddress()
  const [noted, { toggle }] = useDisclosure()
  const shown = slides.find(({ position }) => String(position) === given['slide']) ?? slides.find(({ hidden }) => !hidden) ?? slides[0]
  const seen = slides.filter((slide) => !slide.hidden)
  const show = (slide: Slide | undefined) => slide && change({ slide: String(slide.position) })
  const step = (by: 1 | -1) => {
    const here = shown?.position ?? 0
    show(by > 0 ? seen.find(({ position }) => position > here) : seen.findLast(({ position }) => position < here))
  }
  const fill = () => void (document.fullscreenElement ? document.exitFullscreen() : stage.current?.requestFullscreen?.())
  const keys: Record<string, () => void> = {
    ArrowRight: () => step(1), ArrowDown: () => step(1), PageDown: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1), PageUp: () => step(-1),
    ' ': () => step(1), Home: () => show(seen[0]), End: () => show(seen.at(-1)), f: fill, F: fill, n: toggle, N: toggle,
  }
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest(BUSY)) return
      if (event.key === ' ' && target.closest('button, a, summary')) return
      const act = latest.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  if (!shown) return null
  const { speaker_notes } = shown
  return (
    <div className={styles.layout}>
      <SlideList slides={slides} shown={shown} choose={show} />
      <div className={styles.stage} ref={stage}>
        <SlideView slide={shown} below={periodWords(deck)} />
        <div className={styles.bar}>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => step(-1)} aria-label="Previous slide">←</Button>
            <Text size="sm" role="status" aria-live="polite">Slide {shown.position} of {slides.length}</Text>
            <Button size="xs" variant="default" onClick={() => step(1)} aria-label="Next slide">→</Button>
            {shown.hidden && <Badge variant="light" color="gray">Hidden</Badge>}
          </Group>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={toggle} aria-expanded={noted}>Notes</Button>
            <Button size="xs" variant="default" onClick={fill}>Full screen</Button>
          </Group>
        </div>
        {noted && (
          <Paper withBorder p="sm" className={styles.notes ?? ''} component="section" aria-label="Speaker notes">
            <Text size="sm" style={{ whiteSpace: 'pre-line' }} {...(speaker_notes ? {} : { c: 'dimmed' })}>
              {speaker_notes ?? 'There are no notes on this slide.'}
            </Text>
          </Paper>
        )}
        <Text size="xs" c="dimmed" visibleFrom="sm">
          <Kbd>←</Kbd> <Kbd>→</Kbd> or <Kbd>Space</Kbd> step, <Kbd>Home</Kbd> and <Kbd>End</Kbd> jump, <Kbd>F</Kbd> fills the screen,{' '}
          <Kbd>N</Kbd> shows notes.
        </Text>
      </div>
    </div>
  )
}
