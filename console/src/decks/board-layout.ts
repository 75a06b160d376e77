// Where the widgets of a board stand: twelve columns, nothing on top of anything else.
export const COLUMNS = 12
export type Placed = { id: string; x: number; y: number; w: number; h: number }

const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value))
const overlap = (one: Placed, other: Placed): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

/** One is put or sized anew; the others make room below it, and what floats rises as far as it can. */
export function replaced(all: readonly Placed[], id: string, change: Partial<Omit<Placed, 'id'>>): Placed[] {
  const found = all.find((each) => each.id === id)
  if (!found) return [...all]
  const w = between(1, change.w ?? found.w, COLUMNS)
  const h = between(1, change.h ?? found.h, 20)
  const put: Placed = { id, w, h, x: between(0, change.x ?? found.x, COLUMNS - w), y: between(0, change.y ?? found.y, 1000) }
  const others = all.filter((each) => each.id !== id).toSorted((a, b) => a.y - b.y || a.x - b.x)
  const settled = [put]
  for (const other of others) settled.push(lowered(other, settled))
  return risen(settled)
}

function lowered(one: Placed, above: readonly Placed[]): Placed {
  let y = one.y
  while (above.some((each) => overlap({ ...one, y }, each))) y += 1
  return { ...one, y }
}

function risen(all: readonly Placed[]): Placed[] {
  const settled: Placed[] = []
  for (const one of all.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    let y = one.y
    while (y > 0 && !settled.some((each) => overlap({ ...one, y: y - 1 }, each))) y -= 1
    settled.push({ ...one, y })
  }
  return settled
}
