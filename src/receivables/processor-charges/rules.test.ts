// Tests of what a charge is after all that has happened to it.
import { describe, expect, it } from 'vitest'
import type { ChargeRow, RefundRow } from './contract.ts'
import { knownRefund, refundedOf, requireRefundable, settledPart, statusOf } from './rules.ts'

describe('the status of a charge', () => {
  it.each([
    ['pending', 0, false, 'pending'], ['failed', 0, false, 'failed'], ['succeeded', 0, false, 'succeeded'], ['succeeded', 1, false, 'partially_refunded'], ['succeeded', 100, false, 'refunded'],
    ['succeeded', 1, true, 'disputed'],
  ] as const)('%s with %i refunded, disputed %s: %s', (status, refunded, disputed, expected) => {
    expect(statusOf({ status, amount: 100, refunded, disputed })).toBe(expected)
  })
})

describe('refunds', () => {
  const charge = { amount: 10_000, refunded: 4_000, currency: 'USD', status: 'partially_refunded' } as ChargeRow
  const refund = (more: Partial<RefundRow>) => ({ id: 'ours', processor_refund_id: null, amount: 1, status: 'pending', ...more }) as RefundRow

  it('take all that is left, or what is asked for', () => {
    expect([requireRefundable(charge, undefined), requireRefundable(charge, 1)]).toEqual([6_000, 1])
    expect(() => requireRefundable(charge, 6_001)).toThrow('60.00 USD are left')
    expect(() => requireRefundable({ ...charge, refunded: 10_000, status: 'refunded' }, undefined)).toThrow('in full')
    expect(() => requireRefundable({ ...charge, status: 'disputed' }, 1)).toThrow('disputed')
    expect(() => requireRefundable({ ...charge, status: 'failed' }, 1)).toThrow('no money was taken')
  })

  it('that failed do not count', () => {
    expect(refundedOf([refund({ amount: 5 }), refund({ amount: 7, status: 'failed' }), refund({ amount: 11, status: 'succeeded' })], 100)).toBe(16)
    expect(refundedOf([refund({ amount: 70 }), refund({ amount: 60 })], 100)).toBe(100)
  })

  it('are known by the name of the processor, or by ours while it has none', () => {
    const rows = [refund({ id: 'a', processor_refund_id: 're_1' }), refund({ id: 'b' })]
    expect(knownRefund(rows, { id: 're_1', reference: null })?.id).toBe('a')
    expect(knownRefund(rows, { id: 're_2', reference: 'b' })?.id).toBe('b')
    expect(knownRefund(rows, { id: 're_3', reference: 'a' })).toBeNull()
  })
})

describe('what a refund takes of the money at the processor', () => {
  const refund = (amount: number, settled_amount: number, status: RefundRow['status'] = 'succeeded') => ({ amount, settled_amount, status })
  it.each([
    ['a part', 110, [], 40, 44], ['the last takes what is left', 110, [refund(33, 37)], 67, 73], ['failed ones do not count', 110, [refund(60, 66, 'failed')], 100, 110],
    ['no more than is left', 110, [refund(90, 109)], 5, 1], ['unknown while the charge is', null, [], 40, null],
  ] as const)('%s', (_, settled_amount, refunds, amount, expected) => expect(settledPart({ amount: 100, settled_amount }, refunds, amount)).toBe(expected))
})
