import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaxCalculation } from '../../ledger/tax-calculation/contract.ts'
import { calculateTax, type TaxSetup } from '../../ledger/tax-calculation/rules.ts'
import { currentPrices, draftLines, netOf, requireLineShapes, taxed, taxQuestion, totalsOf, type Sellables } from './rules.ts'
import { TAX_MODES, type LineInput, type TaxMode } from './contract.ts'

const sold = { name: 'Widget', description: null, price: 250, ledger_id: null, tax_code_id: null, deferred: true, archived: false }
const sellables = (price: number | null = 250): Sellables => ({ variant: () => ({ ...sold, price }), catalogItem: () => ({ ...sold, price }) })
const ID = '018f0000-0000-7000-8000-000000000001'

const input = fc.record({
  description: fc.constant('Line'),
  quantity: fc.integer({ min: 0, max: 10_000 }),
  unit_price: fc.integer({ min: 0, max: 1_000_000 }),
  discount_percent: fc.option(fc.integer({ min: 0, max: 1_000_000 }).map((value) => `${Math.floor(value / 10_000)}.${String(value % 10_000).padStart(4, '0')}`), { nil: null }),
})
const percents = fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 3 })

function setupOf(rates: readonly number[]): TaxSetup {
  return {
    codes: new Map([[ID, { id: ID, code: 'T', treatment: 'taxable', rate_id: null, group_id: 'g', archived: false }]]),
    groups: new Map([['g', rates.map((_, index) => ({ rate_id: String(index), compound: index > 0 && index % 2 === 0 }))]]),
    rates: new Map(rates.map((percent, index) => [String(index), {
      id: String(index), name: `Rate ${index}`, agency_id: 'a', recoverable_percent: '0', versions: [{ valid_from: '2000-01-01', percent: (percent / 10_000).toFixed(4) }],
    }])),
    exemptions: [],
    defaults: { sale: null, purchase: null },
  }
}

describe('totals', () => {
  it('are the sum of the lines, with tax on top or inside, to the cent', () => {
    fc.assert(fc.property(fc.array(input, { minLength: 1, maxLength: 20 }), percents, fc.constantFrom<TaxMode>(...TAX_MODES), (inputs, rates, tax_mode) => {
      const lines = draftLines(inputs as LineInput[], sellables())
      const question = taxQuestion({ date: '2026-03-10', customer_id: ID, tax_mode }, lines, () => ID)
      const tax: TaxCalculation | null = tax_mode === 'none' ? null : calculateTax(setupOf(rates), { ...question, inclusive: tax_mode === 'inclusive' })
      const done = taxed(lines, tax, () => ID)
      const { subtotal, tax_total, total, discount_total } = totalsOf(done, tax_mode)
      const sum = (pick: (line: (typeof done)[number]) => number) => done.reduce((whole, line) => whole + pick(line), 0)
      expect(total).toBe(sum((line) => line.amount) + (tax_mode === 'exclusive' ? tax_total : 0))
      expect(subtotal + tax_total).toBe(total)
      expect(discount_total).toBe(sum((line) => line.discount))
      // What is posted: income and tax together are what is owed, and none of it is negative.
      expect(sum((line) => netOf(line, tax_mode)) + sum((line) => line.tax_components.reduce((whole, each) => whole + each.amount, 0))).toBe(total)
      for (const line of done) expect(Math.min(netOf(line, tax_mode), line.tax_amount, line.amount, line.discount)).toBeGreaterThanOrEqual(0)
    }))
  })
})

describe('prices', () => {
  it('come from the catalog unless they are given, and only those are read again', () => {
    const [catalog, override] = draftLines([{ variant_id: ID, quantity: 2 }, { catalog_item_id: ID, unit_price: 9 }], sellables(100))
    expect([catalog, override]).toMatchObject([{ unit_price: 100, amount: 200, price_source: 'catalog', deferred: true, description: 'Widget' }, { unit_price: 9, price_source: 'override' }])
    expect(currentPrices([catalog!, override!], sellables(120))).toMatchObject([{ unit_price: 120, amount: 240 }, { unit_price: 9, amount: 9 }])
    expect(() => currentPrices([catalog!], sellables(null))).toThrow(/^Line 1 \(Widget\) has no price/)
  })

  it('that are missing count 0 and let a discount wait', () => {
    expect(draftLines([{ catalog_item_id: ID, discount_amount: 5 }], sellables(null))[0]).toMatchObject({ unit_price: null, gross: 0, discount: 0, amount: 0 })
    expect(() => draftLines([{ description: 'x', unit_price: 4, discount_amount: 5 }], sellables())).toThrow(/^Line 1: the discount is above/)
  })

  it('beyond what a number carries are a fault of the body', () => {
    expect(() => draftLines([{ description: 'x', unit_price: Number.MAX_SAFE_INTEGER, quantity: 2 }], sellables())).toThrow(expect.objectContaining({ status: 422 }))
    const lines = draftLines(Array.from({ length: 2 }, () => ({ description: 'x', unit_price: Number.MAX_SAFE_INTEGER })), sellables())
    expect(() => totalsOf(lines, 'none')).toThrow(expect.objectContaining({ status: 422 }))
  })
})

describe('shapes', () => {
  it.each([
    [{}, ['description', 'unit_price']],
    [{ description: ' ', unit_price: 1 }, ['description']],
    [{ description: 'x', amount: 1 }, []],
    [{ description: 'x', amount: -1 }, ['amount']],
    [{ variant_id: 'nonsense' }, ['variant_id']],
    [{ variant_id: ID, catalog_item_id: ID }, ['catalog_item_id']],
    [{ variant_id: 'custom', catalog_item_id: ID }, []],
    [{ variant_id: ID, service_date: '2026-03-02', service_end_date: '2026-03-01' }, ['service_end_date']],
  ] as [LineInput, string[]][])('%o has problems at %o', (line, fields) => {
    let found: unknown[] = []
    try {
      requireLineShapes([line])
    } catch (error) {
      found = (error as { problems: { loc: unknown[] }[] }).problems.map(({ loc }) => loc.at(-1))
    }
    expect(found).toEqual(fields)
  })
})
