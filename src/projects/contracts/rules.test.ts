import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../foundation/refusal.ts'
import type { ContractRow } from './contract.ts'
import { afterMoves, nextTerm, recordOf, requireBillable, requireEditable, statusOn, type Move } from './rules.ts'

const plain = {
  id: 'c', number: 'CON-1', customer_id: 'x', currency: 'USD', original_value: 1000, change_total: 0, value: 1000, status: 'draft', allow_overbilling: false,
  start_date: '2026-01-01', end_date: null, renewal_months: null, billed_amount: 0, credited_amount: 0, paid_amount: 0, retained_amount: 0, billing_status: 'not_started',
  billing_started_on: null, title: 'T', document_ids: [], billing_type: 'fixed', retention_percent: null,
} as unknown as ContractRow
const contract = (changes: Partial<ContractRow> = {}): ContractRow => ({ ...plain, ...changes })

const dates = fc.integer({ min: 1, max: 28 }).map((day) => `2026-03-${String(day).padStart(2, '0')}`)
const contracts = fc.record({ value: fc.nat({ max: 5000 }), allow_overbilling: fc.boolean(), status: fc.constantFrom('draft' as const, 'active' as const) })
  .map(({ value, ...rest }) => contract({ ...rest, value, original_value: value }))
const links = fc.array(fc.record({ billed: fc.integer({ min: 1, max: 3000 }), date: dates }), { minLength: 1, maxLength: 6 })

