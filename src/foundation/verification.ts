// A verification re-derives something from the stored rows of one business and says what does not hold.
import type { BusinessTx } from './database/transaction.ts'

export type Verification = {
  /** What holds when nothing is found, in words. */
  claim: string
  run: (tx: BusinessTx) => Promise<Finding>
}

/** How many rows were looked at, and a sentence for each thing that is off. */
export type Finding = { checked: number; problems: string[] }
