// Makes the key figures.
import { addDays, daysBetween } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents } from '../../foundation/money.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { headerOf } from '../general-ledger/rules.ts'
import { earningsOf } from '../profit-and-loss/rules.ts'
import { askedOf } from '../report-columns/operations.ts'
import { rangeOf } from '../report-columns/rules.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf, natural } from '../report-figures/rules.ts'
import type { KeyFigures, KeyFiguresQuery } from './contract.ts'
import { isCashAtHand, isCostOfGoodsSold, isCurrentAsset, isCurrentLiability, isPayable, isReceivable, isRevenue, keyFiguresOf } from './rules.ts'

const [MOVED, CLOSING, BEFORE] = [0, 1, 2]

export async function getKeyFigures(tx: BusinessTx, query: KeyFiguresQuery): Promise<KeyFigures> {
  const asked = await askedOf(tx, query)
  const range = rangeOf(query, tx.today, asked.books.periods)
  const { start_date, end_date } = range
  const ranges = [range, { start_date: null, end_date }, { start_date: null, end_date: addDays(start_date, -1) }]
  const found = await figures(tx, { ...asked.figures, ranges })
  const [group] = found.groups
  const ledgers = [...asked.books.ledgers.values()]
  const sum = (wanted: (ledger: BookLedger) => boolean, place: number) =>
    addCents(...ledgers.filter(wanted).map(({ id, type }) => natural(type, balanceOf(group, id, place))))
  return {
    ...headerOf(tx, { report: 'key-figures', title: 'Key figures', query, asked, dates: range }),
    figures: keyFiguresOf({
      days: daysBetween(start_date, end_date) + 1,
      revenue: sum(isRevenue, MOVED),
      cost_of_goods_sold: sum(isCostOfGoodsSold, MOVED),
      net_income: earningsOf(ledgers, group, MOVED),
      current_assets: sum(isCurrentAsset, CLOSING),
      current_liabilities: sum(isCurrentLiability, CLOSING),
      cash: sum(isCashAtHand, CLOSING),
      cash_before: sum(isCashAtHand, BEFORE),
      receivables: sum(isReceivable, CLOSING),
      payables: sum(isPayable, CLOSING),
    }),
  }
}
