import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitCents } from '../../foundation/money.ts'
import type { BookLedger } from '../books/contract.ts'
import type { CashLine, OpenItem, Part } from './contract.ts'
import { oppositeLines, openingLines, revaluationLines, settlementLines, type WrittenLine } from './rules.ts'

const plain = { number: null, currency: 'USD', is_bank: false, role: null, archived: false, posting: true, merged_into_id: null, cash_flow_class: 'operating', parent_id: null, default_tax_code_id: null } as const
const ledger = (name: string, type: BookLedger['type'], more: Partial<BookLedger> = {}): BookLedger => ({ ...plain, id: name, name, type, subtype: 'bank', ...more })
const receivable = ledger('receivable', 'asset', { role: 'accounts_receivable' })
const bank = ledger('bank', 'asset', { is_bank: true })
const sales = ledger('sales', 'income')
const rent = ledger('rent', 'income')
const discount = ledger('discount', 'income')
const bad_debt = ledger('bad_debt', 'expense', { role: 'bad_debt' })
const bank_charge = ledger('bank_charge', 'income')
const tax = ledger('tax', 'liability', { role: 'sales_tax_payable' })
const fx = ledger('fx', 'income', { role: 'unrealized_fx' })
const realized = ledger('realized', 'income', { role: 'realized_fx' })

let made = 0
const line = (of: BookLedger, base_amount: number, settles_line_id: string | null = null): WrittenLine =>
  ({ id: `line ${++made}`, ledger: of, currency: 'USD', amount: base_amount, base_amount, customer_id: null, vendor_id: null, project_id: null, dimension_value_ids: [], settles_line_id })

const total = (lines: readonly CashLine[], on?: BookLedger) => lines.reduce((sum, each) => (on === undefined || each.ledger_id === on.id ? sum + each.base_amount : sum), 0)

/** Opens a document and pays it bit by bit; what the cash basis adds at each step. */
function life(document: WrittenLine[], ...payments: ((item: WrittenLine) => WrittenLine[])[]): CashLine[][] {
  const opening = openingLines(document)
  const item = document.find((each) => each.ledger === receivable) as WrittenLine
  const items = new Map([[item.id, openItem(item)]])
  const parts = partsOf(opening)
  return [opening, ...payments.map((payment) => settlementLines(payment(item), items, new Map([[item.id, parts]])))]
}

function openItem(item: WrittenLine): OpenItem {
  return { ...item, entry_id: 'e', entry_number: 1, ledger_id: item.ledger.id, settled: 0, settled_base: 0 }
}

function partsOf(opening: readonly CashLine[]): Part[] {
  return opening.filter((each) => each.document_line_id !== null).map((each) =>
    ({ ...each, document_line_id: each.document_line_id ?? '', deferred: -each.base_amount, remaining: -each.base_amount }))
}

describe('an invoice of 1,000.00 and 6 % tax, paid in halves', () => {
  const pay = (item: WrittenLine) => [line(bank, 53_000), line(receivable, -53_000, item.id)]
  const [opened, first, second] = life([line(receivable, 106_000), line(sales, -100_000), line(tax, -6_000)], pay, pay) as [CashLine[], CashLine[], CashLine[]]
  it('counts nothing at first, half then, all in the end', () => {
    expect([total(opened, sales), total(first, sales), total(second, sales)]).toEqual([100_000, -50_000, -50_000])
    expect([total(opened, receivable), total(first, receivable), total(second, receivable)]).toEqual([-100_000, 50_000, 50_000])
  })
})

describe('what is settled without cash counts on neither side', () => {
  it('a write-off leaves only the tax as a loss', () => {
    const [, written_off] = life([line(receivable, 106_000), line(sales, -100_000), line(tax, -6_000)], (item) => [line(bad_debt, 106_000), line(receivable, -106_000, item.id)])
    expect(total(written_off ?? [], sales)).toBe(0)
    expect(total(written_off ?? [], bad_debt)).toBe(-100_000)
  })

  it('of a payment with a discount the discount counts for neither', () => {
    const [, paid] = life([line(receivable, 10_000), line(sales, -10_000)], (item) => [line(bank, 9_800), line(discount, 200), line(receivable, -10_000, item.id)])
    expect([total(paid ?? [], sales), total(paid ?? [], discount)]).toEqual([-9_800, -200])
  })

  it('a write-off that takes the tax back leaves nothing', () => {
    const [, written_off] = life([line(receivable, 106_000), line(sales, -100_000), line(tax, -6_000)], (item) => [line(bad_debt, 100_000), line(tax, 6_000), line(receivable, -106_000, item.id)])
    expect([total(written_off ?? [], sales), total(written_off ?? [], bad_debt), total(written_off ?? [], tax)]).toEqual([0, -100_000, 0])
  })

  it('of a discount over uneven lines no cent is left', () => {
    const [, paid] = life([line(receivable, 10_000), line(sales, -3_333), line(rent, -3_333), line(sales, -3_334)], (item) => [line(bank, 9_900), line(discount, 100), line(receivable, -10_000, item.id)])
    expect([total(paid ?? [], sales) + total(paid ?? [], rent), total(paid ?? [], discount)]).toEqual([-9_900, -100])
  })

  it('a credit and an invoice that meet count for neither, and for one what it has more', () => {
    const [invoice, credit] = [line(receivable, 10_600), line(receivable, -10_600)]
    const document = [invoice, line(sales, -10_000), line(tax, -600)]
    const memo = [credit, line(discount, 10_600)]
    const items = new Map([invoice, credit].map((item) => [item.id, openItem(item)]))
    const parts = new Map([[invoice.id, partsOf(openingLines(document))], [credit.id, partsOf(openingLines(memo))]])
    const met = settlementLines([line(receivable, 10_600, credit.id), line(receivable, -10_600, invoice.id)], items, parts)
    expect([total(met, sales), total(met, discount), total(met, receivable)]).toEqual([0, 600, -600])
  })

  it('what pays otherwise than with money pays: a debt taken on stays one', () => {
    const withheld = ledger('withheld', 'liability')
    const [, paid] = life([line(receivable, 10_000), line(sales, -10_000)], (item) => [line(bank, 7_600), line(withheld, 2_400), line(receivable, -10_000, item.id)])
    expect([total(paid ?? [], sales), total(paid ?? [], withheld)]).toEqual([-10_000, 0])
  })

  it('money on top of what is settled takes nothing from it', () => {
    const [, paid] = life([line(receivable, 10_000), line(sales, -10_000)], (item) => [line(bank, 10_200), line(rent, -200), line(receivable, -10_000, item.id)])
    expect([total(paid ?? [], sales), total(paid ?? [], rent)]).toEqual([-10_000, 0])
  })

  it('an exchange gain at payment is no loss of cash', () => {
    const [, paid] = life([line(receivable, 10_000), line(sales, -10_000)], (item) => [line(bank, 9_500), line(realized, 500), line(receivable, -10_000, item.id)])
    expect(total(paid ?? [], sales)).toBe(-10_000)
  })
})

