// Words: how text becomes what is searched for, the same way in records and in questions.
import type { SearchDocument } from './contract.ts'

export const TITLE = 1
export const OTHER = 2

const LONGEST_WORD = 64
const LONGEST_TEXT = 100_000
const MOST_WORDS = 5_000
const MOST_SUFFIXES = 40

/** Letters that no decomposition takes apart. */
const PLAIN: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }

/** Without case, width and, in scripts where they are mere accents, marks. Other scripts keep their marks: there they make another word. */
export function fold(text: string): string {
  return text.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu, '')
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => PLAIN[letter] ?? letter).normalize('NFKC')
}

export type Token = { word: string; at: number; length: number }

/** The words of a text with their places in it. */
export function tokensOf(text: string): Token[] {
  return Array.from(text.slice(0, LONGEST_TEXT).matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu), ({ 0: found, index }) => ({
    word: cut(fold(found).replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')), at: index, length: found.length,
  })).filter(({ word }) => word !== '')
}

function cut(word: string): string {
  return word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, '')
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Scripts without spaces are found from any of their letters on; others from the beginning of a word. */
function suffixesOf(word: string): string[] {
  if (!UNSPACED.test(word)) return []
  const letters = Array.from(word)
  return letters.slice(1, MOST_SUFFIXES).flatMap((letter, index) =>
    (UNSPACED.test(letter) || UNSPACED.test(letters[index] ?? '') ? [letters.slice(index + 1).join('')] : []))
}

export const amountWord = (cents: number) => `¤${Math.abs(cents)}`
export const dateWord = (date: string) => `@${date}`
/** Marked, because ids made one after another begin alike: they would be found by any number. */
export const idWord = (id: string) => `#${id}`

/** Looked for piece by piece: a pattern that may begin anywhere in a long text would take the square of its length. */
function emailsOf(text: string): string[] {
  if (!text.includes('@')) return []
  const addresses = text.split(/[^\w.+@-]+/).filter((piece) => piece.length <= 254 && /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+\.?$/.test(piece))
  return addresses.map((piece) => cut(piece.replace(/\.$/, '').toLowerCase()))
}

const AMOUNT_IN_TEXT = /(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,12})\.(\d{2})(?![\d.,]*\d)/g

/** Everything a text can be found by. */
export function wordsOf(text: string, is_code = false): string[] {
  const tokens = tokensOf(text)
  const within = text.slice(0, LONGEST_TEXT)
  const amounts = Array.from(within.matchAll(AMOUNT_IN_TEXT), ([, whole = '', cents = '']) => amountWord(Number(`${whole.replaceAll(',', '')}${cents}`)))
  const joined = Array.from(within.matchAll(/(?<![\p{L}\p{M}])[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)+/gu), ([name]) => cut(fold(name).replaceAll(/['’]/g, '')))
  const compact = is_code ? [compactOf(text)] : []
  const plain = tokens.flatMap(({ word }) => [word, ...(/^0+[1-9]\d*$/.test(word) ? [word.replace(/^0+/, '')] : []), ...suffixesOf(word)])
  return [...new Set([...plain, ...emailsOf(within), ...amounts, ...joined, ...compact])].filter((word) => word !== '')
}

/** A number or code without what separates its parts. */
export function compactOf(text: string): string {
  return cut(tokensOf(text).map(({ word }) => word).join(''))
}

/** Written in parts by some and in one by others. */
const CODES = new Set(['number', 'phone', 'reference', 'external_id', 'tax_number', 'barcode', 'purchase_order'])

/** A word of a record: how much it counts, and in which field it stands. */
export type Place = { weight: number; field: string }

/** Every word of a record; where it stands in several fields, the one that counts most. */
export function documentWords(document: SearchDocument): Map<string, Place> {
  const words = new Map<string, Place>()
  const add = (field: string, weight: number, found: readonly string[]) => {
    for (const word of found) if (!words.has(word) && words.size < MOST_WORDS) words.set(word, { field, weight })
  }
  if (document.number !== null) add('number', TITLE, wordsOf(document.number, true))
  add('title', TITLE, wordsOf(document.title))
  add('id', OTHER, [idWord(document.id)])
  if (document.amount !== null) add('amount', OTHER, [amountWord(document.amount)])
  if (document.date !== null) add('date', OTHER, [dateWord(document.date)])
  for (const [field, text] of Object.entries(document.fields)) add(field, OTHER, wordsOf(text, CODES.has(field)))
  return words
}

const NAMES = new Set(['title', 'contacts', 'customer', 'counterparty'])

/** Words of names, which may be mistyped. */
export function nameWords(document: SearchDocument, words: ReadonlyMap<string, Place>): string[] {
  const texts = [document.title, ...Object.entries(document.fields).filter(([field]) => NAMES.has(field)).map(([, text]) => text)]
  return [...new Set(texts.flatMap((text) => tokensOf(text).map(({ word }) => word)))].filter((word) => isName(word) && words.has(word))
}

/** Long enough that a slip leaves it recognisable, and of letters. */
export function isName(word: string): boolean {
  return word.length >= 4 && word.length <= 24 && /^[\p{L}\p{M}]+$/u.test(word)
}

/** The word and all that is left of it without one of its letters. */
export function slipKeys(word: string): string[] {
  const letters = Array.from(word)
  return [...new Set([word, ...letters.map((_, left_out) => letters.toSpliced(left_out, 1).join(''))])]
}

/** A slip more in a long word. */
export function isSlip(typed: string, word: string): boolean {
  return typed !== word && slips(typed, word) <= (typed.length >= 8 ? 2 : 1)
}

/** Letters changed, left out, added, or swapped with their neighbour. */
export function slips(typed: string, word: string): number {
  const [a, b] = [Array.from(typed), Array.from(word)]
  let [earlier, previous]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const changed = at(previous, column - 1) + (same ? 0 : 1)
      const exchanged = swapped ? at(earlier, column - 2) + 1 : Infinity
      current.push(Math.min(at(previous, column) + 1, at(current, column - 1) + 1, changed, exchanged))
    }
    ;[earlier, previous] = [previous, current]
  }
  return at(previous, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
