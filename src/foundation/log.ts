// Structured logs, a JSON line each, without secrets.
import { pino, type Logger } from 'pino'

export type { Logger }

export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: () => `,"at":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    // Nothing here logs headers or bodies; should somebody start to, the secrets in them still stay out.
    redact: { paths: ['*.authorization', '*.cookie', '*.password', '*.token', '*.secret', 'headers.authorization', 'headers.cookie'], censor: '[redacted]' },
    serializers: { err: (error: Error & { code?: string }) => ({ type: error.name, message: error.message, code: error.code, stack: error.stack }) },
  })
}
