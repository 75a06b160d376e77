// What somebody is about to change on a slide: kept apart from the slide, so that neither a refresh nor another person loses it.
import type { Schemas } from '../api.ts'
import type { Binding, Block, Slide } from './reading.ts'

/** New blocks have no id of the service yet. */
export type BlockDraft = { key: string; id: string | null; kind: Block['kind']; text: string; chart: Block['chart']; binding: Binding | null }
export type SlideDraft = { base: Slide; title: string; notes: string; blocks: BlockDraft[]; removed: string[] }

export const draftOf = (slide: Slide): SlideDraft => ({
  base: slide, title: slide.title, notes: slide.speaker_notes ?? '', removed: [],
  blocks: slide.blocks.map(({ id, kind, text, chart, binding }) => ({ key: id, id, kind, text: text ?? '', chart, binding })),
})

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Only what was changed: the rest stays as it is, whoever changes it. */
export function changeOf({ base, title, notes, blocks, removed }: SlideDraft): Schemas['SlideChange'] {
  const changed = blocks.map((draft) => blockChange(draft, base.blocks.find(({ id }) => id === draft.id))).filter((each) => each !== null)
  return {
    ...(title.trim() === base.title ? {} : { title: title.trim() }),
    ...(notes === (base.speaker_notes ?? '') ? {} : { speaker_notes: notes.trim() === '' ? null : notes }),
    ...(changed.length > 0 ? { blocks: changed } : {}),
    ...(removed.length > 0 ? { removed_block_ids: removed } : {}),
  }
}

function blockChange({ id, kind, text, chart, binding }: BlockDraft, before: Block | undefined): Schemas['SlideBlockChange'] | null {
  const words = kind === 'text' ? { text: text.trim() === '' ? null : text } : {}
  if (!before || id === null) return { kind, ...words, ...(kind === 'chart' ? { chart: chart ?? 'bar' } : {}), ...(binding ? { binding } : {}) }
  const change = {
    ...(kind === 'text' && text !== (before.text ?? '') ? words : {}),
    ...(chart === before.chart ? {} : { chart }),
    ...(same(binding, before.binding) ? {} : { binding }),
  }
  return Object.keys(change).length > 0 ? { id, ...change } : null
}

export const isChanged = (draft: SlideDraft): boolean => Object.keys(changeOf(draft)).length > 0

/** The same changes, to what the slide has become meanwhile; blocks that are gone cannot be changed any more. */
export function movedTo(draft: SlideDraft, newer: Slide): SlideDraft {
  const there = new Set(newer.blocks.map(({ id }) => id))
  const fresh = draftOf(newer)
  const { base } = draft
  const mine = new Map(draft.blocks.map((block) => [block.id, block]))
  return {
    base: newer,
    title: draft.title === base.title ? fresh.title : draft.title,
    notes: draft.notes === (base.speaker_notes ?? '') ? fresh.notes : draft.notes,
    removed: draft.removed.filter((id) => there.has(id)),
    blocks: [
      ...fresh.blocks.filter(({ id }) => !draft.removed.includes(id ?? '')).map((block) => {
        const own = mine.get(block.id)
        const before = base.blocks.find(({ id }) => id === block.id)
        return own && before && blockChange(own, before) ? own : block
      }),
      ...draft.blocks.filter(({ id }) => id === null),
    ],
  }
}
