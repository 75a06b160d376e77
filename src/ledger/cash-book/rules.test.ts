// Tests of what is left of a row: claims and releases in any order never take more than there is.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import type { CashRow, TransactionRow } from './contract.ts'
import { nameOfRow, ownersOf, reclaimed, requireClaimable, shown, statusOf, withClaims } from './rules.ts'

const NOW = '2026-03-10T12:00:00.000Z'

function rowOf(given: Partial<TransactionRow> = {}): CashRow {
  const row: TransactionRow = {
    id: newId(), business_id: newId(), ledger_id: newId(), amount: 1000, currency: 'USD', datetime: '2026-03-10', kind: 'bank', source: 'manual',
    status: 'unreviewed', counterparty: null, counterparty_raw: null, description: null, reference: null, external_id: null, customer_id: null,
    vendor_id: null, note: null, exclude_reason: null, bank_transaction_id: null, claimed: 0, categorized: 0, created_at: NOW, updated_at: NOW, version: 1, ...given,
  }
  return withClaims({ ...row, status: statusOf(row) }, [])
}

const claimOf = (row: CashRow, amount: number) => ({ id: newId(), transaction_id: row.id, document_type: 'invoice', document_id: newId(), amount })
const refusal = (work: () => void): string => {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

describe('a status', () => {
  it.each([
    [{ claimed: 0 }, 'unreviewed'], [{ claimed: 1 }, 'partially_allocated'], [{ claimed: 1000 }, 'matched'], [{ amount: -1000, claimed: 1000 }, 'matched'],
    [{ claimed: 1000, categorized: 1000 }, 'categorized'], [{ claimed: 1000, categorized: 1 }, 'matched'], [{ claimed: 1, categorized: 1 }, 'partially_allocated'],
    [{ exclude_reason: 'personal' as const }, 'excluded'], [{ kind: 'book' as const }, 'matched'], [{ kind: 'book' as const, claimed: 1 }, 'matched'],
  ])('follows from the row: %j', (given, status) => expect(rowOf(given).status).toBe(status))
})

describe('a claim', () => {
  it.each([
    [{}, 0, 'A claim on a transaction needs an amount above 0.'],
    [{}, -5, 'A claim on a transaction needs an amount above 0.'],
    [{}, 1.5, 'A claim on a transaction needs an amount above 0.'],
    [{}, 1001, 'The transaction of 2026-03-10 over 10.00 USD has 10.00 USD left, less than 10.01.'],
    [{ claimed: 400, amount: -1000 }, 601, 'The transaction of 2026-03-10 over -10.00 USD has 6.00 USD left, less than 6.01.'],
    [{ exclude_reason: 'other' as const }, 1, 'The transaction of 2026-03-10 over 10.00 USD is excluded: restore it first.'],
    [{ claimed: 400 }, 600, 'none'],
  ])('on %j of %i: %s', (given, amount, said) => expect(refusal(() => requireClaimable(rowOf(given), amount))).toBe(said))
})

/** Amounts that are claimed, or the place of a claim that is released. */
const steps = fc.array(fc.oneof(fc.record({ claim: fc.integer({ min: 1, max: 400 }) }), fc.record({ release: fc.nat(10) })), { maxLength: 30 })
const amounts = fc.integer({ min: -1000, max: 1000 }).filter((amount) => amount !== 0)

describe('whatever is claimed and released', () => {
  it('of a bank row: claimed is the sum of the claims, and with what is left the whole amount', () => {
    fc.assert(fc.property(amounts, steps, (amount, done) => {
      let row = rowOf({ amount })
      for (const step of done) {
        if ('claim' in step) {
          if (refusal(() => requireClaimable(row, step.claim)) !== 'none') {
            expect(step.claim).toBeGreaterThan(row.remaining)
            continue
          }
          row = reclaimed(row, [...row.claims, claimOf(row, step.claim)], NOW)
        } else row = reclaimed(row, row.claims.filter((_, index) => index !== step.release), NOW)
        expect(row.claimed).toBe(row.claims.reduce((sum, one) => sum + one.amount, 0))
        expect(row.claimed + row.remaining).toBe(Math.abs(amount))
        expect([row.amount, row.remaining >= 0]).toEqual([amount, true])
        expect(row.status).toBe(row.claimed === 0 ? 'unreviewed' : row.remaining === 0 ? 'matched' : 'partially_allocated')
      }
    }))
  })

  it('of a book row: the amount keeps its sign and is what is claimed and what is left', () => {
    fc.assert(fc.property(amounts, fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }), (amount, changes) => {
      const whole = rowOf({ amount, kind: 'book', source: 'document' })
      let row = withClaims({ ...whole, claimed: Math.abs(amount) }, [claimOf(whole, Math.abs(amount))])
      for (const change of changes) {
        row = reclaimed(row, [claimOf(row, change)], NOW)
        expect([row.amount, row.claimed, row.remaining, row.status]).toEqual([Math.sign(amount) * change, change, 0, 'matched'])
      }
    }))
  })
})

it('is told with its matches, and says whose it is', () => {
  const row = rowOf()
  const claims = [claimOf(row, 100), { ...claimOf(row, 200), document_type: 'credit_memo' }]
  const after = reclaimed(row, claims, NOW)
  expect(shown(after)).toMatchObject({
    allocated_amount: 300, unallocated_amount: 700, status: 'partially_allocated', version: 2,
    matches: [{ type: 'invoice', id: claims[0]?.document_id, amount: 100 }, { type: 'credit_memo', id: claims[1]?.document_id, amount: 200 }],
  })
  expect(Object.keys(shown(after))).not.toContain('claims')
  expect(ownersOf(after)).toBe(`invoice ${claims[0]?.document_id}, credit memo ${claims[1]?.document_id}`)
  expect(ownersOf({ claims: Array.from({ length: 5 }, () => claimOf(row, 1)) })).toMatch(/ and 2 more$/)
  expect([ownersOf(row), nameOfRow(row)]).toEqual([null, 'The transaction of 2026-03-10 over 10.00 USD'])
})
