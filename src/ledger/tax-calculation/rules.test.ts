// Tax by example and by property: whatever the rates, parts make up the whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaxExemption } from '../tax-exemptions/contract.ts'
import type { TaxCalculation } from './contract.ts'
import { calculateTax, type TaxQuestion, type TaxSetup } from './rules.ts'

type Component = { percent: string; compound?: boolean; recoverable?: string }

/** One taxable code `code` over these rates; plain ones beside it. */
function setupOf(components: Component[], more: Partial<TaxSetup> = {}): TaxSetup {
  const rates = components.map(({ percent, recoverable = '100' }, index) => ({
    id: `rate ${index}`, name: `Rate ${index}`, agency_id: `agency ${index}`, recoverable_percent: recoverable,
    versions: [{ percent, valid_from: '2026-01-01' }],
  }))
  const codes = (['taxable', 'reverse_charge', 'zero_rated', 'exempt', 'out_of_scope'] as const).map((treatment) => {
    const taxed = treatment === 'taxable' || treatment === 'reverse_charge'
    const rate_id = taxed && components.length === 1 ? 'rate 0' : null
    return { id: treatment, code: treatment, treatment, rate_id, group_id: taxed && !rate_id ? 'group' : null, archived: false }
  })
  return {
    codes: new Map(codes.map((code) => [code.id, code])),
    groups: new Map([['group', components.map(({ compound = false }, index) => ({ rate_id: `rate ${index}`, compound }))]]),
    rates: new Map(rates.map((rate) => [rate.id, rate])),
    exemptions: [],
    defaults: { sale: null, purchase: null },
    ...more,
  }
}

const sale = (amounts: number[], more: Partial<TaxQuestion> = {}): TaxQuestion =>
  ({ date: '2026-03-10', direction: 'sale', inclusive: false, lines: amounts.map((amount) => ({ amount, tax_code_id: 'taxable' })), ...more })

const parts = ({ lines }: TaxCalculation) => lines.map(({ net, tax, gross, components }) => [net, components.map((component) => component.tax), tax, gross])

