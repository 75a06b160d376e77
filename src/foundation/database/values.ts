// How column values reach the code: dates and timestamps stay text, 64-bit integers are numbers within the safe range.
import pg from 'pg'
import { toCents } from '../money.ts'

const { builtins } = pg.types

type Parser = (text: string) => unknown

const parsers: Record<number, Parser> = {
  [builtins.INT8]: (text) => {
    const value = Number(text)
    // Single amounts are kept within this range; the sum of several may leave it, and is refused rather than rounded.
    return Number.isSafeInteger(value) ? value : toCents(BigInt(text))
  },
  [builtins.DATE]: (text) => text,
  [builtins.NUMERIC]: (text) => text,
  [builtins.TIMESTAMPTZ]: rfc3339,
  // timestamptz[], date[] and int8[]
  1185: (text) => arrayOf(text, rfc3339),
  1182: (text) => arrayOf(text, (item) => item),
  1016: (text) => arrayOf(text, Number),
}

/** Passed to every pool as its `types`. */
export const valueTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
    return (format === 'binary' ? undefined : parsers[oid]) ?? (pg.types.getTypeParser(oid, format ?? 'text') as Parser)
  },
}

/** `2026-01-02 03:04:05.6+00` becomes `2026-01-02T03:04:05.600Z`; every session runs in UTC and every column keeps milliseconds. */
function rfc3339(text: string): string {
  const seconds = text.slice(0, 19)
  const fraction = text.slice(20, -3)
  return `${seconds.slice(0, 10)}T${seconds.slice(11)}.${fraction.padEnd(3, '0')}Z`
}

function arrayOf(text: string, parse: (item: string) => unknown): unknown[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map((item) => (item === 'NULL' ? null : parse(item.replaceAll('"', ''))))
}
