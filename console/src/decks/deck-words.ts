// What decks are called: templates with a sentence each, comparisons, kinds of slides and charts, and the periods that are often meant.
import type { Schemas } from '../api.ts'
import { day, words } from '../format.ts'
import { monthsBefore } from '../home/dates.ts'

type Deck = Schemas['DeckSummary']

export const TEMPLATES: readonly { value: Deck['template']; label: string; says: string }[] = [
  { value: 'board', label: 'Board report', says: 'Results, position, cash, receivables and payables for a board meeting.' },
  { value: 'monthly_review', label: 'Monthly review', says: 'What a month or quarter brought, statement by statement, for those who run the business.' },
  { value: 'cash', label: 'Cash', says: 'Where cash came from and went, how long it lasts, and who still owes what.' },
  { value: 'investor', label: 'Investor update', says: 'Growth, margins, runway and the largest customers in a few slides.' },
  { value: 'sales', label: 'Sales', says: 'Revenue by month, the largest customers, gross profit and what is still owed.' },
  { value: 'custom', label: 'Custom', says: 'A summary, the profit and loss and cash to begin with; you add the rest.' },
]

export const templateName = (template: string): string => TEMPLATES.find(({ value }) => value === template)?.label ?? words(template)

export const COMPARISONS = [
  { value: 'prior_period', label: 'The period before' }, { value: 'prior_year', label: 'The year before' }, { value: 'none', label: 'Nothing' },
]
export const BASES = [{ value: 'accrual', label: 'Accrual' }, { value: 'cash', label: 'Cash' }]
export const STATUSES = [{ value: 'ready', label: 'Ready' }, { value: 'generating', label: 'Being made' }, { value: 'failed', label: 'Failed' }]
export const CHARTS = [
  { value: 'line', label: 'Lines' }, { value: 'bar', label: 'Bars' }, { value: 'stacked_bar', label: 'Stacked bars' }, { value: 'donut', label: 'Donut' },
]
export const SLIDE_KINDS = [
  { value: 'metrics', label: 'Key figures' }, { value: 'chart', label: 'Chart' }, { value: 'table', label: 'Table' }, { value: 'narrative', label: 'Text' },
  { value: 'title', label: 'Title' },
]

export const statusName = (status: string): string => STATUSES.find(({ value }) => value === status)?.label ?? words(status)
export const periodWords = ({ period_start, period_end }: Pick<Deck, 'period_start' | 'period_end'>): string => `${day(period_start)} to ${day(period_end)}`

type Period = { period_start: string; period_end: string }

const before = (date: string): string => new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

/** Calendar months, quarters and years around this day. */
export function periodPresets(today: string): { name: string; label: string; period: Period }[] {
  const month = monthsBefore(today, 0)
  const into = (Number(today.slice(5, 7)) - 1) % 3
  const quarter = monthsBefore(today, into)
  const year = `${today.slice(0, 4)}-01-01`
  const lastYear = `${Number(today.slice(0, 4)) - 1}`
  return [
    { name: 'last_month', label: 'Last month', period: { period_start: monthsBefore(today, 1), period_end: before(month) } },
    { name: 'this_month', label: 'This month so far', period: { period_start: month, period_end: today } },
    { name: 'last_quarter', label: 'Last quarter', period: { period_start: monthsBefore(today, into + 3), period_end: before(quarter) } },
    { name: 'this_quarter', label: 'This quarter so far', period: { period_start: quarter, period_end: today } },
    { name: 'this_year', label: 'This year so far', period: { period_start: year, period_end: today } },
    { name: 'last_year', label: 'Last year', period: { period_start: `${lastYear}-01-01`, period_end: `${lastYear}-12-31` } },
  ]
}
