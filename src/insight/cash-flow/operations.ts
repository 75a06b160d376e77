// Makes a cash flow.
import { addDays } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents, toCents } from '../../foundation/money.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { selectionOf } from '../general-ledger/operations.ts'
import type { Slot } from '../report-columns/contract.ts'
import { askedOf, nameColumns, type Asked } from '../report-columns/operations.ts'
import { rangeOf, slotsOf, type Range } from '../report-columns/rules.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf, membersOf, targetsOf } from '../report-figures/rules.ts'
import type { Report } from '../report-shape/contract.ts'
import { answerOf, checkOf, linkTo, rowsOf, shownOf, type LinkOf } from '../report-shape/rules.ts'
import type { CashFlowQuery } from './contract.ts'
import { directLines, indirectLines, isCash, requireFewDays, requireOverTime, type Counterparts, type Flow } from './rules.ts'
import * as store from './store.ts'

export async function getCashFlow(tx: BusinessTx, query: CashFlowQuery): Promise<Report> {
  const method = query.method ?? 'indirect'
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const plan = slotsOf(query, range, 'movement', asked.books.periods)
  requireOverTime(plan)
  if (method === 'direct') requireFewDays(plan.slots)
  const before = plan.slots.map(({ start_date, end_date }) => ({ start_date: null, end_date: addDays(start_date ?? end_date, -1) }))
  const [found, lines] = await Promise.all([
    figures(tx, { ...asked.figures, ranges: [...plan.slots, ...before] }),
    readLines(tx, asked, range, plan.slots, method === 'direct'),
  ])
  const columns = await nameColumns(tx, plan, found, null)
  const [group] = found.groups
  const ledgers = [...asked.books.ledgers.values()]
  const flow: Flow = {
    ledgers,
    effectOf: ({ id }) => columns.map(({ slot }) => 0 - balanceOf(group, id, slot)),
    revaluation: columns.map(({ slot }) => lines.revaluation[slot] ?? 0),
    opening: columns.map(({ slot }) => addCents(...ledgers.filter(isCash).map(({ id }) => balanceOf(group, id, plan.slots.length + slot)))),
  }
  const made = lines.counterparts ? directLines(flow, lines.counterparts, shownOf(query), columns.length) : indirectLines(flow, shownOf(query), columns.length)
  return answerOf(tx, {
    report: 'cash-flow',
    title: 'Cash flow',
    query: { ...query, method },
    asked,
    dates: range,
    columns,
    rows: rowsOf(made.lines, columns, linksOf(asked, method === 'direct')),
    checks: [checkOf('net_change_equals_cash', made.differences)],
  })
}

/** Movements lead to their lines, cash to all lines up to it. What is part of a ledger only, as its receipts, leads nowhere. */
function linksOf(asked: Asked, direct: boolean): LinkOf {
  const plain = linkTo(asked.figures)
  return (line, column, place) => {
    if (line.key === 'opening_cash') return plain(line, { ...column, start_date: null, end_date: addDays(column.start_date ?? column.end_date, -1) }, place)
    if (line.key === 'closing_cash') return plain(line, { ...column, start_date: null }, place)
    return (direct && line.key !== 'net_change') || line.kind === 'section' ? null : plain(line, column, place)
  }
}

type LinesRead = { revaluation: number[]; counterparts: Counterparts | null }

async function readLines(tx: BusinessTx, asked: Asked, range: Range, slots: readonly Slot[], direct: boolean): Promise<LinesRead> {
  const { parameters } = await selectionOf(tx, asked, range)
  const members = membersOf(asked.books.ledgers)
  const cash_ids = [...asked.books.ledgers.values()].filter(isCash).flatMap(({ id }) => members.get(id) ?? [id])
  const dates = {
    starts: slots.map(({ start_date, end_date }) => start_date ?? end_date),
    ends: slots.map(({ end_date }) => end_date),
    slots: slots.map((_, slot) => slot),
  }
  const asking = { ...parameters, ...dates, cash_ids, cash: asked.figures.basis === 'cash' }
  const [moved, revalued] = await Promise.all([direct ? tx.many(store.counterparts, asking) : [], tx.many(store.revaluations, asking)])
  const revaluation = slots.map((_, slot) => toCents(revalued.reduce((sum, row) => (row.slot === slot ? sum + BigInt(row.amount) : sum), 0n)))
  return { revaluation, counterparts: direct ? counterpartsOf(moved, targetsOf(asked.books.ledgers), slots.length) : null }
}

type Moved = { slot: number; ledger_id: string; revaluation: boolean; receipts: string; payments: string }

function counterpartsOf(rows: readonly Moved[], targets: ReadonlyMap<string, string>, slots: number): Counterparts {
  const sums = { receipts: new Map<string, number[]>(), payments: new Map<string, number[]>() }
  for (const { slot, ledger_id, receipts, payments, revaluation } of rows) {
    if (revaluation) continue
    const target = targets.get(ledger_id) ?? ledger_id
    for (const [side, amount] of [['receipts', receipts], ['payments', payments]] as const) {
      const amounts = sums[side].get(target) ?? Array.from({ length: slots }, () => 0)
      amounts[slot] = addCents(amounts[slot] ?? 0, toCents(BigInt(amount)))
      sums[side].set(target, amounts)
    }
  }
  const none = Array.from({ length: slots }, () => 0)
  const of = (side: 'receipts' | 'payments') => ({ id }: BookLedger) => sums[side].get(id) ?? none
  return { receiptsOf: of('receipts'), paymentsOf: of('payments') }
}
