// What the demo says when it is there: the businesses with their figures, and how to get in.
import { addMonths, firstDayOfMonth } from '../../foundation/calendar.ts'
import { formatCents } from '../../foundation/money.ts'
import type { Api } from './api.ts'
import type { Practice } from './plan.ts'

export type Figures = { name: string; business_id: string; entries: number; revenue: number; profit: number }

type Row = { key: string; cells: { amount: number }[] }

export async function readFigures(api: Api, business_id: string, name: string, { first_day, last_day }: Practice): Promise<Figures> {
  const query = { start_date: first_day, end_date: last_day, basis: 'accrual' }
  const report = await api.inside(business_id).get<{ journal_version: number; rows: Row[] }>('/reports/profit-and-loss', query)
  const amount = (key: string) => report.rows.find((row) => row.key === key)?.cells[0]?.amount ?? 0
  return { name, business_id, entries: report.journal_version, revenue: amount('net_revenue'), profit: amount('net_income') }
}

export function tableOf(figures: readonly Figures[]): string {
  const rows = [
    ['Business', 'Entries', 'Revenue', 'Profit'],
    ...figures.map(({ name, entries, revenue, profit }) => [name, counted(entries), money(revenue), money(profit)]),
    ['Together', counted(sum(figures, 'entries')), money(sum(figures, 'revenue')), money(sum(figures, 'profit'))],
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const padded = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))
  const lines = rows.map((row) => `  ${row.map(padded).join('   ')}`)
  const rule = `  ${'─'.repeat((lines[0]?.length ?? 2) - 2)}`
  return [lines[0], rule, ...lines.slice(1, -1), rule, lines.at(-1)].join('\n')
}

export type Access = { email: string; password: string; token: string; url: string }

export function accessText({ email, password, token, url }: Access, figures: readonly Figures[], { last_day }: Practice): string {
  const [first] = figures
  const start = addMonths(firstDayOfMonth(last_day), -11)
  return [
    `  Sign in    ${email}, password ${password}`,
    `  Token      ${token}`,
    '',
    '  Shown once: keep them. The clients, by id:',
    '',
    ...figures.map(({ name, business_id }) => `    ${business_id}  ${name}`),
    '',
    '  With the server running (npm start), try:',
    '',
    `    curl -H "authorization: Bearer ${token}" -H "x-business-id: ${first?.business_id}" \\`,
    `      "${url}/api/v1/reports/profit-and-loss?start_date=${start}&end_date=${last_day}&columns=quarter"`,
  ].join('\n')
}

function sum(figures: readonly Figures[], field: 'entries' | 'revenue' | 'profit'): number {
  return figures.reduce((total, row) => total + row[field], 0)
}

const money = (cents: number): string => formatCents(cents, 'USD')

const counted = (count: number): string => count.toLocaleString('en')
