// What decks are made of, as data: the topics that a slide can be about, and which of them a template has.
//
//   TOPICS         each a slide: its blocks with the chart that suits their figures
//   TEMPLATES      topics in their order, behind the title
//   topicFor(...)  the topic that a person's words ask for
import type { Binding } from '../bindings/contract.ts'
import type { DeckTemplate } from '../decks/contract.ts'
import type { BlockKind, ChartKind, SlideKind } from '../slides/contract.ts'

/** `trend`: over more months than the deck covers, where it covers few. */
export type BlockPlan = { kind: BlockKind; chart?: ChartKind; binding?: Binding; trend?: boolean }
export type SlidePlan = {
  kind: SlideKind
  title: string
  blocks: readonly BlockPlan[]
  /** Beginnings of words that ask for it. */
  words: readonly string[]
}

const said: BlockPlan = { kind: 'text' }
const metric = (name: string): BlockPlan => ({ kind: 'metric', binding: { metric: name } })
const table = (report: string, rows: string[]): BlockPlan => ({ kind: 'table', binding: { report, rows } })
/** By month, a line or a bar for each; beside what it is compared with it would be hard to read. */
const monthly = (chart: ChartKind, name: string): BlockPlan => (
  { kind: 'chart', chart, binding: { metric: name, params: { group_by: 'month', compare: 'none' } }, trend: true })
const monthlyRows = (chart: ChartKind, report: string, rows: string[]): BlockPlan => (
  { kind: 'chart', chart, binding: { report, params: { columns: 'month', compare: [] }, rows }, trend: true })
const ranking = (chart: ChartKind, name: string, params: object): BlockPlan => (
  { kind: 'chart', chart, binding: { metric: name, params: { ...params, compare: 'none' } } })
/** What names nobody would stand above everybody. */
const parties = (name: string): BlockPlan => ranking('bar', name, { top: 8, named_only: true })
const owedTo = (group_by: string, name: string): BlockPlan => (
  { kind: 'chart', chart: 'bar', binding: { metric: name, params: { group_by, top: 8, compare: 'none' } } })
const ages = (report: string): BlockPlan => ({ kind: 'chart', chart: 'bar', binding: { report, rows: ['total'] } })

const EARNINGS = [
  'net_revenue', 'cost_of_goods_sold', 'gross_profit', 'operating_expense', 'operating_income', 'income_before_tax', 'income_tax', 'net_income',
]
const POSITION = [
  'current_assets', 'non_current_assets', 'total_assets', 'current_liabilities', 'non_current_liabilities', 'total_liabilities', 'total_equity',
  'total_liabilities_and_equity',
]
const FLOWS = ['operating', 'investing', 'financing', 'net_change', 'opening_cash', 'closing_cash']

