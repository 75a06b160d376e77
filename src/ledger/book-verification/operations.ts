// Verifying the books of one business, and how a check that SQL can make alone becomes a verification.
import type { Static } from 'typebox'
import type { Statement } from '../../foundation/database/statement.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Verification } from '../../foundation/verification.ts'
import { readBooks } from '../books/operations.ts'
import type { BookVerification } from './contract.ts'
import { tell } from './rules.ts'

/** Everything that can be re-derived, one after another in one state of the books: each alone may read every line there is. */
export async function verifyBooks(tx: BusinessTx, verifications: readonly Verification[]): Promise<Static<typeof BookVerification>> {
  const [{ head }] = await Promise.all([readBooks(tx), tx.waitAsLongAsItTakes()])
  const checks = []
  for (const { claim, run } of verifications) {
    const { checked, problems } = await run(tx)
    checks.push({ claim, ok: problems.length === 0, checked, problems })
  }
  return { ok: checks.every(({ ok }) => ok), checked_at: tx.now, journal_number: head.number, checks }
}

/** `found` returns the first rows that are off, each with the number of all of them as `total`. */
export type Check<Row> = {
  claim: string
  counted: Statement<{ count: number }>
  found: Statement<Row>
  sentence: (row: Row, base_currency: string) => string
}

export function verificationOf<Row extends { total: number }>({ claim, counted, found, sentence }: Check<Row>): Verification {
  return {
    claim,
    async run(tx) {
      const [{ count }, rows] = await Promise.all([tx.get(counted, {}, 'Rows'), tx.many(found)])
      return { checked: count, problems: tell(rows.map((row) => sentence(row, tx.business.base_currency)), rows[0]?.total ?? 0) }
    },
  }
}
