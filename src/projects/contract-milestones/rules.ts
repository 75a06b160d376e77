// What the milestones of a contract come to, and which of them may still change.
import { addCents, applyRate, formatCents, parseDecimal, splitCents, subtractCents, type Currency } from '../../foundation/money.ts'
import { invalid } from '../../foundation/refusal.ts'
import { plainPercent } from '../projects/rules.ts'
import { MOST_MILESTONES, type Milestone, type MilestoneUpdate } from './contract.ts'

type Measured = { amount: number; percent: string | null; invoice_id: string | null }
type Terms = { number: string; status: string; value: number; currency: Currency }

const SCALE = 4

/**
 * The milestones with the amounts that follow from the value: shares by percent are rounded together, so that shares of 100 percent are the
 * whole value. What is billed stays as it was billed.
 */
export function apportioned<M extends Measured>(milestones: readonly M[], value: number): M[] {
  const shares = milestones.filter((milestone) => milestone.percent !== null && milestone.invoice_id === null)
  if (shares.length === 0) return [...milestones]
  const by_percent = milestones.filter(({ percent }) => percent !== null)
  const whole = applyRate(value, decimalOf(by_percent.reduce((sum, { percent }) => sum + unitsOf(percent), 0n), SCALE + 2))
  const billed = addCents(...by_percent.filter(({ invoice_id }) => invoice_id !== null).map(({ amount }) => amount))
  const parts = splitCents(Math.max(0, subtractCents(whole, billed)), shares.map(({ percent }) => unitsOf(percent)))
  const amounts = new Map(shares.map((milestone, index) => [milestone, parts[index] ?? 0]))
  return milestones.map((milestone) => ({ ...milestone, amount: amounts.get(milestone) ?? milestone.amount }))
}

export function sumOf(milestones: readonly Measured[]): number {
  return addCents(...milestones.map(({ amount }) => amount))
}

export function requireWithin(milestones: readonly Measured[], { value, number, currency }: Terms): void {
  const sum = sumOf(milestones)
  if (sum <= value) return
  throw invalid(`The milestones of ${number} would come to ${formatCents(sum, currency)}, above its value of ${formatCents(value, currency)}.`)
}

export function requireWhole(milestones: readonly Measured[], { value, currency }: Pick<Terms, 'value' | 'currency'>): void {
  const sum = sumOf(milestones)
  if (sum !== value) throw invalid(`The milestones come to ${formatCents(sum, currency)} and not to the value of the contract, ${formatCents(value, currency)}.`)
}

export function requireChangeable({ number, status }: Terms): void {
  if (status === 'completed' || status === 'terminated') throw invalid(`The contract ${number} is ${status}: its milestones stay.`)
}

export function requireUnbilled({ name, invoice_id }: Pick<Milestone, 'name' | 'invoice_id'>): void {
  if (invoice_id !== null) throw invalid(`The milestone “${name}” is billed: take it off its invoice first.`)
}

export function requireFew(milestones: readonly unknown[]): void {
  if (milestones.length > MOST_MILESTONES) throw invalid(`A contract has at most ${MOST_MILESTONES} milestones.`)
}

/** One measure is given: it takes the place of the other. */
export function measureOf({ name, amount, percent }: MilestoneUpdate): { amount: number; percent: string | null } | null {
  if (amount === undefined && percent === undefined) return null
  if (amount !== undefined && percent !== undefined) throw invalid(`The milestone “${name}” has both an amount and a percent: give one of them.`)
  if (percent === undefined) return { amount: amount ?? 0, percent: null }
  if (unitsOf(percent) === 0n) throw invalid('percent must be above 0.')
  return { amount: 0, percent: plainPercent(percent) }
}

export function requireMeasure(input: MilestoneUpdate): { amount: number; percent: string | null } {
  const measure = measureOf(input)
  if (!measure) throw invalid(`The milestone “${input.name}” needs an amount or a percent.`)
  return measure
}

/** A percentage in ten-thousandths of a percent. */
function unitsOf(percent: string | null): bigint {
  if (percent === null) return 0n
  const { units, scale } = parseDecimal(percent)
  return units * 10n ** BigInt(SCALE - scale)
}

function decimalOf(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0')
  return `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`
}
