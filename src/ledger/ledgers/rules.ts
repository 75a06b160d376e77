// What a chart of accounts may look like: each ledger by itself, and all of them together.
import type { Static } from 'typebox'
import { formatCents, type Currency } from '../../foundation/money.ts'
import { invalid, notFound, type Refusal } from '../../foundation/refusal.ts'
import { isCashLedger, isProfitAndLoss, nameOf } from '../posting/rules.ts'
import {
  ROLES, SUBTYPES, type CashFlowClass, type LedgerBulkItem, type LedgerInput, type LedgerRow, type LedgerType, type LedgerUpdate, type Side, type Subtype,
} from './contract.ts'

export type Ledgers = ReadonlyMap<string, LedgerRow>
/** All ledgers of a business, and the ids of those that have lines. */
export type Chart = { ledgers: Ledgers; used: ReadonlySet<string> }

export const MOST_LEVELS = 5

/** 1 where a debit makes the balance larger, -1 where a credit does. */
export function signOf(type: LedgerType): 1 | -1 {
  return type === 'asset' || type === 'expense' ? 1 : -1
}

const CONTRARY: ReadonlySet<Subtype> = new Set<Subtype>(['accumulated_depreciation', 'distribution', 'discount'])

export function normalSide({ type, subtype }: { type: LedgerType; subtype: Subtype }): Side {
  return (signOf(type) === 1) === CONTRARY.has(subtype) ? 'credit' : 'debit'
}

const BANK_SUBTYPES: ReadonlySet<Subtype> = new Set<Subtype>(['bank', 'cash', 'credit_card', 'line_of_credit'])

/** Where the cash-flow statement shows a subtype, for those that are not simply part of the operations. */
const CASH_FLOW: Partial<Record<Subtype, CashFlowClass>> = {
  bank: 'cash', cash: 'cash',
  fixed_asset: 'investing', intangible: 'investing', other_asset: 'investing', disposal_gain_loss: 'investing',
  line_of_credit: 'financing', current_loan: 'financing', long_term_loan: 'financing', long_term_liability: 'financing',
  capital: 'financing', distribution: 'financing', other_equity: 'financing', opening_balance: 'financing',
  accumulated_depreciation: 'non_cash', depreciation: 'non_cash',
}

export function cashFlowClassOf(subtype: Subtype): CashFlowClass {
  return CASH_FLOW[subtype] ?? 'operating'
}

type Origin = { id: string; business_id: string; base_currency: Currency; now: string }

export function newLedger(input: LedgerInput, { id, business_id, base_currency, now }: Origin): LedgerRow {
  const { name, number } = tidy(input)
  return {
    id,
    business_id,
    number: number ?? null,
    name: name ?? '',
    type: input.type,
    subtype: input.subtype,
    currency: input.currency ?? base_currency,
    parent_id: input.parent_id ?? null,
    is_bank: input.is_bank ?? (BANK_SUBTYPES.has(input.subtype) && input.posting !== false),
    role: null,
    archived: false,
    description: input.description ?? null,
    posting: input.posting ?? true,
    default_tax_code_id: input.default_tax_code_id ?? null,
    cash_flow_class: input.cash_flow_class ?? cashFlowClassOf(input.subtype),
    bank_name: input.bank_name ?? null,
    bank_account_last4: input.bank_account_last4 ?? null,
    merged_into_id: null,
    created_at: now,
    updated_at: now,
    version: 1,
  }
}

/** Only the fields that differ; empty where nothing does. */
export function changesOf(before: LedgerRow, input: LedgerUpdate): Partial<LedgerRow> {
  const follows = input.subtype !== undefined && before.cash_flow_class === cashFlowClassOf(before.subtype)
  const wanted: Partial<LedgerRow> = { ...(follows && input.subtype ? { cash_flow_class: cashFlowClassOf(input.subtype) } : {}), ...tidy(input) }
  const keys = Object.keys(wanted) as (keyof LedgerRow)[]
  return Object.fromEntries(keys.filter((key) => wanted[key] !== undefined && wanted[key] !== before[key]).map((key) => [key, wanted[key]]))
}

/** Single blanks inside and none around, so that what looks equal is equal. */
function tidy<Fields extends LedgerUpdate>(fields: Fields): Fields {
  const { name, number } = fields
  return { ...fields, ...(name && { name: name.trim().replaceAll(/\s+/g, ' ') }), ...(number && { number: number.trim() }) }
}

