// What must hold of the chart of accounts.
import type { Verification } from '../../foundation/verification.ts'
import { readChart } from './operations.ts'
import { chartProblems } from './rules.ts'

export const ledgerVerifications: Verification[] = [
  {
    claim: 'Every ledger has a parent of its own type at most 5 deep, and each role one ledger of its type',
    async run(tx) {
      const { ledgers } = await readChart(tx)
      return { checked: ledgers.size, problems: chartProblems(ledgers) }
    },
  },
]
