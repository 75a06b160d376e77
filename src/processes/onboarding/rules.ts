// What the set-up of a business consists of, which steps apply, and how one chart takes the place of another.
import { invalid } from '../../foundation/refusal.ts'
import { INDUSTRIES, templateOf, type Template } from '../../ledger/charts/rules.ts'
import type { LedgerRow } from '../../ledger/ledgers/contract.ts'
import { STEPS, type Facts, type Marks, type Onboarding, type OnboardingAnswers, type OnboardingRow, type Step, type StepState } from './contract.ts'

export const NO_ANSWERS: OnboardingAnswers = {
  revenue_model: null, has_inventory: null, has_employees: null, sales_tax: null, previous_system: null, team_size: null,
}

/** Without these there are no books to speak of. */
const BLOCKING: readonly Step[] = ['profile', 'chart', 'fiscal_year']

/** What brings about the fact behind a step. Steps that are not here are ticked off by hand. */
const MISSING: Record<keyof Facts, string> = {
  profile: 'name the industry of the business with PUT /businesses/{business_id}',
  chart: 'give each role a ledger with PUT /ledgers/roles/{role}, or take a chart with POST /onboarding/chart-template',
  fiscal_year: 'make the periods of this year with POST /accounting-periods/generate',
  opening_balances: 'post the opening balances of the business',
  bank: 'bring in a transaction of a bank ledger with POST /transactions',
  tax: 'make a tax rate with POST /tax/rates',
  payments: 'connect the card processor with POST /processor/connection',
  team: 'invite somebody with POST /invitations',
  first_invoice: 'finalize an invoice with PUT /invoices/{invoice_id}/finalize',
}

function isDerived(step: Step): step is keyof Facts {
  return step in MISSING
}

export function applies(step: Step, answers: OnboardingAnswers): boolean {
  if (step === 'tax') return answers.sales_tax !== false
  if (step === 'team') return answers.team_size !== 1
  return (step !== 'opening_balances' && step !== 'import') || answers.previous_system !== 'none'
}

export function statesOf(answers: OnboardingAnswers, marks: Marks, facts: Facts): StepState[] {
  return STEPS.filter((step) => applies(step, answers)).map((step): StepState => {
    const derived = isDerived(step)
    const fact = derived ? facts[step] : null
    const mark = marks[step]
    const marked = mark && (!derived || mark.status === 'skipped') ? mark : null
    const status = fact !== null ? 'done' : (marked?.status ?? 'todo')
    return { step, status, done_at: fact ?? (status === 'done' ? (marked?.at ?? null) : null), derived, blocking: BLOCKING.includes(step) }
  })
}

export function onboardingOf(row: Pick<OnboardingRow, 'answers' | 'steps' | 'ended_at'> & { status: Onboarding['status'] }, facts: Facts): Onboarding {
  const steps = statesOf(row.answers, row.steps, facts)
  const todo = steps.filter(({ status }) => status === 'todo')
  return {
    status: row.status, answers: row.answers, steps, ended_at: row.ended_at, percent: Math.floor(((steps.length - todo.length) * 100) / steps.length),
    next_step: (todo.find(({ blocking }) => blocking) ?? todo[0])?.step ?? null,
  }
}

/** The step as it stands; refuses one that does not apply. */
export function requireStep(states: readonly StepState[], step: Step): StepState {
  const found = states.find((one) => one.step === step)
  if (!found) throw invalid(`The step ${step} does not apply by the answers that were given: change them first.`)
  return found
}

/** Whether there is something to do; refuses where the step cannot be ticked off. */
export function requireCompletable({ step, status, derived }: StepState): boolean {
  if (status === 'done') return false
  if (derived && isDerived(step)) throw invalid(`The step ${step} is done when its fact is there: ${MISSING[step]}.`)
  if (status === 'skipped') throw invalid(`The step ${step} is skipped: reopen it first.`)
  return true
}

export function requireSkippable({ step, status, blocking }: StepState): boolean {
  if (status === 'skipped') return false
  if (status === 'done') throw invalid(`The step ${step} is done: there is nothing to skip.`)
  if (blocking) throw invalid(`The set-up cannot end without the step ${step}: it cannot be skipped.`)
  return true
}

export function requireReopenable({ step, status, derived }: StepState): boolean {
  if (status === 'todo') return false
  if (derived && status === 'done') throw invalid(`The step ${step} is done because its fact is there: it cannot be reopened.`)
  return true
}

/** Whether the set-up can come to this end; a repeated end changes nothing. */
export function requireEnding(onboarding: Onboarding, end: 'finished' | 'dismissed'): boolean {
  if (onboarding.status === end) return false
  if (onboarding.status === 'finished' || onboarding.status === 'dismissed') throw invalid(`The set-up is ${onboarding.status}.`)
  const open = onboarding.steps.find(({ blocking, status }) => blocking && status === 'todo')
  if (open) throw invalid(`The step ${open.step} is still to be done: ${isDerived(open.step) ? MISSING[open.step] : 'complete it first'}.`)
  return true
}

/** Steps that are done and of which nobody was told. */
export function untold(states: readonly StepState[], told: readonly Step[]): Step[] {
  return states.filter(({ step, status }) => status === 'done' && !told.includes(step)).map(({ step }) => step)
}

export type ChartChange = { renamed: { ledger: LedgerRow; name: string }[]; removed: LedgerRow[]; kept: LedgerRow[] }

/**
 * How a default chart gives way to another: what stands in both under one number takes the new name, what is in the new one only is added
 * by whoever asks, and the rest goes unless somebody made it, changed it or names it. `free` are the ledgers that nothing names.
 */
export function givingWay(ledgers: readonly LedgerRow[], template: Template, free: ReadonlySet<string>): ChartChange {
  const wanted = new Map(template.ledgers.map((line) => [line.number, line]))
  const isDefault = (ledger: LedgerRow) => defaults.has(lineKey(ledger))
  const inPlace = (ledger: LedgerRow) => wanted.get(ledger.number ?? '')?.type === ledger.type
  const removable = (ledger: LedgerRow) => ledger.version === 1 && ledger.role === null && free.has(ledger.id)
  const removed = ledgers.filter((ledger) => isDefault(ledger) && !inPlace(ledger) && removable(ledger))
  const staying = ledgers.filter((ledger) => !removed.includes(ledger))
  const names = new Set(staying.filter((ledger) => !(isDefault(ledger) && inPlace(ledger))).map(({ name }) => name.toLowerCase()))
  const renamed = staying.flatMap((ledger) => {
    const name = isDefault(ledger) && inPlace(ledger) ? wanted.get(ledger.number ?? '')?.name : undefined
    return name !== undefined && name !== ledger.name && !names.has(name.toLowerCase()) ? [{ ledger, name }] : []
  })
  return { renamed, removed, kept: staying.filter((ledger) => !inPlace(ledger)) }
}

function lineKey({ number, name, type }: { number: string | null; name: string; type: string }): string {
  return `${type} ${number} ${name}`
}

/** Every line of every default chart. */
const defaults: ReadonlySet<string> = new Set(INDUSTRIES.flatMap((industry) => templateOf(industry).ledgers.map(lineKey)))