/** What a new item of a bulk call must have. */
export function requireInput(item: Static<typeof LedgerBulkItem>): LedgerInput {
  const { name, type, subtype } = item
  if (name === undefined || type === undefined || subtype === undefined) throw invalid('A new ledger needs name, type and subtype.')
  return { ...item, name, type, subtype }
}

/** The rules of one ledger by itself. */
export function requireSound(ledger: LedgerRow, base_currency: string): void {
  const name = nameOf(ledger)
  const subtypes: readonly Subtype[] = SUBTYPES[ledger.type]
  if (!subtypes.includes(ledger.subtype)) {
    throw invalid(`${name}: the subtype ${ledger.subtype} does not belong to the type ${ledger.type}; choose one of ${subtypes.join(', ')}.`)
  }
  if (isProfitAndLoss(ledger) && ledger.currency !== base_currency) {
    throw invalid(`${name}: income and expense ledgers are kept in ${base_currency}, the base currency.`)
  }
  if (ledger.is_bank && !BANK_SUBTYPES.has(ledger.subtype)) {
    throw invalid(`${name}: only ledgers of the subtypes ${[...BANK_SUBTYPES].join(', ')} can be bank accounts; ${ledger.subtype} cannot.`)
  }
  if (ledger.is_bank && !ledger.posting) throw invalid(`${name}: a heading takes no lines, so it cannot be a bank account.`)
  if (ledger.is_bank && ledger.role && !isCashLedger({ role: ledger.role, is_bank: false })) {
    throw invalid(`${name} has the role ${ledger.role} and cannot be a bank account.`)
  }
}

/** What lines, merges and roles rely on does not change under them. */
export function requireChangeable(chart: Chart, before: LedgerRow, after: LedgerRow): void {
  const name = nameOf(before)
  const changed = (...fields: (keyof LedgerRow)[]) => fields.find((field) => before[field] !== after[field])
  const frozen = changed('type', 'currency', 'is_bank', 'posting')
  if (frozen && chart.used.has(before.id)) throw invalid(`${name} has lines: its ${frozen} cannot change any more. Create another ledger instead.`)
  if (frozen && (before.merged_into_id || mergedInto(chart.ledgers, before.id).length > 0)) {
    throw invalid(`${name} is part of a merge: undo that before its ${frozen} changes.`)
  }
  const fixed = changed('type', 'posting')
  if (fixed && before.role) throw invalid(`${name} has the role ${before.role}: give the role to another ledger before its ${fixed} changes.`)
}

export function mergedInto(ledgers: Ledgers, id: string): LedgerRow[] {
  return [...ledgers.values()].filter((ledger) => ledger.merged_into_id === id)
}

export function childrenOf(ledgers: Ledgers, id: string): LedgerRow[] {
  return [...ledgers.values()].filter((ledger) => ledger.parent_id === id)
}

/** A new or changed ledger; `before` is null for a new one. */
export type Proposal = { index: number; before: LedgerRow | null; after: LedgerRow }

/**
 * Which proposals can stand together, and why the others cannot, first things first. The chart counts as it would be afterwards,
 * so numbers and names may be swapped and places exchanged. Where two want the same, who had it keeps it, then who came first gets it.
 */
export function settle(ledgers: Ledgers, proposals: readonly Proposal[]): { standing: Proposal[]; refused: Map<number, Refusal> } {
  const refused = new Map<number, Refusal>()
  for (let standing = [...proposals]; ; standing = standing.filter(({ index }) => !refused.has(index))) {
    const problems = problemsOf(ledgers, standing)
    if (problems.length === 0) return { standing, refused }
    // A circle is broken by taking out its last part; the others may well stand then.
    const plain = problems.filter(({ circle }) => circle === null)
    const last = new Map(problems.map((problem) => [problem.circle, problem]))
    for (const { index, refusal } of plain.length > 0 ? plain : last.values()) refused.set(index, refusal)
  }
}

/** `circle` tells one circle from another; null where the problem is none. */
type Problem = { refusal: Refusal; circle: string | null }

function problemsOf(ledgers: Ledgers, standing: readonly Proposal[]): (Problem & { index: number })[] {
  const final = new Map(ledgers)
  for (const { after } of standing) final.set(after.id, after)
  const numbers = holdersOf(final, standing, ({ number }) => number)
  const names = holdersOf(final, standing, nameKey)
  const shape: Shape = { final, children: Map.groupBy(final.values(), ({ parent_id }) => parent_id), below: levelsBelow(final) }
  return standing.flatMap(({ index, after }) => {
    const problem = placeProblem(shape, after) ?? takenProblem(numbers, names, after)
    return problem ? [{ index, ...problem }] : []
  })
}

