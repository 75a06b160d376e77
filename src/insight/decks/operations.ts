// Decks as they are read, held and deleted. How they are made is in deck-making, how their slides are changed in slide-editing.
//
//   getDeck(tx, id)             with its slides
//   lockReadyDeck(tx, id)       for update; a 400 unless it is ready
//   deckView                    what public links show of a deck
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { endShares } from '../shares/operations.ts'
import type { SharedDeck, SharedView } from '../shares/contract.ts'
import { visibleSlides } from '../slides/operations.ts'
import { deckResource, type Deck, type DeckRow, type DeckSummary } from './contract.ts'
import { requireReady } from './rules.ts'
import * as store from './store.ts'

export function listDecks(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.decks, query)
}

export async function getDeck(tx: BusinessTx, deck_id: string): Promise<Deck> {
  const [deck, slides] = await Promise.all([readDeck(tx, deck_id), visibleSlides(tx, deck_id, true)])
  return { ...shownDeck(deck), slides }
}

/** The row, without its slides. */
export function readDeck(tx: BusinessTx, deck_id: string): Promise<DeckRow> {
  return tx.get(store.findDeck, { id: deck_id }, 'Deck')
}

/** For a request that changes the deck itself: If-Match is held against its version. */
export function lockDeck(tx: BusinessTx, deck_id: string): Promise<DeckRow> {
  return tx.lock(store.lockDeck, { id: deck_id }, 'Deck')
}

/** The deck for update, without holding If-Match against it: what is changed may be one of its slides. */
export function holdDeck(tx: BusinessTx, deck_id: string): Promise<DeckRow> {
  return tx.get(store.lockDeck, { id: deck_id }, 'Deck')
}

/** The same where it may be gone. */
export function holdIfThere(tx: BusinessTx, deck_id: string): Promise<DeckRow | null> {
  return tx.find(store.lockDeck, { id: deck_id })
}

export async function readReadyDeck(tx: BusinessTx, deck_id: string): Promise<DeckRow> {
  const deck = await readDeck(tx, deck_id)
  requireReady(deck)
  return deck
}

export async function lockReadyDeck(tx: BusinessTx, deck_id: string): Promise<DeckRow> {
  const deck = await holdDeck(tx, deck_id)
  requireReady(deck)
  return deck
}

/** Exports stay: they are documents of their own. */
export async function deleteDeck(tx: BusinessTx, deck_id: string): Promise<DeckSummary> {
  const deck = await lockDeck(tx, deck_id)
  await endShares(tx, { type: 'deck', id: deck_id })
  tx.queue(store.deleteDeck, { id: deck_id })
  tx.record(deckResource, 'deck.deleted', { before: shownDeck(deck), after: null })
  return shownDeck(deck)
}

export function insertDeck(tx: BusinessTx, deck: DeckRow): void {
  tx.queue(store.insertDeck, deck)
  tx.record(deckResource, 'deck.created', { before: null, after: shownDeck(deck) })
}

/** One version further, and told. */
export function saveDeck(tx: BusinessTx, before: DeckRow, changes: Partial<DeckRow>, event: (typeof deckResource)['events'][number]): DeckRow {
  const after = changed(before, changes, tx.now)
  tx.queue(store.saveDeck, after)
  tx.record(deckResource, event, { before: shownDeck(before), after: shownDeck(after) })
  return after
}

/** Which slides it has, and where, is part of its version; whoever changes that tells of it. */
export function touchDeck(tx: BusinessTx, before: DeckRow): DeckRow {
  const after = changed(before, {}, tx.now)
  tx.queue(store.saveDeck, after)
  return after
}

/** As it is answered: without what only the table needs. */
export function shownDeck({ journal_number: _number, ...deck }: DeckRow): DeckSummary {
  return deck
}

export const deckView: SharedView<SharedDeck> = {
  type: 'deck',
  async snapshot(tx, deck_id) {
    return viewOf(tx, await lockReadyDeck(tx, deck_id))
  },
  async live(tx, deck_id) {
    return viewOf(tx, await readReadyDeck(tx, deck_id))
  },
}

async function viewOf(tx: BusinessTx, { id, title, data_as_of, period_start, period_end, basis }: DeckRow): Promise<SharedDeck> {
  const slides = await visibleSlides(tx, id, false)
  return { title, as_of: data_as_of ?? tx.now, currency: tx.business.base_currency, period_start, period_end, basis, slides }
}
