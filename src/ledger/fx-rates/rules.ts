// Which rate counts on a day, and what it is where only its inverse or the way through the base currency is known.
import { daysBetween } from '../../foundation/calendar.ts'
import { CURRENCIES, divideRounded, parseDecimal, type Currency } from '../../foundation/money.ts'
import { invalid, unprocessable, type Problem } from '../../foundation/refusal.ts'
import { plainDecimal } from '../posting/rules.ts'
import type { EffectiveRate, FxRateInput, FxRatesInput } from './contract.ts'

/** For so many days a rate stands in for a missing one. */
export const WINDOW_DAYS = 31
const DECIMALS = 10

/** A pair on a day. */
export type Wanted = { from_currency: Currency; to_currency: Currency; on: string }

/** The newest stored rate of a pair on or before a day, however old. */
export type Newest = Wanted & { rate: string; date: string }

export type Effective = { rate: string; date: string; via: 'direct' | 'inverse' | 'cross' }

/** Every stored pair that an answer may come from, each once. */
export function pairsBehind(wanted: readonly Wanted[], base: Currency): Wanted[] {
  const pairs = new Map<string, Wanted>()
  for (const { from_currency: from, to_currency: to, on } of wanted) {
    for (const [one, other] of [[from, to], [from, base], [to, base]] as const) {
      if (one === other) continue
      for (const pair of [{ from_currency: one, to_currency: other, on }, { from_currency: other, to_currency: one, on }]) pairs.set(keyOf(pair), pair)
    }
  }
  return [...pairs.values()]
}

/** The rate that counts: of the pair itself, else of its inverse, else through the base currency; null where none is new enough. */
export function effectiveRate(newest: ReadonlyMap<string, Newest>, { from_currency: from, to_currency: to, on }: Wanted, base: Currency): Effective | null {
  const whole = legOf(newest, from, to, on)
  if (whole) return { rate: rounded(whole.value), date: whole.date, via: whole.via }
  if (from === base || to === base) return null
  const [first, second] = [legOf(newest, from, base, on), legOf(newest, base, to, on)]
  if (!first || !second) return null
  const value = { numerator: first.value.numerator * second.value.numerator, denominator: first.value.denominator * second.value.denominator }
  return { rate: rounded(value), date: first.date < second.date ? first.date : second.date, via: 'cross' }
}

export function keyOf({ from_currency, to_currency, on }: Wanted): string {
  return `${from_currency}/${to_currency} ${on}`
}

type Fraction = { numerator: bigint; denominator: bigint }
type Leg = { value: Fraction; date: string; via: 'direct' | 'inverse' }

function legOf(newest: ReadonlyMap<string, Newest>, from: Currency, to: Currency, on: string): Leg | null {
  if (from === to) return { value: { numerator: 1n, denominator: 1n }, date: on, via: 'direct' }
  const direct = newest.get(keyOf({ from_currency: from, to_currency: to, on }))
  if (direct && isNewEnough(direct.date, on)) return { value: fractionOf(direct.rate), date: direct.date, via: 'direct' }
  const inverse = newest.get(keyOf({ from_currency: to, to_currency: from, on }))
  if (!inverse || !isNewEnough(inverse.date, on)) return null
  const { numerator, denominator } = fractionOf(inverse.rate)
  return { value: { numerator: denominator, denominator: numerator }, date: inverse.date, via: 'inverse' }
}

export function isNewEnough(date: string, on: string): boolean {
  const days = daysBetween(date, on)
  return days >= 0 && days <= WINDOW_DAYS
}

function fractionOf(rate: string): Fraction {
  const { units, scale } = parseDecimal(rate)
  return { numerator: units, denominator: 10n ** BigInt(scale) }
}

/** Rounded once, at the end, to ten decimals; never to nothing. */
function rounded({ numerator, denominator }: Fraction): string {
  const units = divideRounded(numerator * 10n ** BigInt(DECIMALS), denominator)
  const digits = String(units === 0n ? 1n : units).padStart(DECIMALS + 1, '0')
  return plainDecimal(`${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`)
}

/** The pairs whose rate is asked for: those of the filters, where one is missing the base currency. */
export function pairsAsked({ from_currency, to_currency }: { from_currency?: Currency; to_currency?: Currency }, base: Currency, on: string): Wanted[] {
  const from = from_currency ? [from_currency] : CURRENCIES
  const to = to_currency ? [to_currency] : from_currency === base ? CURRENCIES : [base]
  return from.flatMap((one) => to.filter((other) => other !== one).map((other) => ({ from_currency: one, to_currency: other, on })))
}

export function asAnswered({ from_currency, to_currency }: Wanted, effective: Effective | null): EffectiveRate {
  return { from_currency, to_currency, rate: effective?.rate ?? null, date: effective?.date ?? null, via: effective?.via ?? null }
}

/** The rates of a body, which has one or a list of them; each in its plain writing. */
export function ratesGiven({ rates, ...one }: FxRatesInput): FxRateInput[] {
  const given = Object.keys(one)
  if (rates && given.length > 0) throw invalid(`Give one rate or the list rates, not both: leave out ${given.join(', ')}.`)
  if (!rates) return [checked(requireWhole(one), '')]
  const seen = new Set<string>()
  return rates.map((each, index) => {
    const key = keyOf({ ...each, on: each.date })
    if (seen.has(key)) throw invalid(`rates[${index}] is ${each.from_currency}/${each.to_currency} of ${each.date} once more: give it once.`)
    seen.add(key)
    return checked(each, `rates[${index}]: `)
  })
}

function checked(given: FxRateInput, where: string): FxRateInput {
  if (given.from_currency === given.to_currency) throw invalid(`${where}A rate needs two currencies, and both are ${given.from_currency}.`)
  return { ...given, rate: plainDecimal(given.rate) }
}

function requireWhole(given: Omit<FxRatesInput, 'rates'>): FxRateInput {
  const missing = (['from_currency', 'to_currency', 'date', 'rate'] as const).filter((name) => given[name] === undefined)
  if (missing.length > 0) throw unprocessable(missing.map((name): Problem => ({ loc: ['body', name], msg: 'Field required.', type: 'missing' })))
  return given as FxRateInput
}
