// Ending a long-running command: once politely, twice at once.
import type { Logger } from '../foundation/log.ts'

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
  process.on('SIGINT', () => end('SIGINT'))
  process.on('SIGTERM', () => end('SIGTERM'))
}
