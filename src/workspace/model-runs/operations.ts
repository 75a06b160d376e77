// Whether a model may be asked for a business, and how often it was: whoever asks one counts here.
import { getSettings } from '../../access/business-settings/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import * as store from './store.ts'

/** How often it may still be asked this month; 0 where nothing may leave the service, or there is no model. */
export async function modelRunsLeft(tx: BusinessTx): Promise<number> {
  const { ai } = await getSettings(tx)
  if (!tx.surroundings.model || !ai.enabled || ai.provider !== 'model') return 0
  const used = await tx.find(store.runsOfMonth, { month: monthOf(tx.now) })
  return Math.max(0, ai.monthly_runs - (used?.runs ?? 0))
}

export function countModelRuns(tx: BusinessTx, runs: number): void {
  if (runs > 0) tx.queue(store.addRuns, { month: monthOf(tx.now), runs })
}

const monthOf = (now: string): string => `${now.slice(0, 7)}-01`
