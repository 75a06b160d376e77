// What boards are called: periods, kinds of widgets, who sees them, and the fields of their settings.
import { words } from '../format.ts'
import type { Field } from '../parts/record-values.ts'
import { COMPARISONS } from './deck-words.ts'

const PERIOD_WORDS: Record<string, string> = {
  fiscal_ytd: 'Fiscal year to date', year_to_date: 'Calendar year to date', this_year: 'This calendar year', last_year: 'Last calendar year',
}
export const PERIODS = [
  'fiscal_ytd', 'this_month', 'last_month', 'this_quarter', 'last_quarter', 'year_to_date', 'this_year', 'last_year', 'this_fiscal_year', 'last_fiscal_year',
  'all_time',
].map((value) => ({ value, label: PERIOD_WORDS[value] ?? words(value) }))

export const KINDS = [
  { value: 'metric', label: 'One figure' }, { value: 'line', label: 'Lines' }, { value: 'bar', label: 'Bars' }, { value: 'table', label: 'Table' },
  { value: 'aging', label: 'Receivables by age' }, { value: 'text', label: 'Text' },
]
const VISIBILITIES = [{ value: 'private', label: 'Only me' }, { value: 'business', label: 'Everybody in the business' }]
export const BUILT_IN_WORDS: Record<string, string> = {
  owner: 'Revenue, profit, cash and what stands behind them.', cash: 'What comes in and goes out, how long it lasts, and who owes what.',
  close: 'The last month as it is before it is closed.',
}

export const BOARD_FIELDS: Field[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true },
  { name: 'visibility', label: 'Who sees it', kind: 'choice', required: true, choices: VISIBILITIES, initial: 'private' },
  { name: 'filters.period', label: 'Period', kind: 'choice', required: true, choices: PERIODS, initial: 'fiscal_ytd' },
  { name: 'filters.comparison', label: 'Compared with', kind: 'choice', required: true, choices: COMPARISONS, initial: 'none' },
]
