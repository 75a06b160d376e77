// Tests of the default charts: each complete, all of one language, and laid over a chart twice the second time adds nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ROLE_NAMES, ROLES, SUBTYPES, type LedgerRow, type LedgerType } from '../ledgers/contract.ts'
import { newLedger, requireSound } from '../ledgers/rules.ts'
import { INDUSTRIES, industryOf, missingFrom, templateOf, type Industry, type TemplateLedger } from './rules.ts'

const rowOf = ({ role, ...ledger }: TemplateLedger, id: string): LedgerRow =>
  ({ ...newLedger(ledger, { id, business_id: 'b', base_currency: 'USD', now: '2026-01-01T00:00:00.000Z' }), role })
const chartOf = (key: Industry) => templateOf(key).ledgers.map((ledger) => rowOf(ledger, ledger.number))

const FIRST_DIGITS: Record<LedgerType, string> = { asset: '1', liability: '2', equity: '3', income: '4', expense: '56' }

describe.each(INDUSTRIES)('the chart for %s', (key) => {
  const { ledgers } = templateOf(key)

  it('has one ledger for each role, of its type, and one of each subtype', () => {
    expect(ledgers.flatMap(({ role }) => role ?? []).toSorted()).toEqual([...ROLE_NAMES].toSorted())
    expect(ledgers.filter(({ role, type }) => role !== null && ROLES[role] !== type)).toEqual([])
    const kinds = new Set(ledgers.map(({ type, subtype }) => `${type} ${subtype}`))
    expect(
      Object.entries(SUBTYPES).flatMap(([type, subtypes]) => subtypes.map((subtype) => `${type} ${subtype}`)).filter((kind) => !kinds.has(kind)),
    ).toEqual([])
  })

  it('is sound: numbers by type and in order, no number or name twice', () => {
    for (const [index, ledger] of ledgers.entries()) {
      expect(() => requireSound(rowOf(ledger, String(index)), 'USD')).not.toThrow()
      expect(FIRST_DIGITS[ledger.type]).toContain(ledger.number[0])
      expect(ledger.number > (ledgers[index - 1]?.number ?? '')).toBe(true)
    }
    expect(new Set(ledgers.map(({ name }) => name.toLowerCase())).size).toBe(ledgers.length)
  })

  it('has what every business knows', () => {
    const names = new Set(ledgers.map(({ name }) => name))
    expect(
      ['Checking', 'Rent', 'Accrued Expenses', 'Utilities', 'Meals', 'Office Supplies', 'Hosting', 'Bank Fees'].filter((name) => !names.has(name)),
    ).toEqual([])
  })

  it('laid over itself adds nothing', () => {
    expect(missingFrom(chartOf(key), templateOf(key))).toEqual([])
  })
})

describe('all charts', () => {
  it('mean the same by a number', () => {
    const meanings = new Map<string, string>()
    for (const { number, type, subtype, role } of INDUSTRIES.flatMap((key) => templateOf(key).ledgers)) {
      const meaning = `${type} ${subtype} ${role}`
      expect(meanings.get(number) ?? meaning).toBe(meaning)
      meanings.set(number, meaning)
    }
    const own = INDUSTRIES.flatMap(
      (key) => templateOf(key).ledgers.filter(({ number }) => !templateOf('general').ledgers.some((common) => common.number === number)),
    )
    expect(own.map(({ number }) => number).filter((number, index, all) => all.indexOf(number) !== index)).toEqual([])
  })

  it.each([
    ['Restaurant', 'restaurant'], ['E-commerce', 'ecommerce'], ['Software / SaaS', 'software'], ['professional  services', 'professional_services'],
    ['Real Estate', 'real_estate'], ['not-for-profit', 'nonprofit'],
  ])(
    '%s is %s', (words, key) => expect(industryOf(words)).toBe(key))

  it('an industry that is none of ours has none', () => {
    expect([industryOf(null), industryOf(''), industryOf('constructor'), industryOf('beekeeping')]).toEqual([null, null, null, null])
  })

  it('laid over any chart: the numbers and names are free, and the second time nothing is missing', () => {
    const keys = fc.constantFrom(...INDUSTRIES)
    fc.assert(fc.property(keys, keys, fc.infiniteStream(fc.integer({ min: 0, max: 5 })), (first, second, dice) => {
      // Ledgers that were dropped, renamed, renumbered or lost their role.
      const chart = chartOf(first).flatMap((ledger): LedgerRow[] => {
        const [chance] = [dice.next().value]
        return chance === 0 ? [] : [
          { ...ledger, ...(chance === 1 ? { name: `${ledger.name} X` } : chance === 2 ? { number: `9${ledger.number}` } : chance === 3 ? { role: null } : {}) },
        ]
      })
      const added = missingFrom(chart, templateOf(second)).map((ledger, index) => rowOf(ledger, `new ${index}`))
      const all = [...chart, ...added]
      for (const key of ['number', 'name', 'role'] as const) {
        const values = all.flatMap((ledger) => ledger[key]?.toLowerCase() ?? [])
        expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([])
      }
      expect(missingFrom(all, templateOf(second))).toEqual([])
    }), { numRuns: 60 })
  })
})
