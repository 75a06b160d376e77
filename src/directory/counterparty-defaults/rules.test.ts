import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Choice, DefaultRow, HumanChoice, Streak } from './contract.ts'
import { afterChoice, afterCorrection, CHOICES_TO_LEARN, CORRECTIONS_TO_STOP, covers, lesson, mostSpecific, nameKey, sameChoice, specificity, type Corrections } from './rules.ts'

describe('names', () => {
  it.each([
    ['Café  Müller', 'cafe muller'],
    ["O'Reilly, Inc.", 'oreilly inc'],
    ['  A&B-Parts ', 'a b parts'],
    ['ＡＣＭＥ', 'acme'],
    ['!!!', '!!!'],
    ['株式会社', '株式会社'],
  ])('%s is compared as %s', (name, key) => expect(nameKey(name)).toBe(key))

  it('comparing twice changes nothing, and case, blanks and accents never matter', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }).filter((name) => name.trim() !== ''), (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name))
      expect(nameKey(`  ${name} `)).toBe(nameKey(name))
      expect(nameKey(name)).not.toBe('')
    }))
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/), (name) => {
      const loud = name.toUpperCase().replaceAll('E', 'É').replaceAll(' ', ' -- ')
      expect(nameKey(loud)).toBe(name)
    }))
  })
})

const BANKS = ['bank-1', 'bank-2']
const place = fc.record({ direction: fc.constantFrom('in', 'out', 'any'), bank_ledger_id: fc.constantFrom(null, ...BANKS) })
const wanted = fc.record({ direction: fc.constantFrom('in', 'out'), bank_ledger_id: fc.constantFrom(...BANKS, 'bank-3') })

describe('the most specific default counts', () => {
  const places = fc.uniqueArray(place, { selector: (one) => `${one.direction} ${one.bank_ledger_id}` })

  it('it is for the transaction, none of the others says more, and the order does not matter', () => {
    fc.assert(fc.property(places, wanted, (defaults, transaction) => {
      const found = mostSpecific(defaults, transaction)
      const fitting = defaults.filter((one) => covers(one, transaction))
      expect(found === null).toBe(fitting.length === 0)
      if (found) {
        expect(covers(found, transaction)).toBe(true)
        for (const other of fitting.filter((one) => one !== found)) expect(specificity(found)).toBeGreaterThan(specificity(other))
      }
      expect(mostSpecific(defaults.toReversed(), transaction)).toEqual(found)
    }))
  })

  it('bank ledger and direction, then direction, then any', () => {
    const any = { direction: 'any', bank_ledger_id: null } as const
    const out = { direction: 'out', bank_ledger_id: null } as const
    const both = { direction: 'out', bank_ledger_id: 'bank-1' } as const
    const transaction = { direction: 'out', bank_ledger_id: 'bank-1' } as const
    expect(mostSpecific([any, out, both], transaction)).toBe(both)
    expect(mostSpecific([any, out], transaction)).toBe(out)
    expect(mostSpecific([any], transaction)).toBe(any)
    expect(mostSpecific([both], { direction: 'out', bank_ledger_id: 'bank-2' })).toBeNull()
    expect(mostSpecific([out], { direction: 'in', bank_ledger_id: 'bank-1' })).toBeNull()
  })
})

const CHOICE: Choice = { ledger_id: 'a', tax_code_id: null, customer_id: null, vendor_id: null, project_id: null, dimension_value_ids: [] }
const chose = (ledger_id: string): HumanChoice => ({ counterparty: 'Acme', direction: 'out', bank_ledger_id: 'bank-1', ...CHOICE, ledger_id })
const stands = (more: Partial<DefaultRow>): DefaultRow => ({ ...CHOICE, direction: 'out', bank_ledger_id: null, source: 'learned', ...more }) as DefaultRow

describe('learning', () => {
  it('a streak is as long as the last choices are equal, whatever came before', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), (ledgers) => {
      const streak = ledgers.reduce<Streak | undefined>((before, ledger) => afterChoice(before, chose(ledger)), undefined)
      const last = ledgers.at(-1)
      const run = ledgers.toReversed().findIndex((ledger) => ledger !== last)
      expect(streak?.run).toBe(run === -1 ? ledgers.length : run)
      expect(streak?.choice.ledger_id).toBe(last)
      expect(lesson(streak as Streak, []) !== null).toBe((streak?.run ?? 0) >= CHOICES_TO_LEARN)
    }))
  })

  it('the order of values makes no difference, another party does', () => {
    expect(sameChoice({ ...CHOICE, dimension_value_ids: ['x', 'y'] }, { ...CHOICE, dimension_value_ids: ['y', 'x'] })).toBe(true)
    expect(sameChoice(CHOICE, { ...CHOICE, customer_id: 'somebody' })).toBe(false)
  })

  it('changes what was learned, and never what a person laid down', () => {
    const streak: Streak = { counterparty_key: 'acme', direction: 'out', choice: { ...CHOICE, ledger_id: 'b' }, run: 3 }
    expect(lesson(streak, [stands({})])?.kind).toBe('change')
    expect(lesson(streak, [stands({ ledger_id: 'b' })])).toBeNull()
    expect(lesson(streak, [stands({ direction: 'in', source: 'manual' })])?.kind).toBe('create')
    fc.assert(fc.property(place.filter(({ direction }) => direction !== 'in'), fc.integer({ min: 3, max: 50 }), (at, run) => {
      expect(lesson({ ...streak, run }, [stands({ ...at, source: 'manual' })])).toBeNull()
    }))
  })
})

describe('corrections', () => {
  const none: Corrections = { corrections_in_row: 0, applied_since_correction: 0 }
  const after = (steps: ('applied' | 'corrected')[]): Corrections => steps.reduce(
    (state, step) => (step === 'applied' ? { ...state, applied_since_correction: state.applied_since_correction + 1 } : afterCorrection(state)), none)

  it('count in a row where nothing else was applied in between', () => {
    expect(after(['applied', 'corrected', 'applied', 'corrected']).corrections_in_row).toBe(CORRECTIONS_TO_STOP)
    expect(after(['applied', 'applied', 'applied', 'corrected', 'corrected']).corrections_in_row).toBe(CORRECTIONS_TO_STOP)
    expect(after(['applied', 'corrected', 'applied', 'applied', 'corrected']).corrections_in_row).toBe(1)
  })

  it('never exceed the number of corrections', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('applied' as const, 'corrected' as const)), (steps) => {
      const { corrections_in_row } = after(steps)
      expect(corrections_in_row).toBeLessThanOrEqual(steps.filter((step) => step === 'corrected').length)
    }))
  })
})
