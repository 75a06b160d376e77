// Looking up records of any kind by type and id, for whatever can point at anything: notes, todos, tags.
import type { BusinessTx } from './database/transaction.ts'
import { notFound } from './refusal.ts'
import { resources } from './resource.ts'

/** Refuses with 404 unless every one exists in this business and the caller may read its kind. */
export async function requireRecords(tx: BusinessTx, resource_type: string, ids: readonly string[]): Promise<void> {
  const resource = resources.get(resource_type)
  const readable = resource?.lookup && tx.actor.permissions.has(`${resource.group}:read`)
  if (!readable || !resource.lookup) throw notFound(`Record of type ${resource_type}`)
  const found = await tx.many(resource.lookup, { ids: [...new Set(ids)] })
  const known = new Set(found.map((row) => row.id))
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw notFound(`${capital(resource_type.replaceAll('_', ' '))} ${missing}`)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
