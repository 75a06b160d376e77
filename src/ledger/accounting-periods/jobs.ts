// The clock makes the next fiscal year before the last period runs out.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { addDays } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { asSystem, plainRequest, transact } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { extendPeriods, lockJournal } from '../books/operations.ts'
import { businessesRunningOut } from './store.ts'

const DAYS_AHEAD = 60

export const extendFiscalYears = job({
  name: 'accounting_periods.extend',
  payload: Type.Object({}),
  cron: '20 3 * * *',
  async run({ database, job_id }) {
    const options = { business_id: null, read_only: true, request: plainRequest }
    const found = await transact(database, options, ({ tx }) => tx.many(businessesRunningOut, { days: DAYS_AHEAD }))
    for (const { business_id } of found) {
      const business = await findBusiness(database, business_id)
      if (business) await asSystem(database, business, `job-${job_id}`, extendInTime)
    }
  },
})

/** A business that was left alone for years catches up a year at a time. */
export async function extendInTime(tx: BusinessTx): Promise<void> {
  let { books } = await lockJournal(tx)
  for (let last = books.periods.at(-1); last && last.end_date < addDays(tx.today, DAYS_AHEAD); last = books.periods.at(-1)) {
    books = extendPeriods(tx, books, addDays(last.end_date, 1))
  }
}
