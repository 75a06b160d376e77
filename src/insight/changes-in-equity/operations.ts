// Makes the changes in equity.
import { addDays } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import { isProfitAndLoss } from '../../ledger/posting/rules.ts'
import { earningsOf } from '../profit-and-loss/rules.ts'
import type { Column } from '../report-columns/contract.ts'
import { askedOf, type Asked } from '../report-columns/operations.ts'
import { rangeOf, type Range } from '../report-columns/rules.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf } from '../report-figures/rules.ts'
import type { Report } from '../report-shape/contract.ts'
import { answerOf, checkOf, linkTo, rowsOf, shownOf, type LinkOf } from '../report-shape/rules.ts'
import type { ChangesInEquityQuery } from './contract.ts'
import { changesInEquityLines, MEASURE_LABELS, MEASURES } from './rules.ts'

export async function getChangesInEquity(tx: BusinessTx, query: ChangesInEquityQuery): Promise<Report> {
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const found = await figures(tx, { ...asked.figures, ranges: [{ start_date: null, end_date: addDays(range.start_date, -1) }, range] })
  const [group] = found.groups
  const ledgers = [...asked.books.ledgers.values()]
  const changeOf = ({ id }: { id: string }) => ({ opening: 0 - balanceOf(group, id, 0), moved: 0 - balanceOf(group, id, 1) })
  const profit = {
    opening: earningsOf(ledgers, group, 0),
    moved: earningsOf(ledgers, group, 1),
    ledger_ids: ledgers.filter((ledger) => isProfitAndLoss(ledger) && group?.ledgers.has(ledger.id)).map(({ id }) => id),
  }
  const lines = changesInEquityLines(ledgers, changeOf, profit, shownOf(query))
  const columns = columnsOf(range, group)
  // What is owned less what is owed, as the balance sheets of the two days have it.
  const net = ledgers.filter(({ type }) => type === 'asset' || type === 'liability')
  const [opening, moved] = [0, 1].map((place) => addCents(...net.map(({ id }) => balanceOf(group, id, place)))) as [number, number]
  const total = lines.at(-1)?.amounts ?? []
  return answerOf(tx, {
    report: 'changes-in-equity',
    title: 'Changes in equity',
    query,
    asked,
    dates: range,
    columns,
    rows: rowsOf(lines, columns, linksOf(asked)),
    checks: [
      checkOf('opening_equals_balance_sheet', [(total[0] ?? 0) - opening]),
      checkOf('closing_equals_balance_sheet', [(total.at(-1) ?? 0) - opening - moved]),
    ],
  })
}

function columnsOf({ start_date, end_date }: Range, group: Column['group']): Column[] {
  return MEASURES.map((measure) => ({
    key: measure,
    label: MEASURE_LABELS[measure],
    start_date: measure === 'opening' || measure === 'closing' ? null : start_date,
    end_date: measure === 'opening' ? addDays(start_date, -1) : end_date,
    slot: 0,
    group,
    filters: {},
    compared_with: null,
  }))
}

/** A ledger moves for one reason: the cells of the others are empty and lead nowhere. */
function linksOf(asked: Asked): LinkOf {
  const plain = linkTo(asked.figures)
  return (line, column, place) => ((line.amounts[place] ?? 0) === 0 || line.kind === 'section' || line.kind === 'total' ? null : plain(line, column, place))
}
