// Text with its place on the page: words become lines, and lines become cells where the gap between two words is wide.

/** Where a word stands; the top of the page is 0, and the unit is the same within a document. */
export type Word = { text: string; left: number; right: number; top: number; bottom: number }

export type Cell = { text: string; left: number; right: number }

/** `page` and `line` count from 1. */
export type Line = { text: string; page: number; line: number; top: number; bottom: number; cells: Cell[] }

/** What was read of one document, or of one part of an e-mail. */
export type DocumentPart = {
  /** The name of an attachment; null for the document itself. */
  name: string | null
  source: 'pdf' | 'ocr' | 'mail' | 'text'
  /** Of an e-mail, and of its attachments too. */
  sender: { name: string; address: string } | null
  subject: string | null
  page_count: number
  /** How sure the recognition of letters is, 0 to 100; null where the text was given as text. */
  letter_confidence: number | null
  lines: Line[]
}

// Of the height of the letters. A space is about a quarter, the gap between two columns more than one.
const SAME_WORD = 0.12
const SAME_CELL = 0.9
// More than thirty pages of paper hold; whatever reads on is bounded by it.
export const MOST_LINES = 2_000
const LONGEST_LINE = 300

/** The words of one page as lines from top to bottom. */
export function linesOf(words: readonly Word[], page: number): Line[] {
  const rows: Word[][] = []
  const ordered = words.filter(({ text }) => text.trim() !== '').toSorted((a, b) => middle(a) - middle(b) || a.left - b.left)
  for (const word of ordered) {
    const row = rows.at(-1)
    if (row && isBeside(row, word)) row.push(word)
    else rows.push([word])
  }
  return rows.slice(0, MOST_LINES).map((row, index) => lineOf(row, page, index + 1))
}

/** Plain text as lines: tabs, bars and runs of spaces part the cells, and the place of a character is its column. */
export function linesOfText(text: string, page = 1): Line[] {
  return text.split(/\r\n|\r|\n/).slice(0, MOST_LINES).map((row, index) => {
    const shown = row.slice(0, LONGEST_LINE).replaceAll('\t', '    ').replaceAll(/[\u00a0\u202f]/g, ' ')
    const found = shown.matchAll(/[^\s|]+(?: [^\s|]+)*/g)
    const cells = Array.from(found, (match): Cell => ({ text: match[0], left: match.index, right: match.index + match[0].length }))
    return { text: cells.map((cell) => cell.text).join('  '), page, line: index + 1, top: index, bottom: index + 1, cells }
  })
}

function lineOf(row: Word[], page: number, line: number): Line {
  const words = row.toSorted((a, b) => a.left - b.left)
  const height = Math.max(...words.map((word) => word.bottom - word.top), 0.001)
  const cells: Cell[] = []
  for (const { text, left, right } of words) {
    const before = cells.at(-1)
    const gap = before ? left - before.right : Infinity
    if (before && gap < height * SAME_CELL) {
      before.text += (gap < height * SAME_WORD ? '' : ' ') + text.trim()
      before.right = Math.max(before.right, right)
    } else cells.push({ text: text.trim(), left, right })
  }
  for (const cell of cells) cell.text = cell.text.replaceAll(/\s+/g, ' ').slice(0, LONGEST_LINE)
  return {
    text: cells.map((cell) => cell.text).join('  ').slice(0, LONGEST_LINE), page, line,
    top: Math.min(...words.map((word) => word.top)), bottom: Math.max(...words.map((word) => word.bottom)), cells,
  }
}

function middle({ top, bottom }: Word): number {
  return (top + bottom) / 2
}

/** On the same line when more than half of the lower of the two lies within the height of the other. */
function isBeside(row: readonly Word[], word: Word): boolean {
  const top = Math.min(...row.slice(-8).map((other) => other.top))
  const bottom = Math.max(...row.slice(-8).map((other) => other.bottom))
  const shared = Math.min(bottom, word.bottom) - Math.max(top, word.top)
  return shared > 0.5 * Math.min(bottom - top, word.bottom - word.top)
}
