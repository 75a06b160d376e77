import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import { Refusal } from '../../foundation/refusal.ts'
import type { BookLedger, Books } from '../books/contract.ts'
import { ENTRY_STATUSES } from '../journal/contract.ts'
import { lineOf } from '../journal-drafts/rules.ts'
import { ROLE_NAMES, type LedgerRole } from '../ledgers/contract.ts'
import * as rules from './rules.ts'

function booksWith(role: LedgerRole | null): { books: Books; id: string } {
  const id = newId()
  const ledger = { id, number: '1', name: 'It', role } as BookLedger
  return { id, books: { ledgers: new Map([[id, ledger]]) } as unknown as Books }
}

const linesOn = (ledger_id: string, more: object = {}) => ({ lines: [{ ...lineOf({ ledger_id, amount: 1 }, 1, 'USD', newId()), ...more }] })

describe('what is entered by hand', () => {
  const elsewhere: Partial<Record<LedgerRole, string>> = {
    inventory: 'inventory adjustments', goods_received_not_invoiced: 'purchase-orders and bills', undeposited_funds: 'invoice payments and bank-deposits',
    sales_tax_payable: 'tax', sales_tax_recoverable: 'tax', accumulated_depreciation: 'fixed-assets',
  }
  it.each([null, ...ROLE_NAMES])('on a ledger with the role %s', (role) => {
    const { books, id } = booksWith(role)
    const group = role && elsewhere[role]
    expect(rules.handProblems(linesOn(id), books)).toEqual(group ? [`1 It of line 1 takes no lines by hand: use ${group}.`] : [])
  })

  it('says whose a receivable or payable is', () => {
    const receivable = booksWith('accounts_receivable')
    expect(rules.partyProblems(linesOn(receivable.id, { vendor_id: newId() }), receivable.books)).toEqual(['Line 1 on 1 It needs a customer_id.'])
    expect(rules.partyProblems(linesOn(receivable.id, { customer_id: newId() }), receivable.books)).toEqual([])
    const payable = booksWith('accounts_payable')
    expect(rules.partyProblems(linesOn(payable.id, { customer_id: newId() }), payable.books)).toEqual(['Line 1 on 1 It needs a vendor_id.'])
    expect(rules.partyProblems(linesOn(payable.id, { vendor_id: newId() }), payable.books)).toEqual([])
    const sales = booksWith('sales')
    expect(rules.partyProblems(linesOn(sales.id, { settles_line_id: newId() }), sales.books)).toEqual([expect.stringMatching(/cannot settle another/)])
  })
})

describe('approval', () => {
  it('is needed from the threshold on', () => {
    fc.assert(fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (total, threshold) => {
      expect(rules.approvalProblems(total, rules.approvalLimit({ approval_required: false, approval_threshold: threshold }), 'USD')).toEqual([])
      expect(
        rules.approvalProblems(total, rules.approvalLimit({ approval_required: true, approval_threshold: threshold }), 'USD'),
      ).toHaveLength(total >= threshold ? 1 : 0)
    }))
  })

  it('is for others than the preparer', () => {
    const [one, other] = [newId(), newId()]
    expect(() => rules.requireApprover({ prepared_by: one }, one)).toThrow(/cannot approve it/)
    expect(() => rules.requireApprover({ prepared_by: one }, other)).not.toThrow()
    expect(() => rules.requireApprover({ prepared_by: null }, null)).not.toThrow()
  })
})

describe('moves', () => {
  const table: Record<string, (boolean | RegExp)[]> = {
    // in the order of draft, pending_approval, posted, reversed
    change: [true, /waits for approval: reject it first/, /Entry 7 is posted: reverse it/, /Entry 7 is reversed: post a new one/],
    delete: [true, /waits for approval/, /is posted: reverse it instead/, /is reversed/],
    post: [true, /somebody else than its preparer/, false, /is reversed/],
    submit: [true, false, /is posted/, /is reversed/],
    approve: [/is a draft: submit it first/, true, false, /is reversed/],
    reject: [false, true, /is posted/, /is reversed/],
  }
  it.each(
    Object.entries(table).flatMap(([action, outcomes]) => outcomes.map((outcome, index) => [action, ENTRY_STATUSES[index], outcome] as const)),
  )('%s of one that is %s', (action, status, outcome) => {
    const move = () => rules.requireMove(action as never, { status: status ?? 'draft', number: 7 })
    if (typeof outcome === 'boolean') expect(move()).toBe(outcome)
    else expect(move).toThrow(outcome)
  })

  it('to another date or away need a posted entry', () => {
    expect(() => rules.requirePosted({ status: 'draft', number: null })).toThrow('This entry is a draft: change or delete it instead.')
    expect(() => rules.requirePosted({ status: 'posted', number: 1 })).not.toThrow()
  })

  it('of a posted entry leave everything but its memo', () => {
    expect(() => rules.requireMemoOnly({ status: 'posted', number: 7 }, { memo: 'x' })).not.toThrow()
    expect(
      () => rules.requireMemoOnly({ status: 'posted', number: 7 }, { memo: 'x', is_adjusting: true }),
    ).toThrow(/only its memo can change, not is_adjusting/)
  })
})

describe('a preview', () => {
  it('has every sentence once, and no fault', () => {
    const say = (detail: string) => () => { throw new Refusal(400, detail) }
    expect(rules.refusalsOf(say('One.'), () => 1, say('Two.'), say('One.'))).toEqual(['One.', 'Two.'])
    expect(() => rules.refusalsOf(() => { throw new TypeError('ours') })).toThrow('ours')
  })

  it('moves the ledgers by what the lines sum to', () => {
    const lines = fc.array(fc.record({ ledger_id: fc.constantFrom('a', 'b', 'c'), base_amount: fc.option(fc.integer(), { nil: null }) }), { maxLength: 20 })
    fc.assert(fc.property(lines, (given) => {
      const changes = rules.changesByLedger(given)
      expect([...changes.values()].reduce((sum, each) => sum + each, 0)).toBe(given.reduce((sum, { base_amount }) => sum + (base_amount ?? 0), 0))
      expect([...changes.keys()]).toEqual([...new Set(given.map(({ ledger_id }) => ledger_id))])
    }))
  })
})
