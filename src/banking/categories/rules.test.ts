// Tests of how a category is split and posted: whatever the lines, the parts are the whole and the entry balances.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import { addCents } from '../../foundation/money.ts'
import type { CashRow } from '../../ledger/cash-book/contract.ts'
import { statusOf, withClaims } from '../../ledger/cash-book/rules.ts'
import { calculateTax } from '../../ledger/tax-calculation/rules.ts'
import { availableOf, fullLines, partsOf, postingOf, requireCategorizable, saysTheSame } from './rules.ts'

const NOW = '2026-03-10T12:00:00.000Z'

function rowOf(given: Partial<CashRow> = {}): CashRow {
  const row: CashRow = {
    id: newId(), business_id: newId(), ledger_id: 'bank', amount: -4_501, currency: 'USD', datetime: '2026-03-10', kind: 'bank', source: 'manual',
    status: 'unreviewed', counterparty: 'City Power', counterparty_raw: null, description: null, reference: null, external_id: null, customer_id: null,
    vendor_id: null, note: null, exclude_reason: null, bank_transaction_id: null, claimed: 0, categorized: 0, created_at: NOW, updated_at: NOW, version: 1,
    claims: [], remaining: 0, ...given,
  }
  return withClaims({ ...row, status: statusOf(row) }, row.claims)
}

const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

describe('a row', () => {
  it('can be categorized as far as documents have left it', () => {
    expect(availableOf(rowOf({ claimed: 4_000 }))).toBe(501)
    expect(availableOf(rowOf({ claimed: 4_501, categorized: 501 }))).toBe(501)
    const claims = [{ id: newId(), transaction_id: newId(), document_type: 'invoice', document_id: 'one', amount: 4_501 }]
    expect(refusal(() => requireCategorizable(rowOf({ claimed: 4_501, claims })))).toMatch(/is matched by invoice one: nothing is left of it to categorize\.$/)
    expect(refusal(() => requireCategorizable(rowOf({ exclude_reason: 'other' })))).toMatch(/is excluded: restore it first\.$/)
    expect(refusal(() => requireCategorizable(rowOf({ kind: 'book', claims })))).toMatch(/is in the books already, posted by invoice one: change that instead\.$/)
    expect(refusal(() => requireCategorizable(rowOf()))).toBe('none')
  })
})

describe('parts', () => {
  it.each([
    [[{}], [4_501]],
    [[{ percent: '50' }, { percent: '50' }], [2_251, 2_250]],
    [[{ percent: '33.3333' }, { percent: '33.3333' }, { percent: '33.3334' }], [1_500, 1_500, 1_501]],
    [[{ amount: 4_600 }, { amount: -99 }], [4_600, -99]],
  ])('of %j', (lines, parts) => expect(partsOf(rowOf(), lines.map((line) => ({ ledger_id: 'a', ...line })))).toEqual(parts))

  it.each([
    [[{ amount: 4_500 }, {}], 'Line 2 needs either an amount or a percent.'],
    [[{ amount: 4_500, percent: '1' }, { amount: 1 }], 'Line 1 needs either an amount or a percent.'],
    [[{ amount: 4_500 }, { percent: '1' }], 'Give every line an amount, or every line a percent.'],
    [[{ amount: 4_500 }, { amount: 2 }], 'The lines add up to 45.02 USD, and 45.01 USD of the transaction is to be split.'],
    [[{ amount: 4_501 }, { amount: 0 }], 'Line 2 comes to 0.00 USD: leave it out, or give it more.'],
    [[{ percent: '99.9999' }, { percent: '0.0002' }], 'The percents of the lines do not add up to 100.'],
    [[{ percent: '100' }, { percent: '0' }], 'Line 2 comes to 0.00 USD: leave it out, or give it more.'],
  ])('are refused of %j', (lines, detail) => expect(refusal(() => partsOf(rowOf(), lines.map((line) => ({ ledger_id: 'a', ...line }))))).toBe(detail))

  it('by percent always add up to the whole', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 999_999 }), { minLength: 1, maxLength: 20 })
    fc.assert(fc.property(weights, fc.integer({ min: 1_000_000, max: Number.MAX_SAFE_INTEGER }), (given, amount) => {
      const [used, rest] = given.reduce(([taken, left], weight) => (weight < left ? [[...taken, weight], left - weight] : [taken, left]), [[] as number[], 1_000_000] as [number[], number])
      const percents = [...used, rest].map((units) => `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`)
      const parts = partsOf(rowOf({ amount: -amount }), percents.map((percent) => ({ ledger_id: 'a', percent })))
      expect(addCents(...parts)).toBe(amount)
    }))
  })
})

