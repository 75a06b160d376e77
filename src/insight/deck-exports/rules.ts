// What the file of a deck is called.

/** The beginning of the title: names of files are short. */
export function fileName(title: string, format: string): string {
  const words = Array.from(title.replaceAll(/[\p{Cc}\p{Cf}/\\<>:"|?*]+/gu, ' ').replaceAll(/\s+/g, ' ').trim()).slice(0, 120).join('').replace(/[. ]+$/, '')
  return `${words === '' ? 'Deck' : words}.${format}`
}
