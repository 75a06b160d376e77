// The slides of a deck while it is edited: chosen, moved by dragging or by buttons, hidden, duplicated and refreshed.
import { ActionIcon, Badge, Box, Group, Menu, NavLink, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type DragEvent } from 'react'
import { api, dataOf } from '../api.ts'
import { say, sayFailed } from '../parts/feedback.tsx'
import styles from './deck.module.css'
import { ifMatch, isOutdated, useHeardSlide, type Deck, type Slide } from './reading.ts'

type SlideOrderProps = { deck: Deck; shown: Slide; unsaved: ReadonlySet<string>; choose: (slide_id: string) => void }

const moved = (ids: readonly string[], from: number, to: number): string[] => {
  const rest = ids.filter((_, place) => place !== from)
  return [...rest.slice(0, to), ids[from] as string, ...rest.slice(to)]
}

export function SlideOrder({ deck, shown, unsaved, choose }: SlideOrderProps) {
  const { id: deck_id, slides, version } = deck
  const queries = useQueryClient()
  const heard = useHeardSlide(deck_id)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const again = () => void queries.invalidateQueries({ queryKey: ['decks'] })
  const failed = (error: unknown) => {
    again()
    sayFailed(isOutdated(error) ? new Error('Somebody else has changed this deck meanwhile. It is shown anew: try again.') : error)
  }
  const order = useMutation({
    mutationFn: (slide_ids: string[]) => dataOf(api.POST('/api/v1/ai-reporting/decks/{deck_id}/slides/reorder', {
      params: { path: { deck_id } }, body: { slide_ids }, headers: ifMatch(version),
    })),
    onSuccess: (after) => queries.setQueryData(['decks', 'one', deck_id], after), onError: failed, onSettled: again,
  })
  const move = (from: number, to: number) => {
    if (to >= 0 && to < slides.length && to !== from && !order.isPending) order.mutate(moved(slides.map(({ id }) => id), from, to))
  }
  const paths = {
    duplicate: '/api/v1/ai-reporting/decks/{deck_id}/slides/{slide_id}/duplicate', refresh: '/api/v1/ai-reporting/decks/{deck_id}/slides/{slide_id}/refresh',
    hide: '/api/v1/ai-reporting/decks/{deck_id}/slides/{slide_id}/toggle-hidden',
  } as const
  const act = useMutation({
    mutationFn: ({ what, slide_id }: { what: keyof typeof paths; slide_id: string }) =>
      dataOf(api.POST(paths[what], { params: { path: { deck_id, slide_id } } })),
    onSuccess: (after, { what }) => {
      heard(after)
      if (what === 'duplicate') choose(after.id)
      say({
        duplicate: 'The copy stands behind it.', refresh: 'The slide has new figures.', hide: after.hidden ? 'The slide is hidden.' : 'The slide is shown.',
      }[what])
    },
    onError: failed,
  })
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault()
    if (dragged !== null) move(dragged, to)
    setDragged(null)
    setOver(null)
  }
  return (
    <Box component="nav" aria-label="Slides" className={styles.list ?? ''}>
      {slides.map((slide, place) => (
        <div
          key={slide.id} className={styles.row} draggable data-over={over === place} onDragStart={() => setDragged(place)} onDragEnd={() => setOver(null)}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(place)
          }}
          onDrop={(event) => drop(event, place)}
        >
          <NavLink
            component="button" type="button" active={slide.id === shown.id} onClick={() => choose(slide.id)}
            {...(slide.id === shown.id ? { 'aria-current': 'true' } : {})}
            onKeyDown={(event) => {
              if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
              event.preventDefault()
              move(place, event.key === 'ArrowUp' ? place - 1 : place + 1)
            }}
            label={(
              <Group gap={6} wrap="nowrap">
                <Text span size="sm" className="figures" w={20}>{slide.position}</Text>
                <Text span size="sm" lineClamp={2}>{slide.title}</Text>
                {slide.hidden && <Badge size="xs" variant="light" color="gray" miw="max-content">Hidden</Badge>}
                {unsaved.has(slide.id) && <Badge size="xs" variant="light" color="yellow" miw="max-content">Unsaved</Badge>}
              </Group>
            )}
          />
          <ActionIcon
            variant="subtle" color="gray" disabled={place === 0} onClick={() => move(place, place - 1)} aria-label={`Move ${slide.title} up`}
          >
            ↑
          </ActionIcon>
          <ActionIcon
            variant="subtle" color="gray" disabled={place === slides.length - 1} onClick={() => move(place, place + 1)}
            aria-label={`Move ${slide.title} down`}
          >
            ↓
          </ActionIcon>
          <Menu position="bottom-end">
            <Menu.Target><ActionIcon variant="subtle" color="gray" aria-label={`More about ${slide.title}`}>⋯</ActionIcon></Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => act.mutate({ what: 'hide', slide_id: slide.id })}>{slide.hidden ? 'Show the slide' : 'Hide the slide'}</Menu.Item>
              <Menu.Item onClick={() => act.mutate({ what: 'duplicate', slide_id: slide.id })}>Duplicate</Menu.Item>
              <Menu.Item onClick={() => act.mutate({ what: 'refresh', slide_id: slide.id })}>Refresh its figures</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      ))}
    </Box>
  )
}
