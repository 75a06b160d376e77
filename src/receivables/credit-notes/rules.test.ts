import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { TaxMode } from '../sales-lines/contract.ts'
import { openShares, type Share } from './rules.ts'

type Sold = Parameters<typeof openShares>[0][number]
type Part = Parameters<typeof openShares>[2][number]

const money = (cents: number) => String(cents)
const rates = [newId(), newId()]

function sold(position: number, quantity: number, unit_price: number, discount: number, percents: number[], tax_mode: TaxMode): Sold {
  const amount = Math.max(0, quantity * unit_price - discount)
  const tax_components = tax_mode === 'none' ? [] : percents.map((percent, index) => ({
    rate_id: rates[index] ?? '', name: 'Tax', rate: String(percent), ledger_id: rates[0] ?? '', amount: Math.round((amount * percent) / (tax_mode === 'inclusive' ? 140 : 100)),
  }))
  return { id: newId(), position, quantity, unit_price, amount, tax_components, tax_amount: tax_components.reduce((sum, part) => sum + part.amount, 0) }
}

const modes = fc.constantFrom<TaxMode>('exclusive', 'inclusive', 'none')
const lines = fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 9 }), unit_price: fc.integer({ min: 0, max: 5_000 }), discount: fc.integer({ min: 0, max: 300 }), percents: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 2 }) }), { minLength: 1, maxLength: 4 })
/** A note: which way, of which line, how much of it. */
const steps = fc.array(fc.record({ way: fc.constantFrom('quantity', 'amount', 'total', 'rest'), line: fc.nat(3), share: fc.integer({ min: 1, max: 100 }), voided: fc.boolean() }), { maxLength: 12 })

describe('shares of an invoice', () => {
  it('any sequence of notes, some of them voided, sums to the invoice exactly once the rest is taken', () => {
    fc.assert(fc.property(modes, lines, steps, (tax_mode, given, sequence) => {
      const invoice = given.map((line, index) => sold(index + 1, line.quantity, line.unit_price, line.discount, line.percents, tax_mode))
      const notes: { part: Part; share: Share }[][] = []
      const open = () => openShares(invoice, tax_mode, notes.flat().map(({ part }) => part), money, 'Invoice')
      const note = (taken: { line_id: string; share: Share }[]) => taken.map(({ line_id, share }) => {
        expect(share.amount).toBe(share.gross - share.discount)
        if (share.unit_price !== null) expect(share.gross).toBe(share.quantity * share.unit_price)
        expect(Math.min(share.amount, share.discount, share.tax_amount, ...share.tax_components.map(({ amount }) => amount))).toBeGreaterThanOrEqual(0)
        return { share, part: { invoice_line_id: line_id, quantity: share.quantity_credited, amount: share.amount, tax_components: share.tax_components } }
      })
      for (const { way, line, share, voided } of sequence) {
        const shares = open()
        const line_id = (invoice[line % invoice.length] as Sold).id
        const rest = shares.rest(line_id)
        try {
          if (way === 'quantity' && rest.quantity > 0) notes.push(note([{ line_id, share: shares.byQuantity(line_id, Math.ceil((rest.quantity * share) / 100)) }]))
          if (way === 'amount' && rest.amount > 0) notes.push(note([{ line_id, share: shares.byAmount(line_id, Math.ceil((rest.amount * share) / 100)) }]))
          if (way === 'total' && shares.left() > 0) {
            const total = Math.ceil((shares.left() * share) / 100)
            const taken = shares.byTotal(total)
            expect(taken.reduce((sum, each) => sum + each.share.amount + (tax_mode === 'exclusive' ? each.share.tax_amount : 0), 0)).toBe(total)
            notes.push(note(taken))
          }
          if (way === 'rest') {
            const taken = shares.byRest(line_id)
            if (taken) notes.push(note([{ line_id, share: taken }]))
          }
        } catch (error) {
          // Units whose amount was credited before: told, not rounded away.
          if (!(error instanceof Refusal)) throw error
        }
        if (voided) notes.shift()
      }
      const last = open()
      notes.push(note(invoice.flatMap(({ id }) => {
        const share = last.byRest(id)
        return share ? [{ line_id: id, share }] : []
      })))
      for (const { id, quantity, amount, tax_components } of invoice) {
        const own = notes.flat().filter(({ part }) => part.invoice_line_id === id)
        const sum = (pick: (share: Share) => number) => own.reduce((total, { share }) => total + pick(share), 0)
        expect([sum((share) => share.quantity_credited), sum((share) => share.amount)]).toEqual([quantity, amount])
        for (const component of tax_components) expect(sum((share) => share.tax_components.find(({ rate_id }) => rate_id === component.rate_id)?.amount ?? 0)).toBe(component.amount)
      }
      expect(open().left()).toBe(0)
    }), { numRuns: 400 })
  })

  it('takes the tax in proportion, and what is left with the last part', () => {
    const line = sold(1, 3, 12_500, 0, [8], 'exclusive')
    line.tax_components[0]!.amount = 3_094
    line.tax_amount = 3_094
    const shares = openShares([line], 'exclusive', [], money, 'Invoice')
    expect([1, 1, 1].map((units) => shares.byQuantity(line.id, units).tax_amount)).toEqual([1_031, 1_032, 1_031])
  })

  it('names what is left', () => {
    const line = sold(1, 3, 100, 1, [], 'exclusive')
    const shares = openShares([line], 'exclusive', [], money, 'Invoice INV-1')
    expect(shares.byQuantity(line.id, 2)).toMatchObject({ amount: 199, gross: 200, discount: 1 })
    expect(() => shares.byQuantity(line.id, 2)).toThrow('Line 1 of Invoice INV-1 has 1 of 3 units left to credit, not 2.')
    expect(() => shares.byAmount(line.id, 101)).toThrow('Line 1 of Invoice INV-1 has 100 left to credit, less than 101.')
    expect(() => shares.byTotal(101)).toThrow('Invoice INV-1 has 100 left to credit, less than 101.')
  })
})