/** As documents link one after another: what is refused changes nothing. */
function play(before: ContractRow, moves: readonly Move[]): { after: ContractRow; taken: Move[] } {
  let after = before
  const taken: Move[] = []
  for (const move of moves) {
    try {
      after = afterMoves(after, [move])
      taken.push(move)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return { after, taken }
}

describe('moving the counters', () => {
  it('is undone by the opposite moves in any order; only an activated draft stays active', () => {
    fc.assert(fc.property(contracts, links, fc.array(fc.nat()), (before, moves, order) => {
      const { after, taken } = play(before, moves)
      const back = taken.map((move, index) => ({ move, place: order[index] ?? index })).toSorted((a, b) => a.place - b.place)
        .map(({ move }) => ({ ...move, billed: -(move.billed ?? 0) }))
      expect(play(after, back).after).toEqual({ ...before, status: taken.length > 0 ? 'active' : before.status })
    }))
  })

  it('never bills above the value unless that is allowed, and says so with a 400', () => {
    fc.assert(fc.property(contracts, links, (before, moves) => {
      const { after, taken } = play(before, moves)
      const sum = taken.reduce((total, { billed = 0 }) => total + billed, 0)
      expect(after.billed_amount).toBe(sum)
      if (!before.allow_overbilling) expect(after.billed_amount).toBeLessThanOrEqual(before.value)
      else expect(taken).toEqual(moves)
    }))
  })

  it('keeps the status of billing true to the figures', () => {
    fc.assert(fc.property(contracts, links, (before, moves) => {
      const { after, taken } = play(before, moves)
      const expected = after.billed_amount === 0 ? 'not_started' : after.value > 0 && after.billed_amount >= after.value ? 'complete' : 'active'
      expect(after.billing_status).toBe(expected)
      expect(after.billing_started_on).toBe(taken[0]?.date ?? null)
      if (taken.length > 0) expect(after.status).toBe('active')
    }))
  })

  it('adds several moves of one call up, in one step or one by one', () => {
    fc.assert(fc.property(links, (moves) => {
      const open = contract({ allow_overbilling: true })
      const together = afterMoves(open, moves)
      const { after } = play(open, moves.toSorted((a, b) => (a.date < b.date ? -1 : 1)))
      expect(together).toEqual(after)
    }))
    expect(afterMoves(contract(), [{ billed: 900, date: '2026-01-02' }, { billed: 900, date: '2026-01-01' }, { billed: -800, date: '2026-01-03' }]))
      .toMatchObject({ billed_amount: 1000, billing_status: 'complete', billing_started_on: '2026-01-01', status: 'active' })
  })

  it('leaves everything else to what is billed', () => {
    const billed = contract({ status: 'active', billed_amount: 500, billing_status: 'active', billing_started_on: '2026-01-01' })
    expect(afterMoves(billed, [{ paid: 300, credited: 20, date: '2026-02-01' }])).toEqual({ ...billed, paid_amount: 300, credited_amount: 20 })
  })

  it('refuses to bill what is over, but takes back', () => {
    for (const status of ['completed', 'terminated'] as const) {
      const over = contract({ status, billed_amount: 500, billing_status: 'active', billing_started_on: '2026-01-01' })
      expect(() => afterMoves(over, [{ billed: 1, date: '2026-02-01' }])).toThrow(`The contract CON-1 is ${status}`)
      expect(afterMoves(over, [{ billed: -500, date: '2026-02-01' }])).toMatchObject({ status, billing_status: 'not_started', billing_started_on: null })
    }
  })

  it('names what is left', () => {
    const billed = contract({ status: 'active', billed_amount: 400, billing_status: 'active', billing_started_on: '2026-01-01' })
    expect(() => afterMoves(billed, [{ billed: 601, date: '2026-02-01' }])).toThrow('The contract CON-1 has 6.00 USD left to bill, and 6.01 would be too much')
  })

  it('that takes off more than was put on is a fault of ours', () => {
    expect(() => afterMoves(contract(), [{ billed: -1, date: '2026-02-01' }])).toThrow('More is taken off')
  })
})

describe('billing a contract', () => {
  it.each<[Partial<ContractRow>, string]>([
    [{ customer_id: 'y' }, 'is one of another customer'],
    [{ currency: 'EUR' }, 'is in EUR: bill it in that currency, not in USD'],
    [{ status: 'completed' }, 'is completed'],
    [{ status: 'terminated' }, 'is terminated'],
  ])('is refused with %o', (changes, detail) => {
    expect(() => requireBillable(contract(changes), { customer_id: 'x', currency: 'USD' })).toThrow(detail)
  })

  it('is fine for drafts and active ones', () => {
    for (const status of ['draft', 'active'] as const) expect(() => requireBillable(contract({ status }), { customer_id: 'x', currency: 'USD' })).not.toThrow()
  })
})

describe('editing', () => {
  it('of a draft is free, of an active one bound, of one that is over only its documents', () => {
    expect(() => requireEditable(contract(), { customer_id: 'y', original_value: 1 })).not.toThrow()
    const active = contract({ status: 'active' })
    expect(() => requireEditable(active, { original_value: 1 })).toThrow('its value changes by a change order only')
    expect(() => requireEditable(active, { billing_type: 'retainer' })).toThrow('its billing_type stays')
    expect(() => requireEditable(active, { title: 'N', end_date: '2026-12-31', original_value: 1000, currency: 'USD' })).not.toThrow()
    const over = contract({ status: 'completed' })
    expect(() => requireEditable(over, { title: 'N' })).toThrow('is completed: only its document_ids can change, not title')
    expect(() => requireEditable(over, { title: 'T', document_ids: ['d'] })).not.toThrow()
  })
})

describe('time', () => {
  it('makes an active contract expire, on the day after its end', () => {
    const ending = contract({ status: 'active', end_date: '2026-03-31' })
    expect([statusOn(ending, '2026-03-31'), statusOn(ending, '2026-04-01'), statusOn({ ...ending, status: 'completed' }, '2026-04-01')]).toEqual(['active', 'expired', 'completed'])
    expect(recordOf(contract({ billed_amount: 1200 }), '2026-04-01').unbilled_amount).toBe(0)
  })

  it.each([
    ['2026-12-31', 12, '2027-01-01', '2027-12-31'],
    ['2026-01-30', 1, '2026-01-31', '2026-02-27'],
    ['2026-02-28', 1, '2026-03-01', '2026-03-31'],
    ['2027-02-28', 12, '2027-03-01', '2028-02-29'],
  ])('a term that ends on %s is followed by %i months from %s to %s', (end_date, renewal_months, start_date, next_end) => {
    expect(nextTerm(contract({ end_date, renewal_months }))).toEqual({ start_date, end_date: next_end, months: renewal_months })
  })

  it('has no next term without an end or a length', () => {
    expect(() => nextTerm(contract({ renewal_months: 12 }))).toThrow('has no end_date')
    expect(() => nextTerm(contract({ end_date: '2026-12-31' }))).toThrow('give it renewal_months')
  })
})
