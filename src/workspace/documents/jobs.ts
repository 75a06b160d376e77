// Cleaning up without a caller: bytes that no document names, left by a call that was refused or broke off, or by an emptied bin.
import { Type } from 'typebox'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem, plainRequest, transact, type Database } from '../../foundation/database/transact.ts'
import { job } from '../../foundation/jobs/job.ts'
import { lockFiles, markUnused } from './operations.ts'
import { businessesWithOldBins } from './store.ts'

/** A call that is under way may have stored bytes that it has not named yet. */
const GRACE_MS = 86_400_000
const MOST_AT_ONCE = 500

export const cleanStorage = job({
  name: 'documents.clean_storage',
  payload: Type.Object({}),
  cron: '20 3 * * *',
  async run({ database, log, job_id }) {
    const { storage } = database.surroundings
    const before = database.clock.now().getTime() - GRACE_MS
    let removed = 0
    const clean = async (business_id: string, hashes: string[]) => {
      for (const sha256 of await unusedOf(database, business_id, hashes, `job-${job_id}`)) {
        await storage.remove({ business_id, sha256 })
        removed += 1
      }
    }
    const waiting = new Map<string, string[]>()
    for await (const { business_id, sha256, written_at } of storage.list()) {
      if (written_at.getTime() > before) continue
      const hashes = waiting.get(business_id) ?? []
      hashes.push(sha256)
      waiting.set(business_id, hashes)
      if (hashes.length < MOST_AT_ONCE) continue
      waiting.delete(business_id)
      await clean(business_id, hashes)
    }
    for (const [business_id, hashes] of waiting) await clean(business_id, hashes)
    if (removed > 0) log.info({ removed }, 'files that no document names were removed')
  },
})

/** All of them where the business is gone. That they go is committed before the first one does. */
async function unusedOf(database: Database, business_id: string, hashes: string[], request_id: string): Promise<string[]> {
  const business = await findBusiness(database, business_id)
  if (!business) return hashes
  return asSystem(database, business, request_id, async (tx) => {
    await lockFiles(tx)
    return markUnused(tx, hashes)
  })
}

/** The businesses whose bin holds something since before then. */
export async function businessesToClean(database: Database, before: string) {
  const found = await transact(database, { business_id: null, read_only: true, request: plainRequest }, ({ tx }) => tx.many(businessesWithOldBins, { before }))
  return found.map(({ business_id }) => business_id)
}
