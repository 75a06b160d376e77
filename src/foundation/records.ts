// Looking up records of any kind by type and id, for whatever can point at anything: notes, todos, tags.
import type { BusinessTx } from './database/transaction.ts'
import { notFound } from './refusal.ts'
import { resources } from './resource.ts'

/** Refuses with 404 unless every one exists in this business and the caller may read its kind. */
export async function requireRecords(tx: BusinessTx, resource_type: string, ids: readonly string[]): Promise<void> {
  if (!lookupOf(tx, resource_type)) throw notFound(`Record of type ${resource_type}`)
  const known = await knownRecords(tx, resource_type, ids)
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw notFound(`${capital(resource_type.replaceAll('_', ' '))} ${missing}`)
}

/** Those of the ids that exist in this business, of a kind that the caller may read: for whoever refuses each by itself. */
export async function knownRecords(tx: BusinessTx, resource_type: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const lookup = lookupOf(tx, resource_type)
  if (ids.length === 0 || !lookup) return new Set()
  return new Set((await tx.many(lookup, { ids: [...new Set(ids)] })).map(({ id }) => id))
}

function lookupOf(tx: BusinessTx, resource_type: string) {
  const resource = resources.get(resource_type)
  return resource?.lookup && tx.actor.permissions.has(`${resource.group}:read`) ? resource.lookup : null
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