it('what is paid in the entry itself counts at once', () => {
  expect(total(openingLines([line(bank, 400), line(receivable, 600), line(sales, -1000)]), sales)).toBe(600)
})

it('of several items each waits for its share, however uneven the lines', () => {
  const [first, second] = [line(receivable, 5_000), line(receivable, 5_000)]
  const opened = openingLines([line(bank, 5_000), first, second, line(sales, -5_000), line(rent, -5_001), line(sales, -4_999)])
  const of = (item: WrittenLine) => opened.filter((each) => each.item_line_id === item.id && each.document_line_id !== null)
  expect([total(of(first)), total(of(second))]).toEqual([5_000, 5_000])
  expect(total(opened)).toBe(0)
})

it('the revaluation of a receivable does not count', () => {
  const lines = revaluationLines([{ ...line(receivable, -300), amount: 0 }, line(fx, 300)])
  expect([total(lines, receivable), total(lines, fx)]).toEqual([300, -300])
})

describe('for any document and any payments', () => {
  const amounts = fc.array(fc.integer({ min: -50_000, max: 500_000 }).filter((each) => each !== 0), { minLength: 1, maxLength: 6 }).filter((all) => all.reduce((a, b) => a + b, 0) > 0)
  const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 })

  it('every step balances, and full payment counts exactly the lines', () => {
    fc.assert(fc.property(amounts, fc.integer({ min: 0, max: 20_000 }), weights, (incomes, tax_amount, shares) => {
      const owed = incomes.reduce((a, b) => a + b, 0) + tax_amount
      const document = [line(receivable, owed), ...incomes.map((each, index) => line(index % 2 ? rent : sales, -each)), ...(tax_amount ? [line(tax, -tax_amount)] : [])]
      const parts = splitCents(owed, shares).filter((part) => part > 0)
      const steps = life(document, ...parts.map((part) => (item: WrittenLine) => [line(bank, part), line(receivable, -part, item.id)]))
      for (const step of steps) expect(total(step)).toBe(0)
      for (const of of [sales, rent, receivable]) expect(total(steps.flat(), of)).toBe(0)
    }))
  })

  it('with discounts, write-offs and fees too: all waiting lines are used up, and what counts is the money', () => {
    const step = fc.record({ share: fc.integer({ min: 1, max: 100 }), forgiven: fc.integer({ min: 0, max: 100 }), fee: fc.integer({ min: 0, max: 500 }) })
    fc.assert(fc.property(amounts, fc.array(step, { minLength: 1, maxLength: 5 }), (incomes, steps) => {
      const owed = incomes.reduce((a, b) => a + b, 0)
      const document = [line(receivable, owed), ...incomes.map((each, index) => line(index % 2 ? rent : sales, -each))]
      const parts = splitCents(owed, steps.map(({ share }) => share))
      let money = 0
      const payments = parts.map((part, index) => (item: WrittenLine) => {
        const { forgiven = 0, fee = 0 } = steps[index] ?? {}
        const lost = Math.trunc((part * forgiven) / 100)
        money += part - lost
        const lines = [line(bank, part - lost + fee), line(bad_debt, lost), line(bank_charge, -fee), line(receivable, -part, item.id)]
        return lines.filter(({ base_amount }) => base_amount !== 0)
      }).filter((_, index) => (parts[index] ?? 0) > 0)
      const made = life(document, ...payments)
      for (const lines of made) expect(total(lines)).toBe(0)
      expect(total(made.flat(), receivable)).toBe(0)
      // With the lines of the journal: income of the document is what came for it in money, beyond fees and write-offs.
      const journal = -owed + (owed - money)
      expect(total(made.flat(), sales) + total(made.flat(), rent) + total(made.flat(), bad_debt) + journal + money).toBe(0)
      expect(total(made.flat(), bank_charge)).toBe(0)
    }))
  })

  it('a payment that is reversed leaves no trace', () => {
    const step = openingLines([line(receivable, 10_600), line(sales, -10_000), line(tax, -600)])
    expect(total([...step, ...oppositeLines(step)], sales)).toBe(0)
  })
})