function takenProblem(numbers: Map<string, LedgerRow>, names: Map<string, LedgerRow>, ledger: LedgerRow): Problem | null {
  const byNumber = ledger.number === null ? undefined : numbers.get(ledger.number)
  const byName = names.get(nameKey(ledger))
  const problem = (detail: string) => ({ circle: null, refusal: invalid(detail) })
  if (byNumber && byNumber.id !== ledger.id) return problem(`The number ${ledger.number} is taken by ${byNumber.name}: choose another one.`)
  if (byName && byName.id !== ledger.id) return problem(`A ledger named ${byName.name} exists at this place already: choose another name.`)
  return null
}

/** Who may have each number or name: those who keep theirs come before those who want another. */
function holdersOf(final: Ledgers, standing: readonly Proposal[], keyOf: (ledger: LedgerRow) => string | null): Map<string, LedgerRow> {
  const wishing = standing.filter(({ before, after }) => !before || keyOf(before) !== keyOf(after)).map(({ after }) => after)
  const wishes = new Set(wishing.map(({ id }) => id))
  const holders = new Map<string, LedgerRow>()
  for (const ledger of [...[...final.values()].filter(({ id }) => !wishes.has(id)), ...wishing]) {
    const key = keyOf(ledger)
    if (key !== null && !holders.has(key)) holders.set(key, ledger)
  }
  return holders
}

function nameKey({ parent_id, name }: LedgerRow): string {
  return `${parent_id} ${name.toLowerCase()}`
}

/** The chart as it would be. */
type Shape = { final: Ledgers; children: ReadonlyMap<string | null, readonly LedgerRow[]>; below: ReadonlyMap<string, number> }

function placeProblem({ final, children, below }: Shape, ledger: LedgerRow): Problem | null {
  const problem = (refusal: Refusal, circle: string | null = null) => ({ refusal, circle })
  const name = nameOf(ledger)
  const child = children.get(ledger.id)?.find(({ type }) => type !== ledger.type)
  if (child) return problem(invalid(`${name} cannot be of the type ${ledger.type}: ${nameOf(child)} below it is of the type ${child.type}.`))
  if (ledger.parent_id === null) return null
  const parent = final.get(ledger.parent_id)
  if (!parent) return problem(notFound(`Parent ledger ${ledger.parent_id}`))
  if (parent.type !== ledger.type) {
    return problem(invalid(`${name} is of the type ${ledger.type} and cannot stand below ${nameOf(parent)}, which is of the type ${parent.type}.`))
  }
  if (parent.archived && !ledger.archived) return problem(invalid(`${name} cannot stand below ${nameOf(parent)}, which is archived: restore that one first.`))
  const { above, meets } = climb(final, ledger)
  if (meets === ledger) {
    const circle = [ledger, ...above].map(({ id }) => id).sort()[0] ?? ''
    const above_it = parent === ledger ? 'itself' : `${nameOf(parent)}, which stands below it`
    return problem(invalid(`${name} cannot stand below ${above_it}.`), circle)
  }
  // Below a circle that others make: how deep this one stands is seen once the circle is broken.
  if (meets !== null || above.length + 1 + (below.get(ledger.id) ?? 0) <= MOST_LEVELS) return null
  return problem(invalid(`${name} cannot stand below ${nameOf(parent)}: the chart is at most ${MOST_LEVELS} deep.`))
}

/** The ledgers above this one, from its parent upward, and where the way leads in a circle the ledger at which it closes. */
export function climb(ledgers: Ledgers, ledger: LedgerRow): { above: LedgerRow[]; meets: LedgerRow | null } {
  const above = new Set<LedgerRow>()
  const parentOf = ({ parent_id }: LedgerRow) => (parent_id === null ? undefined : ledgers.get(parent_id))
  let next = parentOf(ledger)
  while (next && next !== ledger && !above.has(next)) {
    above.add(next)
    next = parentOf(next)
  }
  return { above: [...above], meets: next ?? null }
}

/** How many levels stand below each ledger that has any. */
function levelsBelow(ledgers: Ledgers): Map<string, number> {
  const below = new Map<string, number>()
  for (const ledger of ledgers.values()) {
    for (const [index, { id }] of climb(ledgers, ledger).above.entries()) below.set(id, Math.max(below.get(id) ?? 0, index + 1))
  }
  return below
}