describe('an entry', () => {
  const ledgers = { payable: () => 'payable', recoverable: () => 'recoverable' }
  const rate = (percent: string, recoverable_percent: string) =>
    ({ id: `rate ${percent}`, name: `Tax ${percent}`, agency_id: 'agency', recoverable_percent, versions: [{ valid_from: '2020-01-01', percent }] })
  const code = (id: string, treatment: 'taxable' | 'reverse_charge', rate_id: string) => ({ id, code: id, treatment, rate_id, group_id: null, archived: false })
  const setup = {
    codes: new Map([['full', code('full', 'taxable', 'rate 6')], ['half', code('half', 'taxable', 'rate 21')], ['turned', code('turned', 'reverse_charge', 'rate 6')]]),
    groups: new Map(), rates: new Map([['rate 6', rate('6', '100')], ['rate 21', rate('21', '50')]]), exemptions: [], defaults: { sale: null, purchase: null },
  }
  const taxed = (amount: number, tax_code_id: string, out: boolean) =>
    calculateTax(setup, { date: '2026-03-10', direction: out ? 'purchase' : 'sale', inclusive: true, lines: [{ amount, tax_code_id }] }).lines[0] ?? null
  const entry = (amount: number, lines: { ledger_id: string; amount?: number; tax_code_id?: string }[]) => {
    const transaction = rowOf({ amount })
    const full = fullLines({ transaction, lines, source: 'person' })
    const taxes = full.map((line) => (line.tax_code_id === null ? null : taxed(line.amount, line.tax_code_id, amount < 0)))
    return postingOf(transaction, { amount: Math.abs(amount), memo: null, posting_date: '2026-03-11' }, full, taxes, ledgers)
  }
  const amounts = (posting: ReturnType<typeof entry>) => posting.lines.map(({ ledger_id, amount }) => [ledger_id, amount])

  it('of a withdrawal debits what it was for, of a deposit credits it', () => {
    expect(entry(-100, [{ ledger_id: 'rent' }])).toMatchObject({ date: '2026-03-11', memo: 'City Power', source_type: 'transaction', area: 'banking', currency: 'USD' })
    expect(amounts(entry(-100, [{ ledger_id: 'rent' }]))).toEqual([['bank', -100], ['rent', 100]])
    expect(amounts(entry(100, [{ ledger_id: 'sales', amount: 103 }, { ledger_id: 'fees', amount: -3 }]))).toEqual([['bank', 100], ['sales', -103], ['fees', 3]])
  })

  it('takes the tax out of the amount: what comes back of a purchase, all of a sale', () => {
    expect(amounts(entry(-10_600, [{ ledger_id: 'rent', tax_code_id: 'full' }]))).toEqual([['bank', -10_600], ['rent', 10_000], ['recoverable', 600]])
    expect(amounts(entry(-12_100, [{ ledger_id: 'rent', tax_code_id: 'half' }]))).toEqual([['bank', -12_100], ['rent', 11_050], ['recoverable', 1_050]])
    expect(amounts(entry(10_600, [{ ledger_id: 'sales', tax_code_id: 'full' }]))).toEqual([['bank', 10_600], ['sales', -10_000], ['payable', -600]])
    expect(amounts(entry(-10_000, [{ ledger_id: 'rent', tax_code_id: 'turned' }]))).toEqual([['bank', -10_000], ['rent', 10_000], ['recoverable', 600], ['payable', -600]])
    expect(amounts(entry(10_000, [{ ledger_id: 'sales', tax_code_id: 'turned' }]))).toEqual([['bank', 10_000], ['sales', -10_000]])
  })

  it('always balances, whatever is split and taxed', () => {
    const line = fc.record({ amount: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((n) => n !== 0), tax_code_id: fc.constantFrom(undefined, 'full', 'half', 'turned') })
    fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 10 }), fc.boolean(), (lines, out) => {
      const whole = lines.reduce((sum, { amount }) => sum + amount, 0)
      fc.pre(whole > 0)
      const posting = entry(out ? -whole : whole, lines.map(({ tax_code_id, amount }) => ({ ledger_id: 'a', amount, ...(tax_code_id && { tax_code_id }) })))
      expect(posting.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      expect(posting.lines.filter(({ amount }) => amount === 0)).toEqual([])
      expect(posting.lines.filter(({ ledger_id }) => ledger_id === 'bank')).toHaveLength(1)
    }))
  })
})

it('two categories say the same whatever the order of their values', () => {
  const line = { ledger_id: 'a', amount: 1, tax_amount: 0, tax_code_id: null, memo: null, customer_id: null, vendor_id: null, project_id: null }
  const said = (dimension_value_ids: string[], amount = 1) => ({ amount, memo: null, posting_date: '2026-03-10', lines: [{ ...line, dimension_value_ids }] })
  const there = { id: 'i', transaction_id: 't', journal_entry_id: 'e', source: 'person' as const, default_id: null, created_by: null, created_at: NOW, ...said(['x', 'y']) }
  expect([saysTheSame(there, said(['y', 'x'])), saysTheSame(there, said(['y'])), saysTheSame(there, said(['x', 'y'], 2))]).toEqual([true, false, false])
})
