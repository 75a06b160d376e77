// What the files of a deck are made of, beside its slides.
import type { Picture } from '../../foundation/pictures.ts'

/** The part of a deck that stands in its files. */
export type DeckHead = { title: string; period_start: string; period_end: string; basis: string; data_as_of: string | null }

export type DeckFileOptions = {
  business: { name: string; currency: string; country: string }
  /** Hidden slides are left out without it; a presentation marks them as hidden, a PDF in words. */
  include_hidden: boolean
  include_notes: boolean
  /** The pictures of image blocks, by document. */
  pictures?: ReadonlyMap<string, Picture>
  /** Called with how many slides are done; waited for. */
  progress?: (done: number) => Promise<void>
}
