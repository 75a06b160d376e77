// How the embedded processor decides: which cards it takes, what it charges for that, and at which rate it changes money.
import { applyRate, divideRounded, parseDecimal, toCents } from '../money.ts'

const FEE_RATE = '0.029'
const FEE_CENTS = 30
export const DISPUTE_FEE = 1_500

export function feeOf(amount: number): number {
  return applyRate(amount, FEE_RATE) + FEE_CENTS
}

export type Card = { number: string; expiry: string; cvc: string }

const CARDS: Record<string, { declined: string | null }> = {
  '4242424242424242': { declined: null },
  '5555555555554444': { declined: null },
  // Pays while its owner is there; what a plan charges later is declined.
  '4000000000000341': { declined: null },
  '4000000000000002': { declined: 'The bank of this card declined the payment.' },
  '4000000000009995': { declined: 'There is not enough money on this card.' },
}

/** `mistake`: nothing was tried. `declined`: it was, and the bank said no. */
export type Verdict = { mistake: string } | { mistake: null; declined: string | null; brand: string; last4: string }

export function judge({ number, expiry, cvc }: Card, now: string): Verdict {
  const digits = number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits)) return { mistake: 'The card number is not complete.' }
  const [, month = '', year = ''] = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)\s*$/.exec(expiry) ?? []
  if (month === '') return { mistake: 'Write the expiry of the card as month/year, such as 12/34.' }
  if (`20${year}-${month.padStart(2, '0')}` < now.slice(0, 7)) return { mistake: 'This card has expired.' }
  if (!/^\s*\d{3,4}\s*$/.test(cvc)) return { mistake: 'The security code has three or four digits.' }
  const card = CARDS[digits]
  if (!card) return { mistake: 'This is a sandbox and takes its own cards only: 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined.' }
  return { mistake: null, declined: card.declined, brand: digits.startsWith('5') ? 'mastercard' : 'visa', last4: digits.slice(-4) }
}

/** In US dollars: rates that are believable and never move. */
const RATES: Record<string, string> = { USD: '1', CAD: '0.73', AUD: '0.66', EUR: '1.1', GBP: '1.28' }

export function exchanged(amount: number, from: string, to: string): number {
  if (from === to) return amount
  const [given, taken] = [parseDecimal(RATES[from] ?? '1'), parseDecimal(RATES[to] ?? '1')]
  return toCents(divideRounded(BigInt(amount) * given.units * 10n ** BigInt(taken.scale), taken.units * 10n ** BigInt(given.scale)))
}

/** The part of a settled charge that this part of its amount is; the last part takes what is left. */
export function settledPart(amount: number, charge: { amount: number; settled_amount: number }, before: { amount: number; settled_amount: number }): number {
  if (before.amount + amount === charge.amount) return charge.settled_amount - before.settled_amount
  return toCents(divideRounded(BigInt(amount) * BigInt(charge.settled_amount), BigInt(charge.amount)))
}
