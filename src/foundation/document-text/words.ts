// Patterns made of lists of words, so that a list can be read and grown.

/** Any of these, ignoring case; what stands before and after is said apart. */
export function anyOf(words: readonly string[], { before = '', after = '' }: { before?: string; after?: string } = {}): RegExp {
  return new RegExp(`${before}(?:${words.join('|')})${after}`, 'i')
}
