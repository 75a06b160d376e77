// What the pages of decks and boards read, and how they write so that two people do not overwrite each other.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, ApiError, dataOf, type Schemas } from '../api.ts'
import { isFinished, useJob } from '../parts/use-job.ts'
import { useBusiness } from '../session.tsx'

export type Deck = Schemas['Deck']
export type DeckSummary = Schemas['DeckSummary']
export type Slide = Schemas['DeckSlide']
export type Block = Schemas['SlideBlock']
export type Figure = Schemas['BoundFigure']
export type Binding = Schemas['FigureBinding']

const keyOf = (deck_id: string) => ['decks', 'one', deck_id]

export const useDeck = (deck_id: string) => useQuery({
  queryKey: keyOf(deck_id),
  queryFn: () => dataOf(api.GET('/api/v1/ai-reporting/decks/{deck_id}', { params: { path: { deck_id } } })),
})

/** Puts a slide that was just written in its place, before the deck is read anew. */
export function useHeardSlide(deck_id: string): (slide: Slide) => void {
  const queries = useQueryClient()
  return (slide) => {
    queries.setQueryData<Deck>(keyOf(deck_id), (deck) => (
      deck ? { ...deck, slides: deck.slides.map((each) => (each.id === slide.id && each.version <= slide.version ? slide : each)) } : deck))
    void queries.invalidateQueries({ queryKey: ['decks'] })
  }
}

/** The job that makes or refreshes a deck while it goes on; when it ends the deck is read anew. */
export function useDeckJob(job_id: string) {
  const queries = useQueryClient()
  const { data: job } = useJob(job_id)
  const ended = job !== undefined && isFinished(job)
  useEffect(() => {
    if (ended) void queries.invalidateQueries({ queryKey: ['decks'] })
  }, [ended, queries])
  return job && !ended ? job : null
}

/** Only if it is still as it was read. */
export const ifMatch = (version: number) => ({ 'if-match': `"${version}"` })
export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412

/** Who has made something, by name; nobody where the name is not known. */
export function usePeople(): (user_id: string | null) => string | null {
  const { id: business_id } = useBusiness()
  const { data } = useQuery({
    queryKey: ['members', 'names', business_id], staleTime: 300_000, retry: false,
    queryFn: () => dataOf(api.GET('/api/v1/businesses/{business_id}/members', { params: { path: { business_id }, query: { limit: 1000 } } })),
  })
  const people: { user_id: string; name: string }[] = data?.items ?? []
  return (user_id) => people.find((person) => person.user_id === user_id)?.name ?? null
}
