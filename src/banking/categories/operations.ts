// Putting bank transactions into the books by category, and taking them out again: many at a time, each refused or not by itself.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { knownRecords } from '../../foundation/records.ts'
import { invalid, notFound, Refusal } from '../../foundation/refusal.ts'
import { learn, noteApplied, noteCorrected } from '../../directory/counterparty-defaults/operations.ts'
import type { HumanChoice } from '../../directory/counterparty-defaults/contract.ts'
import type { Books } from '../../ledger/books/contract.ts'
import { ledgerOfRole, lockJournal } from '../../ledger/books/operations.ts'
import { transactionResource, type CashRow } from '../../ledger/cash-book/contract.ts'
import { categorizeRows, uncategorizeRows } from '../../ledger/cash-book/operations.ts'
import { nameOfRow, ownersOf, shown } from '../../ledger/cash-book/rules.ts'
import type { Draft } from '../../ledger/journal/operations.ts'
import { openDoor, postEntries, reverseEntries } from '../../ledger/posting/operations.ts'
import type { Posting } from '../../ledger/posting/contract.ts'
import type { Override } from '../../ledger/posting/rules.ts'
import { openTax } from '../../ledger/tax-calculation/operations.ts'
import type { TaxedLine } from '../../ledger/tax-calculation/contract.ts'
import type { Category, CategoryRow, LineRow, TransactionLine, Wanted } from './contract.ts'
import {
  availableOf, fullLines, postingOf, requireCategories, requireCategorizable, requireOpen, requireReversible, saysTheSame, shownCategory, type FullLine,
} from './rules.ts'
import * as store from './store.ts'

/** The categories of transactions, by the id of the transaction. */
export async function categoriesOf(tx: BusinessTx, transaction_ids: readonly string[]): Promise<Map<string, Category>> {
  if (transaction_ids.length === 0) return new Map()
  const [rows, lines] = await Promise.all([tx.many(store.categoriesOf, { transaction_ids }), tx.many(store.linesOf, { transaction_ids })])
  const ofTransaction = Map.groupBy(lines, ({ transaction_id }) => transaction_id)
  return new Map(rows.map((row) => [row.transaction_id, { ...row, lines: (ofTransaction.get(row.transaction_id) ?? []).map(lineOf) }]))
}

/**
 * Work on several transactions that is prepared once. `attempt` takes one on and gives its id, or refuses by throwing; `finish` writes what was
 * taken on and gives the rows as they are then. One that needs no change is taken on and left as it is.
 */
export type Work = { attempt: (index: number) => string; finish: () => Promise<CashRow[]> }

type Planned = { row: CashRow; before: Category | undefined; reverse_on: string | undefined; category: Omit<Category, 'journal_entry_id'>; posting: Posting }

/** Locks the journal: the transactions are locked before. */
export async function openCategorizing(tx: BusinessTx, wanted: readonly Wanted[]): Promise<Work> {
  const [existing, requireKnown] = [await categoriesOf(tx, wanted.map(({ transaction }) => transaction.id)), await partiesOf(tx, wanted)]
  const locked = await lockJournal(tx)
  const taxOf = await openTaxes(tx, wanted)
  const override = overrideOf(tx)
  const plans = wanted.map((one): Planned | Refusal => orRefusal(() => {
    requireCategorizable(one.transaction)
    const lines = fullLines(one)
    requireKnown(locked.books, lines)
    requireCategories(locked.books, one.transaction, lines)
    return planOf(tx, locked.books, one, lines, existing.get(one.transaction.id), taxOf, override)
  }))
  const door = await openDoor(tx, plans.flatMap((plan) => (plan instanceof Refusal ? [] : plan.posting)), { locked })
  const taken = new Map<string, { plan: Planned; drafts: Draft[] }>()
  const left = new Map<string, CashRow>()
  return {
    attempt(index) {
      const plan = plans[index] as Planned | Refusal
      if (plan instanceof Refusal) throw plan
      const { row, before, category } = plan
      if (taken.has(row.id) || left.has(row.id)) throw invalid(`${nameOfRow(row)} is in this call twice: categorize it once.`)
      if (before && saysTheSame(before, category)) {
        left.set(row.id, row)
        return row.id
      }
      if (before) requireReversible(locked.books, row, before, plan.reverse_on, override)
      taken.set(row.id, { plan, drafts: door.weigh(plan.posting) })
      return row.id
    },
    async finish() {
      const chosen = [...taken.values()]
      const replaced = chosen.filter(({ plan }) => plan.before)
      await reverseAll(tx, replaced.map(({ plan }) => ({ category: plan.before as Category, reversal_date: plan.reverse_on })))
      // Where something was reversed, the journal stands elsewhere by now.
      const entries = replaced.length > 0 ? await postEntries(tx, chosen.map(({ plan }) => plan.posting)) : door.write(chosen.flatMap(({ drafts }) => drafts))
      const plans_made = chosen.map(({ plan }, index) => ({ ...plan, category: { ...plan.category, journal_entry_id: entries[index]?.id ?? '' } }))
      return [...(await write(tx, plans_made)), ...left.values()]
    },
  }
}

