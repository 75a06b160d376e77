import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROJECT_STATUSES, type ProjectStatus } from './contract.ts'
import { budgetFigure, plainPercent, profitabilityOf, requireWay } from './rules.ts'

describe('the ways of a project', () => {
  const ways = ['planned active', 'planned archived', 'active on_hold', 'active completed', 'on_hold active', 'on_hold completed', 'on_hold archived', 'completed active', 'completed archived']
  const all = PROJECT_STATUSES.flatMap((from) => PROJECT_STATUSES.filter((to) => to !== from).map((to): [ProjectStatus, ProjectStatus] => [from, to]))

  it.each(all)('%s to %s', (status, to) => {
    const step = () => requireWay({ code: 'P', status }, to)
    if (ways.includes(`${status} ${to}`)) expect(step).not.toThrow()
    else expect(step).toThrow(`The project P is ${status}`)
  })
})

describe('a percentage', () => {
  it.each([['7', '7'], ['07', '7'], ['07.50', '7.5'], ['0', '0'], ['00.0000', '0'], ['100.00', '100'], ['0.0001', '0.0001'], ['10.10', '10.1']])('%s is %s', (given, plain) => {
    expect(plainPercent(given)).toBe(plain)
  })

  it('keeps its value', () => {
    fc.assert(fc.property(fc.nat({ max: 99 }), fc.nat({ max: 9999 }), (whole, fraction) => {
      const text = `${whole}.${String(fraction).padStart(4, '0')}`
      expect(Number(plainPercent(text))).toBe(Number(text))
      expect(plainPercent(plainPercent(text))).toBe(plainPercent(text))
    }))
  })
})

describe('a budget', () => {
  it.each<[number | null, number, object]>([
    [null, 500, { remaining: null, percent_used: null }],
    [0, 500, { remaining: -500, percent_used: null }],
    [1000, 333, { remaining: 667, percent_used: '33.3' }],
    [300, 100, { remaining: 200, percent_used: '33.33' }],
    [100, 250, { remaining: -150, percent_used: '250' }],
    [1000, -5, { remaining: 1005, percent_used: '-0.5' }],
  ])('of %s with %i used', (budget, actual, expected) => {
    expect(budgetFigure(budget, actual)).toEqual({ budget, actual, ...expected })
  })
})

describe('profitability', () => {
  const plain = { subtype: 'revenue', currency: 'USD', is_bank: false, role: null, archived: false, posting: true, cash_flow_class: 'operating', parent_id: null, default_tax_code_id: null } as const
  const ledgers = new Map([
    { ...plain, id: 's', number: '4000', name: 'Sales', type: 'income', merged_into_id: null },
    { ...plain, id: 'm', number: '4100', name: 'Merged', type: 'income', merged_into_id: 's' },
    { ...plain, id: 'c', number: '5000', name: 'Cost', type: 'expense', merged_into_id: null },
    { ...plain, id: 'r', number: '1200', name: 'Receivable', type: 'asset', merged_into_id: null },
  ].map((ledger) => [ledger.id, ledger])) as unknown as Parameters<typeof profitabilityOf>[1]

  it('counts income and cost, what is merged with what it is merged into, and nothing else', () => {
    const row = (ledger_id: string, month: string, amount: number) => ({ ledger_id, month, amount })
    const rows = [row('c', '2026-01-01', 40), row('s', '2026-02-01', -100), row('m', '2026-02-01', -10), row('s', '2026-01-01', -5), row('r', '2026-01-01', 115)]
    expect(profitabilityOf(rows, ledgers)).toEqual({
      income: 115, cost: 40, margin: 75,
      ledgers: [
        { ledger_id: 's', number: '4000', name: 'Sales', type: 'income', total: 115, months: [{ month: '2026-01', amount: 5 }, { month: '2026-02', amount: 110 }] },
        { ledger_id: 'c', number: '5000', name: 'Cost', type: 'expense', total: 40, months: [{ month: '2026-01', amount: 40 }] },
      ],
    })
  })
})
