// A page of a document as a picture, drawn where a hostile file can do no harm.
import { once } from 'node:events'
import { startConfined, takeTurn } from './reading.ts'
import type { Drawing, DrawingOrder } from './drawing-child.ts'

/** The longest that one page may take. */
const PAGE_MS = 20_000
const WAIT_MS = 30_000

/** null where there was no turn in time; a problem is told in words that follow the name of the file. */
export async function drawPage(order: DrawingOrder): Promise<Drawing | null> {
  const done = await takeTurn(AbortSignal.timeout(WAIT_MS))
  if (!done) return null
  const child = startConfined('./drawing-child.ts')
  const watch = setTimeout(() => child.kill('SIGKILL'), PAGE_MS)
  let drawn: Drawing = { problem: 'could not be drawn: it takes more memory or time than a page may' }
  try {
    child.on('message', (told: Drawing) => { drawn = told })
    child.on('error', () => {})
    child.send(order, () => {})
    await once(child, 'close')
    return drawn
  } finally {
    clearTimeout(watch)
    child.kill('SIGKILL')
    done()
  }
}