describe('by example', () => {
  it.each<[string, Component[], boolean, number[], unknown[]]>([
    ['6 % of 1,000.00', [{ percent: '6' }], false, [100_000], [[100_000, [6_000], 6_000, 106_000]]],
    ['GST 5 % and QST 9.975 % beside each other', [{ percent: '5' }, { percent: '9.975' }], false, [100_000], [[100_000, [5_000, 9_975], 14_975, 114_975]]],
    ['QST on GST', [{ percent: '5' }, { percent: '9.975', compound: true }], false, [100_000], [[100_000, [5_000, 10_474], 15_474, 115_474]]],
    ['QST on GST, contained', [{ percent: '5' }, { percent: '9.975', compound: true }], true, [115_474], [[100_000, [5_000, 10_474], 15_474, 115_474]]],
    ['7.25 % and 1.5 % in a cent', [{ percent: '7.25' }, { percent: '1.5' }], true, [1], [[1, [0, 0], 0, 1]]],
    ['7.25 % and 1.5 % in six cents', [{ percent: '7.25' }, { percent: '1.5' }], true, [6], [[6, [0, 0], 0, 6]]],
    ['7.25 % and 1.5 % in seven cents: the cent goes to the larger remainder', [{ percent: '7.25' }, { percent: '1.5' }], true, [7], [[6, [1, 0], 1, 7]]],
    ['20 % in 99.99: half a cent goes away from zero', [{ percent: '20' }], true, [9_999], [[8_332, [1_667], 1_667, 9_999]]],
    ['three lines of 0.33 at 8.25 %, each rounded', [{ percent: '8.25' }], false, [33, 33, 33], [[33, [3], 3, 36], [33, [3], 3, 36], [33, [3], 3, 36]]],
    ['half a cent goes away from zero both ways', [{ percent: '5' }], false, [10, -10, 30, -30],
      [[10, [1], 1, 11], [-10, [-1], -1, -11], [30, [2], 2, 32], [-30, [-2], -2, -32]]],
    ['0 %', [{ percent: '0' }], true, [500], [[500, [0], 0, 500]]],
    ['100 %', [{ percent: '100' }], true, [501], [[250, [251], 251, 501]]],
    ['the smallest rate', [{ percent: '0.0001' }], false, [500_000, 499_999], [[500_000, [1], 1, 500_001], [499_999, [0], 0, 499_999]]],
    ['compound on compound', [{ percent: '10' }, { percent: '10', compound: true }, { percent: '10', compound: true }], false,
      [1_000], [[1_000, [100, 110, 121], 331, 1_331]]],
    ['the same, contained', [{ percent: '10' }, { percent: '10', compound: true }, { percent: '10', compound: true }], true,
      [1_331], [[1_000, [100, 110, 121], 331, 1_331]]],
  ])('%s', (_, components, inclusive, amounts, expected) => {
    expect(parts(calculateTax(setupOf(components), sale(amounts, { inclusive })))).toEqual(expected)
  })

  it('totals: what the lines add up to', () => {
    const { totals } = calculateTax(setupOf([{ percent: '8.25' }]), sale([3 * 12_500, 8_333]))
    expect(totals).toEqual({ net: 45_833, tax: 3_781, reverse_charge_tax: 0, gross: 49_614, recoverable_tax: 0, cost: 45_833 })
  })

  it.each(['zero_rated', 'exempt', 'out_of_scope'])('%s lines bear nothing', (tax_code_id) => {
    const { lines: [line] } = calculateTax(setupOf([{ percent: '20' }]), sale([], { inclusive: true, lines: [{ amount: 500, tax_code_id }] }))
    expect(line).toEqual({
      tax_code_id, treatment: tax_code_id, reverse_charge: false, net: 500, tax: 0, gross: 500, recoverable_tax: 0, cost: 500, components: [],
    })
  })

  it('reverse charge: computed on the whole amount, contained in nothing, added to nothing', () => {
    const setup = setupOf([{ percent: '20', recoverable: '75' }])
    for (const inclusive of [true, false]) {
      const lines = [{ amount: 10_000, tax_code_id: 'reverse_charge' }]
      const { lines: [line], totals } = calculateTax(setup, { ...sale([]), direction: 'purchase', inclusive, lines })
      expect(line).toMatchObject({ reverse_charge: true, net: 10_000, tax: 2_000, gross: 10_000, recoverable_tax: 1_500, cost: 10_500 })
      expect(totals).toEqual({ net: 10_000, tax: 0, reverse_charge_tax: 2_000, gross: 10_000, recoverable_tax: 1_500, cost: 10_500 })
    }
  })

  it('purchases: what does not come back is cost', () => {
    const setup = setupOf([{ percent: '20', recoverable: '50' }, { percent: '5', recoverable: '0' }])
    const { lines: [line] } = calculateTax(setup, { ...sale([1_001]), direction: 'purchase' })
    expect(line).toMatchObject({ net: 1_001, tax: 250, gross: 1_251, recoverable_tax: 100, cost: 1_151 })
    expect(line?.components.map(({ tax, recoverable_tax }) => [tax, recoverable_tax])).toEqual([[200, 100], [50, 0]])
    expect(calculateTax(setup, sale([1_001])).lines[0]).toMatchObject({ recoverable_tax: 0, cost: 1_001 })
  })

  it('the date of the document decides the version', () => {
    const setup = setupOf([{ percent: '6' }])
    const rate = setup.rates.get('rate 0')!
    rate.versions = [{ percent: '6', valid_from: '2026-01-01' }, { percent: '6.5', valid_from: '2026-07-01' }]
    const taxOn = (date: string) => calculateTax(setup, sale([100_000], { date })).lines[0]?.components[0]
    expect(['2026-01-01', '2026-06-30', '2026-07-01', '2030-01-01'].map((date) => taxOn(date)?.percent)).toEqual(['6', '6', '6.5', '6.5'])
    expect(taxOn('2026-07-01')?.tax).toBe(6_500)
    expect(() => taxOn('2025-12-31'))
      .toThrow('The tax rate “Rate 0” has no percent on 2025-12-31: its first version is valid from 2026-01-01; add an earlier one.')
  })

  it('a line without a code takes the default of its direction; where there is none, no tax', () => {
    const setup = setupOf([{ percent: '20' }], { defaults: { sale: 'taxable', purchase: null } })
    const bare = [{ amount: 100 }, { amount: 100, tax_code_id: null }, { amount: 100, tax_code_id: 'exempt' }]
    expect(calculateTax(setup, sale([], { lines: bare })).lines.map((line) => [line.tax_code_id, line.tax]))
      .toEqual([['taxable', 20], ['taxable', 20], ['exempt', 0]])
    expect(calculateTax(setup, sale([], { lines: bare, direction: 'purchase' })).lines[0])
      .toEqual({ tax_code_id: null, treatment: null, reverse_charge: false, net: 100, tax: 0, gross: 100, recoverable_tax: 0, cost: 100, components: [] })
  })

  it.each<[string, Partial<TaxSetup>, Partial<TaxQuestion>, number, string]>([
    ['an unknown code', {}, { lines: [{ amount: 1, tax_code_id: 'nobody' }] }, 404, 'Tax code nobody not found.'],
    ['an unknown default', { defaults: { sale: 'nobody', purchase: null } }, { lines: [{ amount: 1 }] }, 400,
      'The default sales code of the settings does not exist: choose another one there.'],
    ['an archived code',
      { codes: new Map([['taxable', { id: 'taxable', code: 'STD', treatment: 'taxable', rate_id: 'rate 0', group_id: null, archived: true }]]) }, {}, 400,
      'The tax code STD is archived: restore it, or choose another code.'],
    ['too much', {}, { lines: [{ amount: Number.MAX_SAFE_INTEGER, tax_code_id: 'taxable' }] }, 400,
      'The amount is out of range: it must lie between -90,071,992,547,409.91 and 90,071,992,547,409.91.'],
  ])('refuses %s', (_, more, question, status, detail) => {
    expect(() => calculateTax(setupOf([{ percent: '20' }], more), sale([1], question))).toThrow(expect.objectContaining({ status, detail }))
  })
})

