// How findings are told: at most twenty sentences a check, with amounts as people write them.

export const MOST_TOLD = 20

/** The sentences; where there are more than may be told, the last says how many. `total` counts those that were not even read. */
export function tell(sentences: readonly string[], total: number = sentences.length): string[] {
  if (total <= MOST_TOLD) return [...sentences]
  return [...sentences.slice(0, MOST_TOLD - 1), `and ${total - MOST_TOLD + 1} more of this kind`]
}

/** Cents as '-1,234.56'. They come as text where a sum may be larger than any amount should be; what is no number is told as it is. */
export function units(cents: string): string {
  if (!/^-?\d+$/.test(cents)) return cents
  const value = BigInt(cents)
  const digits = String(value < 0n ? -value : value).padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}