/** Takes categories back. What documents have taken stays theirs. A row that has none is left as it is where nothing was taken of it. */
export async function openUndoing(tx: BusinessTx, rows: readonly CashRow[], reversal_date: string | undefined): Promise<Work> {
  const existing = await categoriesOf(tx, rows.map(({ id }) => id))
  const { books } = await lockJournal(tx)
  const taken = new Map<string, { row: CashRow; category: Category }>()
  const left = new Map<string, CashRow>()
  return {
    attempt(index) {
      const row = rows[index] as CashRow
      const category = existing.get(row.id)
      if (category) {
        requireReversible(books, row, category, reversal_date, overrideOf(tx))
        taken.set(row.id, { row, category })
      } else {
        requireUntouched(row)
        left.set(row.id, row)
      }
      return row.id
    },
    async finish() {
      const gone = [...taken.values()]
      if (gone.length === 0) return [...left.values()]
      await reverseAll(tx, gone.map(({ category }) => ({ category, reversal_date })))
      tx.queue(store.deleteCategories, { ids: gone.map(({ category }) => category.id) })
      const changes = uncategorizeRows(tx, gone.map(({ row }) => row))
      for (const [index, { before, after }] of changes.entries()) {
        tx.record(transactionResource, 'transaction.undone', { before: told(before, gone[index]?.category), after: told(after, undefined) })
      }
      await noteCorrections(tx, gone.map(({ category }) => category))
      return [...changes.map(({ after }) => after), ...left.values()]
    },
  }
}

function planOf(
  tx: BusinessTx, books: Books, wanted: Wanted, lines: FullLine[], before: Category | undefined, taxOf: TaxOf, override: Override,
): Planned {
  const { transaction: row, memo = null, source, default_id = null } = wanted
  const posting_date = wanted.posting_date ?? before?.posting_date ?? row.datetime
  if (posting_date < row.datetime) throw invalid(`posting_date cannot be before ${row.datetime}, the day of the transaction.`)
  const taxes = lines.map((line) => taxOf(row, line, posting_date))
  const category = {
    id: before?.id ?? newId(), transaction_id: row.id, posting_date, amount: availableOf(row), memo, source, default_id, created_by: tx.actor.user_id, created_at: tx.now,
    lines: lines.map((line, index): TransactionLine => ({ ...line, tax_amount: taxes[index]?.tax ?? 0 })),
  }
  const posting = postingOf(row, category, lines, taxes, {
    payable: () => ledgerOfRole(books, 'sales_tax_payable').id, recoverable: () => ledgerOfRole(books, 'sales_tax_recoverable').id,
  })
  // What stands in a period that is closed by now is reversed on the new day, where one is given.
  const closed = before && wanted.posting_date !== undefined && orRefusal(() => requireOpen(books, before.posting_date, override)) instanceof Refusal
  return { row, before, reverse_on: closed ? posting_date : undefined, category, posting }
}

async function write(tx: BusinessTx, plans: readonly (Planned & { category: Category })[]): Promise<CashRow[]> {
  if (plans.length === 0) return []
  const changes = categorizeRows(tx, plans.map(({ row, category }) => ({ id: category.id, transaction: row })))
  tx.queue(store.saveCategories, { rows: JSON.stringify(plans.map(({ category: { lines: _lines, ...row } }) => row)) })
  const replaced = plans.flatMap(({ row, before }) => (before ? row.id : []))
  if (replaced.length > 0) tx.queue(store.deleteLines, { transaction_ids: replaced })
  const lines = plans.flatMap(({ row, category }) => category.lines.map((line, index): LineRow => ({ transaction_id: row.id, position: index + 1, ...line })))
  tx.queue(store.insertLines, { rows: JSON.stringify(lines) })
  for (const [index, { before, after }] of changes.entries()) {
    const plan = plans[index]
    tx.record(transactionResource, 'transaction.categorized', { before: told(before, plan?.before), after: told(after, plan?.category) })
  }
  noteApplied(tx, plans.flatMap(({ category }) => category.default_id ?? []))
  await noteCorrections(tx, plans.flatMap(({ before, category }) => (before && category.source === 'person' ? before : [])))
  await learn(tx, plans.flatMap(choiceOf))
  return changes.map(({ after }) => after)
}