describe('exemptions', () => {
  const exemption = (more: Partial<TaxExemption> = {}): TaxExemption => ({
    id: 'exemption', business_id: 'b', customer_id: 'customer', agency_ids: [], certificate_number: null, valid_from: '2026-02-01',
    valid_to: '2026-03-31', document_id: null, archived: false, created_at: '', updated_at: '', version: 1, ...more,
  })
  const taxes = (exemptions: TaxExemption[], more: Partial<TaxQuestion> = {}) =>
    calculateTax(setupOf([{ percent: '10' }, { percent: '10', compound: true }], { exemptions }), sale([1_000], { customer_id: 'customer', ...more }))
      .lines[0]!.components.map(({ tax }) => tax)

  it('take off the tax of their agencies, and what would have been levied on it', () => {
    expect(taxes([exemption()])).toEqual([0, 0])
    expect(taxes([exemption({ agency_ids: ['agency 0'] })])).toEqual([0, 100])
    expect(taxes([exemption({ agency_ids: ['agency 1'] })])).toEqual([100, 0])
    expect(taxes([exemption({ agency_ids: ['agency 1'] })], { inclusive: true })).toEqual([91, 0])
    expect(taxes([exemption({ agency_ids: ['agency 0'] }), exemption({ agency_ids: ['agency 1'] })])).toEqual([0, 0])
  })

  it('are named by the components they free', () => {
    const setup = setupOf([{ percent: '10' }], { exemptions: [exemption()] })
    expect(calculateTax(setup, sale([1_000], { customer_id: 'customer' })).lines[0])
      .toMatchObject({ net: 1_000, tax: 0, gross: 1_000, components: [{ percent: '10', tax: 0, exemption_id: 'exemption' }] })
  })

  it.each<[string, Partial<TaxExemption>, Partial<TaxQuestion>]>([
    ['of somebody else', { customer_id: 'another' }, {}],
    ['of nobody in particular', {}, { customer_id: null }],
    ['that begins later', { valid_from: '2026-03-11' }, {}],
    ['that has ended', { valid_to: '2026-03-09' }, {}],
    ['that is archived', { archived: true }, {}],
    ['of another agency', { agency_ids: ['agency 7'] }, {}],
    ['on a purchase', {}, { direction: 'purchase' }],
    ['under reverse charge', {}, { lines: [{ amount: 1_000, tax_code_id: 'reverse_charge' }] }],
  ])('do not count: one %s', (_, more, question) => {
    expect(taxes([exemption(more)], question)).toEqual([100, 110])
  })

  it('count on their first and last day', () => {
    expect(['2026-01-31', '2026-02-01', '2026-03-31', '2026-04-01'].map((date) => taxes([exemption()], { date })[0])).toEqual([100, 0, 0, 100])
    expect(taxes([exemption({ valid_to: null })], { date: '2040-01-01' })).toEqual([0, 0])
  })
})

