// Values that stand behind or below a label: "Invoice no. 17", or the number in the cell under "Invoice no.".
import type { Cell, Line } from './pages.ts'

export type Evidence = { text: string; page: number; line: number }

/** A value, how sure it is (0 to 100), and where it was found; null where nothing in the document shows it. */
export type Found<T> = { value: T; confidence: number; evidence: Evidence | null }

type Read<T> = (text: string) => { value: T; certainty?: number } | null

const BEHIND = 95
const BELOW = 88

/** Every place where the label has a value, from the top of the document. The label is looked for at the beginning of a cell and inside it. */
export function labelled<T>(lines: readonly Line[], label: RegExp, read: Read<T>, certainty = 1): Found<T>[] {
  const found: Found<T>[] = []
  const take = (result: ReturnType<Read<T>>, confidence: number, evidence: Evidence): boolean => {
    if (result) found.push({ value: result.value, confidence: Math.round(confidence * certainty * (result.certainty ?? 1)), evidence })
    return result !== null
  }
  for (const [index, line] of lines.entries()) {
    for (const [position, cell] of line.cells.entries()) {
      const match = label.exec(cell.text)
      if (!match) continue
      const rest = cell.text.slice(match.index + match[0].length).replace(/^[\s:.#=–-]+/, '')
      if (rest !== '' && take(read(rest), BEHIND, evidenceOf(line))) continue
      const next = line.cells[position + 1]
      if (next && rest.length < 12 && take(read(next.text.replace(/^[\s:.#=]+/, '')), BEHIND, evidenceOf(line))) continue
      if (rest.length < 3 || /^[([]/.test(rest)) takeBelow(index, line, cell)
    }
  }
  return found

  function takeBelow(index: number, line: Line, cell: Cell): void {
    for (const below of lines.slice(index + 1, index + 3)) {
      if (below.page !== line.page) return
      const under = cellUnder(cell, below)
      if (under && take(read(under.text), BELOW, { ...evidenceOf(below), text: `${cell.text}  ${under.text}` })) return
    }
  }
}

/** The cell of a line that stands under another one: by overlap, else by a common left edge. */
export function cellUnder(cell: Cell, line: Line): Cell | null {
  const width = Math.max(1, cell.right - cell.left)
  const shared = (other: Cell) => Math.min(other.right, cell.right) - Math.max(other.left, cell.left)
  const best = line.cells.map((other) => ({ other, shared: shared(other) })).toSorted((a, b) => b.shared - a.shared)[0]
  if (!best) return null
  return best.shared > 0 || Math.abs(best.other.left - cell.left) < width * 0.3 ? best.other : null
}

export function evidenceOf({ text, page, line }: Line): Evidence {
  return { text: text.slice(0, 200), page, line }
}

/** The surest, and among equals the first. */
export function surest<T>(found: readonly Found<T>[]): Found<T> | null {
  return found.reduce<Found<T> | null>((best, one) => (best === null || one.confidence > best.confidence ? one : best), null)
}
