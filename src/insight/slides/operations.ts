// Slides of decks as rows: read in their order, written one by one or all at once. What may be done with them is decided above.
//
//   visibleSlides(tx, deck_id, include_hidden)     as exports and public links see them
//   readSlides, holdSlides, readSlide, holdSlide   the rows; `hold` keeps them until the transaction ends
//   insertSlides, saveSlides, makeRoom, arrange    writes that travel with the commit
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import type { Slide, SlideRow } from './contract.ts'
import * as store from './store.ts'

/** The slides of a deck in their order; hidden ones only where they are asked for. */
export function visibleSlides(tx: BusinessTx, deck_id: string, include_hidden: boolean): Promise<Slide[]> {
  return tx.many(store.visibleSlidesOf, { deck_id, include_hidden })
}

export function readSlides(tx: BusinessTx, deck_id: string): Promise<SlideRow[]> {
  return tx.many(store.slidesOf, { deck_id })
}

export function holdSlides(tx: BusinessTx, deck_id: string): Promise<SlideRow[]> {
  return tx.many(store.lockSlidesOf, { deck_id })
}

export async function readSlide(tx: BusinessTx, deck_id: string, slide_id: string): Promise<SlideRow> {
  return ofDeck(await tx.find(store.findSlide, { id: slide_id }), deck_id)
}

/** If-Match is held against its version. */
export async function holdSlide(tx: BusinessTx, deck_id: string, slide_id: string): Promise<SlideRow> {
  const slide = ofDeck(await tx.find(store.lockSlide, { id: slide_id }), deck_id)
  tx.checkMatch(slide.version)
  return slide
}

/** A slide is found in its own deck only. */
function ofDeck(slide: SlideRow | null, deck_id: string): SlideRow {
  if (slide?.deck_id !== deck_id) throw notFound('Slide')
  return slide
}

export function insertSlides(tx: BusinessTx, slides: readonly SlideRow[]): void {
  tx.queue(store.insertSlides, { rows: JSON.stringify(slides) })
}

export function saveSlides(tx: BusinessTx, slides: readonly SlideRow[]): void {
  tx.queue(store.saveSlides, { rows: JSON.stringify(slides) })
}

/** Everything from this place on moves back by one. */
export function makeRoom(tx: BusinessTx, deck_id: string, position: number): void {
  tx.queue(store.moveBack, { deck_id, position })
}

/** The slides of a deck in the order of these ids, which are all of them. */
export function arrange(tx: BusinessTx, deck_id: string, slide_ids: readonly string[]): void {
  tx.queue(store.reorder, { deck_id, ids: [...slide_ids] })
}

/** A slide as it is shown: the row without what only the table needs. */
export function shownSlide({ business_id: _business, created_at: _created, updated_at: _updated, ...slide }: SlideRow): Slide {
  return slide
}