describe('whatever the rates', () => {
  const percent = fc.integer({ min: 0, max: 1_000_000 }).map((units) => (units / 10_000).toFixed(4))
  const components = fc.array(fc.record({ percent, compound: fc.boolean(), recoverable: percent }), { minLength: 1, maxLength: 6 })
  const amounts = fc.array(fc.oneof(fc.integer({ min: -2_000, max: 2_000 }), fc.integer({ min: -(10 ** 11), max: 10 ** 11 })), { minLength: 1, maxLength: 8 })
  const code = fc.constantFrom('taxable', 'reverse_charge', 'exempt')
  const question = fc.record({ inclusive: fc.boolean(), direction: fc.constantFrom('sale' as const, 'purchase' as const), code, amounts })
    .map(({ inclusive, direction, code: tax_code_id, amounts: given }) =>
      sale([], { inclusive, direction, lines: given.map((amount) => ({ amount, tax_code_id })) }))
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

  it('parts sum to the whole', () => {
    fc.assert(fc.property(components, question, (given, asked) => {
      const { lines } = calculateTax(setupOf(given), asked)
      for (const [index, line] of lines.entries()) {
        expect(sum(line.components.map(({ tax }) => tax))).toBe(line.tax)
        expect(line.gross - line.net).toBe(line.reverse_charge ? 0 : line.tax)
        expect(asked.inclusive && !line.reverse_charge ? line.gross : line.net).toBe(asked.lines[index]?.amount)
        expect(sum(line.components.map(({ recoverable_tax }) => recoverable_tax))).toBe(line.recoverable_tax)
        expect(line.cost).toBe(asked.direction === 'sale' ? line.net : line.net + line.tax - line.recoverable_tax)
        for (const { tax, recoverable_tax } of line.components) expect(Math.abs(recoverable_tax)).toBeLessThanOrEqual(Math.abs(tax))
      }
    }))
  })

  it('totals are the sums of the lines', () => {
    fc.assert(fc.property(components, question, (given, asked) => {
      const { lines, totals } = calculateTax(setupOf(given), asked)
      for (const key of ['net', 'gross', 'recoverable_tax', 'cost'] as const) expect(totals[key]).toBe(sum(lines.map((line) => line[key])))
      expect(totals.tax + totals.reverse_charge_tax).toBe(sum(lines.map(({ tax }) => tax)))
      expect(totals.net + totals.tax).toBe(totals.gross)
    }))
  })

  it('a credit mirrors its charge to the cent', () => {
    fc.assert(fc.property(components, question, (given, asked) => {
      const setup = setupOf(given)
      const mirrored = calculateTax(setup, { ...asked, lines: asked.lines.map((line) => ({ ...line, amount: 0 - line.amount })) })
      expect(opposite(mirrored)).toEqual(calculateTax(setup, asked))
    }))
  })

  it('each component is within half a cent of what it is on the net', () => {
    fc.assert(fc.property(percent, fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.boolean(), (rate, amount, inclusive) => {
      const { lines: [line] } = calculateTax(setupOf([{ percent: rate }]), sale([amount], { inclusive }))
      // In ten-thousandths of a percent of a cent: exact in bigint. Contained tax is exact on the gross, not on the rounded net.
      const units = BigInt(Math.round(Number(rate) * 10_000))
      const whole = 1_000_000n
      const [numerator, denominator] = inclusive ? [BigInt(amount) * units, whole + units] : [BigInt(amount) * units, whole]
      const off = BigInt(line!.tax) * denominator - numerator
      expect(2n * (off < 0n ? -off : off) <= denominator).toBe(true)
    }))
  })

  it('taking tax out of what it was added to gives the net back: exactly for one rate, within half a cent a component for more', () => {
    fc.assert(fc.property(components, fc.integer({ min: -(10 ** 11), max: 10 ** 11 }), (given, net) => {
      const setup = setupOf(given)
      const added = calculateTax(setup, sale([net])).lines[0]!
      const taken = calculateTax(setup, sale([added.gross], { inclusive: true })).lines[0]!
      expect(2 * Math.abs(taken.net - net)).toBeLessThanOrEqual(given.length === 1 ? 0 : given.length + 1)
    }))
  })

  it('a compound component is never below the same one beside the others', () => {
    fc.assert(fc.property(components, fc.integer({ min: 0, max: 10 ** 11 }), (given, net) => {
      const taxes = (compound: boolean) =>
        calculateTax(setupOf(given.map((component) => ({ ...component, compound }))), sale([net])).lines[0]!.components.map(({ tax }) => tax)
      const beside = taxes(false)
      for (const [index, tax] of taxes(true).entries()) expect(tax).toBeGreaterThanOrEqual(beside[index] ?? 0)
    }))
  })
})

function opposite(calculation: TaxCalculation): TaxCalculation {
  const flip = <Row extends object>(row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? 0 - value : value])) as Row
  const lines = calculation.lines.map((line) => ({ ...flip(line), components: line.components.map(flip) }))
  return { ...calculation, lines, totals: flip(calculation.totals) }
}
