import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INDUSTRIES, templateOf } from '../../ledger/charts/rules.ts'
import type { LedgerRow } from '../../ledger/ledgers/contract.ts'
import { STEPS, type Facts, type Marks, type OnboardingAnswers } from './contract.ts'
import { givingWay, NO_ANSWERS, onboardingOf, requireEnding, statesOf, untold } from './rules.ts'

const at = '2026-01-01T00:00:00.000Z'
const fact = fc.constantFrom(null, at)
const facts: fc.Arbitrary<Facts> = fc.record({ profile: fact, chart: fact, fiscal_year: fact, opening_balances: fact, bank: fact, tax: fact, payments: fact, team: fact, first_invoice: fact })
const answers: fc.Arbitrary<OnboardingAnswers> = fc.record({
  revenue_model: fc.constant(null), has_inventory: fc.constant(null), has_employees: fc.constant(null), sales_tax: fc.constantFrom(null, true, false),
  previous_system: fc.constantFrom(null, 'none' as const, 'other' as const), team_size: fc.constantFrom(null, 1, 5),
})
const marks: fc.Arbitrary<Marks> = fc.dictionary(fc.constantFrom(...STEPS), fc.record({ status: fc.constantFrom('done' as const, 'skipped' as const), at: fc.constant(at) })) as fc.Arbitrary<Marks>

describe('steps', () => {
  it('a derived step is done exactly where its fact is there, whatever was marked', () => {
    fc.assert(fc.property(answers, marks, facts, (given, marked, known) => {
      for (const { step, status, derived, done_at } of statesOf(given, marked, known)) {
        if (derived) expect(status === 'done').toBe(known[step as keyof Facts] !== null)
        expect(done_at !== null).toBe(status === 'done')
      }
    }))
  })

  it('percent, next step and end agree with each other', () => {
    fc.assert(fc.property(answers, marks, facts, (given, marked, known) => {
      const found = onboardingOf({ answers: given, steps: marked, ended_at: null, status: 'in_progress' }, known)
      expect(found.percent === 100).toBe(found.next_step === null)
      const blocked = found.steps.some(({ blocking, status }) => blocking && status === 'todo')
      if (blocked) expect(() => requireEnding(found, 'finished')).toThrow(/still to be done/)
      else expect(requireEnding(found, 'finished')).toBe(true)
      expect(untold(found.steps, STEPS)).toEqual([])
    }))
  })

  it('answers decide which apply', () => {
    const names = (given: Partial<OnboardingAnswers>) => statesOf({ ...NO_ANSWERS, ...given }, {}, {} as Facts).map(({ step }) => step)
    expect(names({})).toEqual([...STEPS])
    expect(names({ sales_tax: false, team_size: 1, previous_system: 'none' })).toEqual(['profile', 'chart', 'fiscal_year', 'bank', 'payments', 'first_invoice', 'first_bill'])
  })
})

describe('one chart for another', () => {
  const chart = (industry: (typeof INDUSTRIES)[number]) => templateOf(industry).ledgers.map((line): LedgerRow => ({ ...line, id: `${industry} ${line.number}`, version: 1, parent_id: null }) as LedgerRow)

  it('untouched and unnamed ledgers give way, roles stay, and what is left is the new chart', () => {
    fc.assert(fc.property(fc.constantFrom(...INDUSTRIES), fc.constantFrom(...INDUSTRIES), (from, to) => {
      const ledgers = chart(from)
      const { renamed, removed, kept } = givingWay(ledgers, templateOf(to), new Set(ledgers.map(({ id }) => id)))
      expect(kept).toEqual([])
      expect(removed.filter(({ role }) => role !== null)).toEqual([])
      const names = new Map(renamed.map(({ ledger, name }) => [ledger.id, name]))
      const wanted = new Map(templateOf(to).ledgers.map(({ number, name }) => [number, name]))
      for (const ledger of ledgers.filter((one) => !removed.includes(one))) expect(names.get(ledger.id) ?? ledger.name).toBe(wanted.get(ledger.number ?? ''))
    }))
  })

  it('what somebody changed, made or names stays as it is', () => {
    const own = { ...(chart('retail')[0] as LedgerRow), id: 'own', number: '6999', name: 'Ours', version: 1, role: null }
    const touched = chart('retail').map((ledger) => ({ ...ledger, name: `Our ${ledger.name}`, version: 2 }))
    expect(givingWay([...touched, own], templateOf('software'), new Set(['own']))).toMatchObject({ renamed: [], removed: [] })
    expect(givingWay(chart('retail'), templateOf('software'), new Set())).toMatchObject({ removed: [] })
  })
})