/** What a person said of a whole transaction teaches; a split says nothing of the next one. */
function choiceOf({ row, category: { source, lines } }: { row: CashRow; category: Pick<Category, 'source' | 'lines'> }): HumanChoice[] {
  const [line] = lines
  if (source !== 'person' || !line || lines.length > 1 || row.counterparty === null) return []
  const { ledger_id, tax_code_id, customer_id, vendor_id, project_id, dimension_value_ids } = line
  const direction = row.amount < 0 ? 'out' : 'in'
  return [{ counterparty: row.counterparty, direction, bank_ledger_id: row.ledger_id, ledger_id, tax_code_id, customer_id, vendor_id, project_id, dimension_value_ids }]
}

/** The service itself corrects nobody. */
async function noteCorrections(tx: BusinessTx, overruled: readonly CategoryRow[]): Promise<void> {
  if (tx.actor.kind === 'system') return
  const ids = overruled.flatMap(({ source, default_id }) => (source === 'default' && default_id !== null ? default_id : []))
  await noteCorrected(tx, [...new Set(ids)])
}

/** On the day of each entry, or on the day that is given; those of one day at once. */
async function reverseAll(tx: BusinessTx, given: readonly { category: Category; reversal_date: string | undefined }[]): Promise<void> {
  for (const [reversal_date, same] of Map.groupBy(given, (one) => one.reversal_date)) {
    await reverseEntries(tx, same.map(({ category }) => category.journal_entry_id), { reversal_date, area: 'banking' })
  }
}

function requireUntouched(row: CashRow): void {
  const name = nameOfRow(row)
  if (row.kind === 'book') throw invalid(`${name} was posted by ${ownersOf(row) ?? 'a document'}: change or void that instead.`)
  if (row.status === 'unreviewed') return
  if (row.status === 'excluded') throw invalid(`${name} is excluded: restore it instead.`)
  throw invalid(`${name} is ${row.status.replaceAll('_', ' ')} by ${ownersOf(row)}: remove the payment there.`)
}

function told(row: CashRow, category: Category | undefined) {
  return { ...shown(row), ...shownCategory(category) }
}

function lineOf({ transaction_id: _transaction, position: _position, ...line }: LineRow): TransactionLine {
  return line
}

type TaxOf = (row: CashRow, line: FullLine, date: string) => TaxedLine | null

/** Bank rows carry gross amounts. A line without a code has no tax: whether there was any, the bank does not say. */
async function openTaxes(tx: BusinessTx, wanted: readonly Wanted[]): Promise<TaxOf> {
  const directionOf = (row: CashRow) => (row.amount < 0 ? 'purchase' as const : 'sale' as const)
  const questions = wanted.flatMap(({ transaction, lines }) => lines.filter(({ tax_code_id }) => tax_code_id).map(({ tax_code_id, customer_id }) => ({
    direction: directionOf(transaction), customer_id: customer_id === undefined ? transaction.customer_id : customer_id, lines: [{ tax_code_id }],
  })))
  if (questions.length === 0) return () => null
  const tax = await openTax(tx, questions)
  return (row, { tax_code_id, customer_id, amount }, date) => {
    if (tax_code_id === null) return null
    return tax({ date, direction: directionOf(row), customer_id, inclusive: true, lines: [{ amount, tax_code_id }] }).lines[0] ?? null
  }
}

const PARTIES = [['customer_id', 'customer'], ['vendor_id', 'vendor'], ['project_id', 'project']] as const

/** Looks up every customer, vendor and project that lines name, and gives what refuses a line that names another. Those of the transaction are its own. */
async function partiesOf(tx: BusinessTx, wanted: readonly Wanted[]): Promise<(books: Books, lines: readonly FullLine[]) => void> {
  const lines = wanted.flatMap((one) => one.lines)
  const own = new Set(wanted.flatMap(({ transaction: { customer_id, vendor_id } }) => [customer_id, vendor_id]))
  const known = await Promise.all(PARTIES.map(([field, type]) => knownRecords(tx, type, lines.flatMap((line) => line[field] ?? []))))
  return (books, full) => {
    for (const [index, line] of full.entries()) {
      for (const [order, [field, type]] of PARTIES.entries()) {
        const value = line[field]
        if (value !== null && !known[order]?.has(value) && !own.has(value)) throw notFound(`${type.replace(/^./, (letter) => letter.toUpperCase())} ${value} of line ${index + 1}`)
      }
      const unknown = line.dimension_value_ids.find((value) => !books.dimensions.values.has(value))
      if (unknown) throw notFound(`Dimension value ${unknown} of line ${index + 1}`)
    }
  }
}

function overrideOf(tx: BusinessTx): Override {
  return { allowed: tx.actor.permissions.has('periods:override'), reason: tx.request.override_reason }
}

function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