export const TOPICS = {
  summary: {
    kind: 'summary', title: 'Summary', words: ['summar', 'overview', 'glance', 'highlight'],
    blocks: [metric('revenue'), metric('gross_profit'), metric('net_income'), metric('cash_balance'), said],
  },
  key_figures: {
    kind: 'metrics', title: 'Key figures', words: ['kpi', 'key', 'ratio', 'margin', 'working', 'liquidity'],
    blocks: [metric('gross_margin'), metric('current_ratio'), metric('working_capital'), metric('dso'), metric('dpo'), metric('runway_months'), said],
  },
  profit_and_loss: {
    kind: 'table', title: 'Profit and loss', words: ['profit', 'loss', 'p&l', 'income', 'earning', 'result'],
    blocks: [table('profit-and-loss', EARNINGS), said],
  },
  earnings_by_month: {
    kind: 'chart', title: 'Revenue and net income by month', words: ['trend', 'month', 'revenue', 'growth', 'develop'],
    blocks: [monthlyRows('line', 'profit-and-loss', ['net_revenue', 'net_income']), said],
  },
  revenue_by_month: {
    kind: 'chart', title: 'Revenue by month', words: ['sales', 'turnover'],
    blocks: [monthly('bar', 'revenue'), said],
  },
  margin_by_month: {
    kind: 'chart', title: 'Gross profit by month', words: ['gross'],
    blocks: [monthlyRows('bar', 'profit-and-loss', ['gross_profit']), said],
  },
  expenses: {
    kind: 'chart', title: 'Where the money went', words: ['expens', 'cost', 'spend', 'spent', 'overhead'],
    blocks: [ranking('donut', 'expense_by_ledger', { top: 7 }), said],
  },
  balance_sheet: {
    kind: 'table', title: 'Balance sheet', words: ['balance', 'asset', 'liabilit', 'equity', 'position'],
    blocks: [table('balance-sheet', POSITION), said],
  },
  cash_flow: {
    kind: 'table', title: 'Cash flow', words: ['flow', 'financing', 'investing'],
    blocks: [table('cash-flow', FLOWS), said],
  },
  cash_and_runway: {
    kind: 'chart', title: 'Cash and runway', words: ['cash', 'runway', 'burn', 'bank'],
    blocks: [monthly('line', 'cash_balance'), metric('cash_balance'), metric('burn'), metric('runway_months'), said],
  },
  cash_by_month: {
    kind: 'chart', title: 'Where cash came from and went, by month', words: ['inflow', 'outflow', 'receipts', 'payments'],
    blocks: [monthlyRows('stacked_bar', 'cash-flow', ['operating', 'investing', 'financing']), said],
  },
  receivables: {
    kind: 'chart', title: 'Receivables by age', words: ['receivable', 'overdue', 'owed', 'collect', 'dso', 'debtor'],
    blocks: [ages('receivable-aging'), metric('receivable'), metric('receivable_overdue'), metric('dso'), said],
  },
  payables: {
    kind: 'chart', title: 'Payables by vendor', words: ['payable', 'owe', 'bill', 'dpo', 'creditor'],
    blocks: [owedTo('vendor', 'payable'), metric('payable'), metric('dpo'), said],
  },
  top_customers: {
    kind: 'chart', title: 'Largest customers', words: ['customer', 'client', 'buyer', 'concentrat'],
    blocks: [parties('top_customers'), said],
  },
  top_vendors: {
    kind: 'chart', title: 'Largest vendors', words: ['vendor', 'supplier', 'purchas'],
    blocks: [parties('top_vendors'), said],
  },
  commentary: {
    kind: 'narrative', title: 'Commentary', words: ['commentary', 'comment', 'narrative', 'story', 'explain'],
    blocks: [{ kind: 'text', binding: { report: 'profit-and-loss', rows: ['net_revenue', 'gross_profit', 'operating_expense', 'net_income'] } }],
  },
} satisfies Record<string, SlidePlan>

export type Topic = keyof typeof TOPICS

/** Between six and thirteen slides each, with the title; only a custom deck begins with fewer, for its author goes on from there. */
export const TEMPLATES: Record<DeckTemplate, readonly Topic[]> = {
  board: [
    'summary', 'key_figures', 'profit_and_loss', 'earnings_by_month', 'expenses', 'balance_sheet', 'cash_flow', 'cash_and_runway', 'receivables', 'payables',
    'top_customers', 'commentary',
  ],
  monthly_review: [
    'summary', 'profit_and_loss', 'earnings_by_month', 'expenses', 'balance_sheet', 'cash_flow', 'cash_and_runway', 'receivables', 'payables', 'top_customers',
    'commentary',
  ],
  cash: ['summary', 'cash_and_runway', 'cash_flow', 'cash_by_month', 'receivables', 'payables', 'top_vendors'],
  investor: ['summary', 'earnings_by_month', 'profit_and_loss', 'key_figures', 'cash_and_runway', 'balance_sheet', 'top_customers', 'commentary'],
  sales: ['summary', 'revenue_by_month', 'top_customers', 'margin_by_month', 'receivables', 'commentary'],
  custom: ['summary', 'profit_and_loss', 'cash_and_runway'],
}

/** The topic with most of its words in the prompt, the first among equals; null where no word of any is in it. */
export function topicFor(prompt: string): Topic | null {
  const given = prompt.toLowerCase().match(/[\p{L}&]+/gu) ?? []
  const hits = (Object.keys(TOPICS) as Topic[]).map((topic) => (
    { topic, count: TOPICS[topic].words.filter((word) => given.some((one) => one.startsWith(word))).length }))
  const best = hits.reduce((most, next) => (next.count > most.count ? next : most), { topic: 'summary', count: 0 } as (typeof hits)[number])
  return best.count > 0 ? best.topic : null
}
