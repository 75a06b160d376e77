// How each kind of thing that can be shared is looked at through a public link.
import { boardView } from '../insight/dashboard-shares/operations.ts'
import { deckView } from '../insight/decks/operations.ts'
import type { SharedViews } from '../insight/shares/contract.ts'

export const sharedViews: SharedViews = [deckView, boardView]
