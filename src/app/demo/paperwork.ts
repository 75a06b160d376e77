// What people leave behind in books that are in use: mistakes put right, questions, notes, tags and things to do.
import { addDays, addMonths, lastDayOfMonth, monthOf } from '../../foundation/calendar.ts'
import type { Client, Correction, Entry, Mark, Task } from './plan.ts'
import type { Random } from '../../foundation/random.ts'
import { pay, type Desk } from './upkeep.ts'

/** What the bank shows and nobody has explained yet, in the last month only: the months before are closed. */
export function unclearIn({ random, journal }: Desk, last_day: string): void {
  for (const [memo, ledger] of [['Online transfer 88-20417', '6990'], ['Card purchase, unknown merchant', '6990']] as const) {
    journal.post(addDays(last_day, -random.between(3, 20)), memo, pay(ledger, random.money(238, 0.5), '1000'), { mark: 'unclear' })
  }
}

/** Two costs were entered twice, which is reversed, and one stands in the wrong month, which is put on its right date. */
export function correctionsIn(random: Random, clean: readonly Entry[], first_day: string): { entries: Entry[]; corrections: Correction[] } {
  const plainCost = (month: number) => {
    const name = monthOf(addMonths(first_day, month))
    const found = clean.filter(({ date, lines, currency, mark, is_adjusting }) =>
      monthOf(date) === name && date <= `${name}-20` && lines.length === 2 && !currency && !mark && !is_adjusting && (lines[0]?.ledger ?? '') >= '6')
    return found[random.between(0, found.length - 1)]
  }
  const twice = [5, 14].flatMap((month) => plainCost(month) ?? [])
  const misdated = plainCost(18)
  const extra = twice.map((entry): Entry => ({ ...entry, date: addDays(entry.date, 1), mark: 'entered_twice' }))
  const entries = clean
    .map((entry): Entry => (entry === misdated ? { ...entry, date: addMonths(entry.date, 1), mark: 'misdated' } : entry))
    .concat(extra)
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  const corrections = entries.flatMap((entry, index): Correction[] => {
    if (entry.mark === 'entered_twice') return [{ kind: 'reverse', entry: index, date: addDays(entry.date, 6), memo: `Entered twice: ${entry.memo}` }]
    return entry.mark === 'misdated' && misdated ? [{ kind: 'redate', entry: index, date: misdated.date }] : []
  })
  return { entries, corrections }
}

/** Waits to be posted, in the month that runs. */
export function draftsFor(random: Random, this_month: string): Entry[] {
  const bonus = random.money(4_120, 0.3)
  const lines = [{ ledger: '6000', amount: bonus, department: 'OPS' }, { ledger: '2400', amount: -bonus }]
  return [{ date: this_month, memo: 'Bonus of the quarter, to be agreed', lines }]
}

export function tasksFor(owner: string, this_month: string): Task[] {
  const last_month = addMonths(this_month, -1)
  const [first = owner] = owner.split(' ')
  const name = monthName(last_month)
  const task = (title: string, due_date: string, more: Partial<Task> = {}): Task =>
    ({ title, due_date, priority: 'normal', assignee: 'advisor', done: false, checklist: [], ...more })
  return [
    task(`Close ${name}`, addDays(this_month, 14), {
      priority: 'high', checklist: ['Bank agrees with the statement', 'Card agrees with the statement', 'Payroll liabilities explained', 'Accruals reviewed'],
    }),
    task('Explain two bank lines on Uncategorized Expense', addDays(this_month, 6), { assignee: 'owner' }),
    task(`Go through ${name} with ${first}`, addDays(this_month, 19)),
    task('Send the insurance policy', addDays(last_month, 20), { priority: 'low', assignee: 'owner', done: true }),
    task(`Review the accruals of ${monthName(addMonths(this_month, -2))}`, addDays(last_month, 9), { done: true }),
    task('Plan the taxes of the year', lastDayOfMonth(addMonths(this_month, 1)), {
      priority: 'low', checklist: ['Forecast', 'Estimated payments', 'Retirement plan'],
    }),
  ]
}

export function notesOn(entries: readonly Entry[], owner: string): Client['notes'] {
  const [first = owner] = owner.split(' ')
  const texts: Partial<Record<Mark, string>> = {
    one_off: `${first} confirmed: bought for use, not for sale. Depreciation starts the same month.`,
    unclear: `Asked ${first} what this is. **No receipt yet.**`,
    large: 'Paid a year ahead; a twelfth goes to Insurance every month.',
    misdated: 'Belongs to the month before: put on its right date.',
  }
  return entries.flatMap(({ mark }, entry) => (mark && texts[mark] ? [{ entry, body: texts[mark] }] : []))
}

export function tagsFor(entries: readonly Entry[]): Client['tags'] {
  const marked = (wanted: Mark) => entries.flatMap(({ mark }, index) => (mark === wanted ? [index] : []))
  return [
    { name: 'Needs receipt', color: '#b3541e', entries: marked('unclear') },
    { name: 'One-off', color: '#5b4b8a', entries: [...marked('one_off'), ...marked('large')] },
    { name: 'Corrected', color: '#2f6f4e', entries: marked('entered_twice') },
  ]
}

/** As people say it: October 2026. */
function monthName(date: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(date))
}
