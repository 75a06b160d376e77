// What may be written into a note and by whom.
import { forbidden, invalid } from '../../foundation/refusal.ts'

export const MOST_PINNED = 5

/**
 * Raw HTML becomes visible text, and a link of any but the harmless schemes loses it, so that any Markdown reader shows the
 * text safely. What would need decoding to be judged (entities, escapes) counts as harmful. Sanitising twice changes nothing.
 */
export function sanitise(markdown: string): string {
  return markdown
    .replaceAll(/<(?=[a-z/!?])(?!https?:\/\/[^\s<>]+>)/gi, '&lt;')
    .replaceAll(/(\]\(\s*|\]:\s*)(?!(?:https?|mailto|tel|unsafe):|[^:&\\\s)/?#]*(?:[/?#\s)]|$))/gi, '$1unsafe:')
}

/** The addresses mentioned as @name@example.com, in lower case, each once. */
export function mentionedAddresses(markdown: string): string[] {
  const found = markdown.matchAll(/(?:^|[^\w@])@([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g)
  return [...new Set(Array.from(found, ([, address = '']) => address.toLowerCase()))]
}

type Place = { resource_type: string; resource_id: string }

/** A thread is one level deep and stays on its record. */
export function requireParent(parent: Place & { parent_id: string | null; deleted: boolean }, reply: Place): void {
  if (parent.parent_id !== null) throw invalid('A reply cannot be answered: answer the note at the top of the thread.')
  if (parent.resource_type !== reply.resource_type || parent.resource_id !== reply.resource_id) throw invalid('The parent note belongs to another record.')
  requirePresent(parent)
}

export function requireAuthor(note: { author_id: string }, user_id: string | null): void {
  if (note.author_id !== user_id) throw forbidden('Only its author can edit a note.')
}

export function requireAuthorOrAdmin(note: { author_id: string }, user_id: string | null, role: string | null): void {
  if (note.author_id !== user_id && role !== 'owner' && role !== 'admin') throw forbidden('Only its author or an admin can delete a note.')
}

export function requirePresent(note: { deleted: boolean }): void {
  if (note.deleted) throw invalid('This note was deleted.')
}
