// Exact arithmetic on amounts of money, which are whole cents in the safe-integer range and never pass through a fraction.
import { invalid } from './refusal.ts'

export function addCents(...amounts: number[]): number {
  let total = 0
  for (const amount of amounts) {
    total += requireCents(amount)
    // A partial sum may leave the safe range although the whole does not: start again where no bit is lost.
    if (!Number.isSafeInteger(total)) return toCents(amounts.reduce((sum, each) => sum + BigInt(requireCents(each)), 0n))
  }
  return total
}

export function subtractCents(cents: number, subtrahend: number): number {
  return addCents(cents, -subtrahend)
}

export function multiplyCents(cents: number, quantity: number): number {
  return toCents(BigInt(requireCents(cents)) * BigInt(requireCents(quantity)))
}

// The rate is decimal text of at most 12 decimals, such as a tax rate ('0.0825') or an exchange rate ('1.3642').
export function applyRate(cents: number, rate: string): number {
  const { units, scale } = parseDecimal(rate)
  return toCents(divideRounded(BigInt(requireCents(cents)) * units, 10n ** BigInt(scale)))
}

// Largest remainder: the parts sum to the total exactly; where remainders are equal the lowest index gets the cent.
export function splitCents(total: number, weights: readonly (number | bigint)[]): number[] {
  const shares = weights.map((weight) => BigInt(weight))
  if (shares.some((share) => share < 0n)) throw invalid('An amount cannot be split by a negative weight; use zero or more.')
  const whole = shares.reduce((sum, share) => sum + share, 0n)
  if (whole === 0n) throw invalid('An amount cannot be split when every weight is zero; give at least one above zero.')

  // The magnitude is split and the sign put back, so that a refund splits as the charge did.
  const magnitude = BigInt(Math.abs(requireCents(total)))
  const parts = shares.map((share) => (magnitude * share) / whole)
  const remainders = shares.map((share, index) => ({ index, remainder: (magnitude * share) % whole }))
  const missing = Number(magnitude - parts.reduce((sum, part) => sum + part, 0n))
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  const favoured = new Set(remainders.slice(0, missing).map(({ index }) => index))
  return parts.map((part, index) => {
    const amount = favoured.has(index) ? part + 1n : part
    return Number(total < 0 ? -amount : amount)
  })
}

// Half away from zero, in both directions.
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const dividend = numerator < 0n ? -numerator : numerator
  const divisor = denominator < 0n ? -denominator : denominator
  const quotient = (2n * dividend + divisor) / (2n * divisor)
  return numerator < 0n === denominator < 0n ? quotient : -quotient
}

// The way back from exact arithmetic to an amount: refuses what a JSON number could not carry.
export function toCents(value: bigint): number {
  const cents = Number(value)
  if (!Number.isSafeInteger(cents)) {
    throw invalid('The amount is out of range: it must lie between -90,071,992,547,409.91 and 90,071,992,547,409.91.')
  }
  return cents
}

export const CURRENCIES = ['USD', 'CAD', 'AUD', 'EUR', 'GBP'] as const

export type Currency = (typeof CURRENCIES)[number]

const DECIMALS: Record<Currency, number> = { USD: 2, CAD: 2, AUD: 2, EUR: 2, GBP: 2 }

// Decimal text for people ('-1,234.56'), without the currency's sign or code.
export function formatCents(cents: number, currency: Currency): string {
  const decimals = DECIMALS[currency]
  const digits = String(Math.abs(requireCents(cents))).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}${whole}.${digits.slice(-decimals)}`
}

// The exact value of a decimal text: units divided by ten to the power of scale.
export type Decimal = { units: bigint; scale: number }

// Eighteen whole digits are more than any rate needs and keep hostile text from becoming a costly number.
const DECIMAL = /^(-?)(\d{1,18})(?:\.(\d{1,12}))?$/

export function parseDecimal(text: string): Decimal {
  const match = DECIMAL.exec(text)
  if (!match) {
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
    throw invalid(`'${shown}' is not a decimal number; write it like 0.0825, with at most 12 decimals.`)
  }
  const [, sign = '', whole = '', fraction = ''] = match
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

// A fraction here is a mistake of the program, not of the caller, hence not a refusal.
function requireCents(value: number): number {
  if (!Number.isInteger(value)) throw new TypeError(`Not a whole number: ${value}`)
  if (!Number.isSafeInteger(value)) toCents(BigInt(value))
  return value
}
