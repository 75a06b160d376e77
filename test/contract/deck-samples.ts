// Calls of decks and their slides that work: each has a deck of its own, made by the worker's code.
import { newDeck } from '../support/decks.ts'
import type { Team } from '../support/people.ts'
import type { Sample } from './samples.ts'

const deckOf = (team: Team) => newDeck(team.client, { template: 'custom' })

export const deckIds: Record<string, (team: Team) => Promise<string>> = {
  deck_id: async (team) => (await deckOf(team)).id,
}

type Made = (team: Team, plain: Sample) => Promise<Partial<Sample>>

const onSlide: Made = async (team) => {
  const { id: deck_id, slides } = await deckOf(team)
  return { params: { deck_id, slide_id: slides[1].id } }
}

export const deckSamples: Record<string, Made> = {
  refresh_deck: async () => ({ body: { overwrite_edits: true } }),
  async reorder_slides(team) {
    const { id: deck_id, slides } = await deckOf(team)
    return { params: { deck_id }, body: { slide_ids: slides.map(({ id }: { id: string }) => id).toReversed() } }
  },
  update_slide: onSlide,
  duplicate_slide: onSlide,
  refresh_slide: onSlide,
  toggle_slide_hidden: onSlide,
}
