// Structured logs, a JSON line each, without secrets.
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

export type { Logger }

/** Standard output, unless a destination is given. */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"at":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    // Nothing here logs headers or bodies; should somebody start to, the secrets in them still stay out.
    redact: { paths: ['*.authorization', '*.cookie', '*.password', '*.token', '*.secret', 'headers.authorization', 'headers.cookie'], censor: '[redacted]' },
    serializers: { err: (error: Error & { code?: string }) => ({ type: error.name, message: error.message, code: error.code, stack: error.stack }) },
  }
  return destination ? pino(options, destination) : pino(options)
}
