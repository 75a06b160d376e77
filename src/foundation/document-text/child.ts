// Reads documents in a process of its own, whose life is short: whatever a hostile file does to it ends with it.
import { Worker } from 'node:worker_threads'
import { openDesk, readDocument, type ReadDocument } from './document.ts'

export type Order = { index: number; name: string; content: Uint8Array }[]

/** Told as each document is begun and done, so that nothing that was read is lost when the process is ended. */
export type Told = { begun: number } | { done: number; read: ReadDocument }

const MOST_MEMORY = 1_200_000_000

/** Memory outside the heap has no limit of its own: a second thread looks, and ends the process where it is too much. */
function watchMemory(): void {
  const watch = `setInterval(() => { if (process.memoryUsage.rss() > ${MOST_MEMORY}) process.kill(process.pid, 'SIGKILL') }, 50)`
  new Worker(watch, { eval: true }).unref()
}

function tell(told: Told): Promise<void> {
  return new Promise((resolve) => process.send?.(told, undefined, undefined, () => resolve()))
}

process.once('message', (order: Order) => {
  void (async () => {
    watchMemory()
    // Nothing here has a reason to reach out.
    Object.defineProperty(globalThis, 'fetch', { value: undefined })
    const desk = openDesk()
    for (const { index, name, content } of order) {
      await tell({ begun: index })
      await tell({ done: index, read: await readDocument(desk, name, Buffer.from(content)) })
    }
    await desk.close()
    process.disconnect()
    process.exit(0)
  })()
})
