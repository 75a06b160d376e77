// The embedded bank: a small trading company's account as it might be, worked out from the account and the day alone, so that a day
// always looks the same and nothing has to be kept.
import { createHash } from 'node:crypto'
import { addDays, lastDayOfMonth, weekday } from '../calendar.ts'
import type { Bank, BankAccount, BankLine } from './bank.ts'

export function openSandboxBank(): Bank {
  return {
    name: 'sandbox',
    async readStatement(account, from, to) {
      const lines: BankLine[] = []
      for (let date = from; date <= to; date = addDays(date, 1)) lines.push(...dayOf(account, date))
      return lines
    },
  }
}

type Kind = BankAccount['kind']

/** Amounts lie between the two, in cents; in steps, where such a bill always comes to round figures. */
type Payment = { name: string; from: number; to: number; step?: number; description?: string; numbered?: boolean }

/** On the same day of every month, for about the same amount: the month decides how much, not the day. */
const MONTHLY: Record<Kind, readonly (Payment & { day: number })[]> = {
  account: [
    { day: 1, name: 'HARBOUR PROPERTY MGMT RENT', from: -320_000, to: -320_000, description: 'Rent' },
    { day: 3, name: 'NORTHSTAR INSURANCE PREM', from: -41_850, to: -41_850, description: 'Business insurance' },
    { day: 7, name: 'CITY POWER & LIGHT UTIL PMT', from: -38_000, to: -17_000 },
    { day: 9, name: 'BRIGHTLINE TELECOM AUTOPAY', from: -12_999, to: -12_999 },
    { day: 20, name: 'SALES TAX AUTHORITY EFT', from: -95_000, to: -45_000 },
    { day: 25, name: 'CARD SERVICES ONLINE PMT', from: -180_000, to: -90_000 },
  ],
  card: [
    { day: 2, name: 'CLOUDNEST HOSTING SUBSCR', from: -8_900, to: -8_900 },
    { day: 5, name: 'PAPERTRAIL OFFICE SUITE', from: -3_600, to: -3_600 },
    { day: 12, name: 'DESIGNBENCH PRO PLAN', from: -5_499, to: -5_499 },
    { day: 25, name: 'PAYMENT THANK YOU', from: 90_000, to: 180_000 },
  ],
}

/** On the 15th and the last day of a month. */
const PAYROLL: Payment = { name: 'PAYWELL PAYROLL', from: -685_000, to: -640_000, description: 'Salaries' }
const BANK_FEE: Payment = { name: 'MONTHLY SERVICE FEE', from: -1_500, to: -1_500 }

/** `often` is how many of a hundred working days have it. */
const NOW_AND_THEN: Record<Kind, readonly (Payment & { often: number })[]> = {
  account: [
    { often: 45, name: 'BLUE ANCHOR TRADING LTD TRF', from: 45_000, to: 420_000, step: 500, description: 'Invoice' },
    { often: 30, name: 'MERIDIAN FOODS INC ACH', from: 80_000, to: 650_000, step: 500, description: 'Invoice' },
    { often: 20, name: 'OAK & IRON STUDIO WIRE', from: 150_000, to: 900_000, step: 1_000, description: 'Project payment' },
    { often: 25, name: 'GREENFIELD WHOLESALE', from: -260_000, to: -30_000 },
    { often: 12, name: 'SWIFT PARCEL SERVICE', from: -14_500, to: -1_800 },
    { often: 6, name: 'CHECK', from: -120_000, to: -9_000, step: 500, numbered: true },
  ],
  card: [
    { often: 55, name: 'SQ *CORNER COFFEE', from: -1_450, to: -380 },
    { often: 35, name: 'MAIN ST DELI', from: -4_800, to: -1_150 },
    { often: 25, name: 'FUELSTOP', from: -9_400, to: -3_200 },
    { often: 25, name: 'STATIONERS DIRECT', from: -18_600, to: -950 },
    { often: 12, name: 'METRO CABS', from: -5_900, to: -1_200 },
    { often: 5, name: 'SKYLINE AIR', from: -62_000, to: -14_000 },
    { often: 3, name: 'STATIONERS DIRECT REFUND', from: 950, to: 6_000 },
  ],
}

/** What the account sees on one day. */
function dayOf({ reference, kind }: BankAccount, date: string): BankLine[] {
  const chance = (...about: (string | number)[]) => drawn([reference, ...about].join(' '))
  const [month, day] = [date.slice(0, 7), Number(date.slice(8))]
  const last = date === lastDayOfMonth(date)
  const fixed = [
    ...MONTHLY[kind].filter((one) => one.day === day),
    ...(kind === 'account' && (day === 15 || last) ? [PAYROLL] : []),
    ...(kind === 'account' && last ? [BANK_FEE] : []),
  ].map((payment) => ({ payment, amount: amountOf(payment, chance(payment.name, month, day)), number: '' }))
  const working = weekday(date) < 5
  const casual = NOW_AND_THEN[kind].filter(({ name, often }) => working && chance(name, date, 'whether') % 100 < often)
    .map((payment) => ({ payment, amount: amountOf(payment, chance(payment.name, date, 'amount')), number: String(1_000 + (chance(payment.name, date, 'number') % 9_000)) }))
  return [...fixed, ...casual].map(({ payment, amount, number }, index) => ({
    id: `sandbox-${date}-${index + 1}`,
    date,
    amount,
    name: [payment.name, number].filter(Boolean).join(' '),
    description: payment.description ?? null,
    reference: payment.numbered ? number : null,
  }))
}

function amountOf({ from, to, step = 1 }: Payment, chance: number): number {
  return from + (chance % (Math.floor((to - from) / step) + 1)) * step
}

/** A number that these words always give, and that tells nothing of the others. */
function drawn(words: string): number {
  return createHash('sha256').update(words).digest().readUInt32BE(0)
}
