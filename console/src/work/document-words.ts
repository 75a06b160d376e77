// Documents in words: their kinds, and how large they are.
import { words } from '../format.ts'

export const KINDS = [
  'invoice', 'bill', 'receipt', 'statement', 'contract', 'tax', 'report', 'export', 'other',
].map((value) => ({ value, label: words(value) }))

export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kib = bytes / 1024
  return kib < 1024 ? `${kib.toFixed(kib < 10 ? 1 : 0)} KiB` : `${(kib / 1024).toFixed(1)} MiB`
}
