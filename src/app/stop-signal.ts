// Ending a long-running command: once politely, twice at once.
import type { Logger } from '../foundation/log.ts'

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const
const signals = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]
const atOnce = (signal: NodeJS.Signals) => process.exit(SIGNALS[signal as keyof typeof SIGNALS])

/** Until a command asks for more: it ends, and its database with it. Node left to itself would leave the database running. */
export function endAtOnceOnSignal(): void {
  for (const signal of signals) process.on(signal, atOnce)
}

export function onStopSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false
  const end = (signal: string) => {
    if (stopping) process.exit(130)
    stopping = true
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop cleanly')
        process.exit(1)
      },
    )
  }
  // In this order: without any listener for a moment, a signal that comes just then would be lost.
  for (const signal of signals) process.on(signal, end).off(signal, atOnce)
}