/** Why it cannot be deleted as far as the chart itself goes. */
export function requireDeletable({ ledgers, used }: Chart, ledger: LedgerRow): void {
  const name = nameOf(ledger)
  const [child] = childrenOf(ledgers, ledger.id)
  const [merged] = mergedInto(ledgers, ledger.id)
  if (used.has(ledger.id)) throw invalid(`${name} has lines and cannot be deleted: archive it.`)
  if (ledger.role) throw invalid(`${name} has the role ${ledger.role} and cannot be deleted: give the role to another ledger first.`)
  if (child) throw invalid(`${nameOf(child)} stands below ${name}: move or delete that one first.`)
  if (merged) throw invalid(`${nameOf(merged)} is merged into ${name}: unmerge that one first.`)
}

type Balance = { currency: Currency; amount: number; base_amount: number }

export function requireArchivable(ledgers: Ledgers, ledger: LedgerRow, [balance]: readonly Balance[], base_currency: Currency): void {
  const name = nameOf(ledger)
  if (ledger.role) throw invalid(`${name} has the role ${ledger.role}: give the role to another ledger first.`)
  requireNoActiveChild(ledgers, ledger)
  if (!balance) return
  const [amount, currency] = balance.amount === 0 ? [balance.base_amount, base_currency] : [balance.amount, balance.currency]
  throw invalid(`${name} has a balance of ${formatCents(amount * signOf(ledger.type), currency)} ${currency}: bring it to zero first.`)
}

function requireNoActiveChild(ledgers: Ledgers, ledger: LedgerRow): void {
  const child = childrenOf(ledgers, ledger.id).find(({ archived }) => !archived)
  if (child) throw invalid(`${nameOf(child)} stands below ${nameOf(ledger)} and is active: archive or move that one first.`)
}

export function requireMergeable(ledgers: Ledgers, ledger: LedgerRow, into: LedgerRow): void {
  if (ledger.id === into.id) throw invalid('A ledger cannot be merged into itself.')
  for (const one of [ledger, into]) {
    const name = nameOf(one)
    if (one.merged_into_id) throw invalid(`${name} is merged into another ledger already.`)
    if (one.archived) throw invalid(`${name} is archived: restore it first.`)
    if (one.role) throw invalid(`${name} has the role ${one.role} and cannot be part of a merge.`)
    if (isCashLedger(one)) throw invalid(`${name} is a bank account and cannot be part of a merge.`)
    if (!one.posting) throw invalid(`${name} is a heading and cannot be part of a merge.`)
  }
  const [name, other] = [nameOf(ledger), nameOf(into)]
  if (ledger.type !== into.type) {
    throw invalid(`${name} is of the type ${ledger.type}, ${other} of the type ${into.type}: only ledgers of one type can be merged.`)
  }
  if (ledger.currency !== into.currency) {
    throw invalid(`${name} is in ${ledger.currency}, ${other} in ${into.currency}: only ledgers of one currency can be merged.`)
  }
  requireNoActiveChild(ledgers, ledger)
}

/** Everything that is off in a stored chart, a sentence each. */
export function chartProblems(ledgers: Ledgers): string[] {
  const roles = new Map<string, LedgerRow>()
  return [...ledgers.values()].flatMap((ledger): string[] => {
    const name = nameOf(ledger)
    const found: string[] = []
    const parent = ledger.parent_id === null ? null : ledgers.get(ledger.parent_id)
    const { above, meets } = climb(ledgers, ledger)
    if (parent === undefined) found.push(`${name} has a parent that does not exist`)
    if (parent && parent.type !== ledger.type) found.push(`${name} is of the type ${ledger.type}, its parent of the type ${parent.type}`)
    if (meets) found.push(`${name} stands in a circle`)
    else if (above.length >= MOST_LEVELS) found.push(`${name} stands ${above.length + 1} deep`)
    if (!(SUBTYPES[ledger.type] as readonly string[]).includes(ledger.subtype)) {
      found.push(`${name} is of the type ${ledger.type} and the subtype ${ledger.subtype}`)
    }
    const into = ledger.merged_into_id === null ? null : ledgers.get(ledger.merged_into_id)
    if (into === undefined || (into && (into.type !== ledger.type || into.merged_into_id))) {
      found.push(`${name} is merged into a ledger that cannot stand for it`)
    }
    if (ledger.role === null) return found
    if (ROLES[ledger.role] !== ledger.type) found.push(`${name} is of the type ${ledger.type}, which does not fit its role ${ledger.role}`)
    if (roles.has(ledger.role)) found.push(`${name} has the role ${ledger.role}, which another ledger has too`)
    roles.set(ledger.role, ledger)
    return found
  })
}
