// Money, dates and words as the reader's own language writes them. Amounts are cents all the way to here.
const currencies = new Map<string, Intl.NumberFormat>()

export function money(cents: number | null | undefined, currency = 'USD'): string {
  if (cents === null || cents === undefined) return ''
  let format = currencies.get(currency)
  if (!format) currencies.set(currency, (format = new Intl.NumberFormat(undefined, { style: 'currency', currency })))
  return format.format(cents / 100)
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A date is a day, wherever it is read. */
export const day = (date: string | null | undefined): string => (date ? days.format(new Date(`${date.slice(0, 10)}T00:00:00Z`)) : '')
export const moment = (at: string | null | undefined): string => (at ? moments.format(new Date(at)) : '')
export const words = (name: string | null | undefined): string => (name ? name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase()) : '')

/** What a person types as an amount, in cents; null where it is none. Points and commas are told apart by what follows them. */
export function cents(text: string): number | null {
  const plain = text.trim().replaceAll(/[\s']/g, '')
  const found = /^(-?)(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(plain)
  if (!found) return null
  const [, minus, whole = '', part = ''] = found
  const amount = Number(whole.replaceAll(/[.,]/g, '')) * 100 + Number(part.padEnd(2, '0'))
  return minus ? -amount : amount
}

/** Cents as somebody would type them. */
export const typed = (amount: number | null | undefined): string => (amount === null || amount === undefined ? '' : (amount / 100).toFixed(2))
