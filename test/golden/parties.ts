// Customers, vendors and projects for golden cases. While no room has vendors, a tag stands for each for the length of a case.
import { resource, resources } from '../../src/foundation/resource.ts'
import { Tag } from '../../src/workspace/tags/contract.ts'
import type { Answer, Client } from '../support/client.ts'

export const PARTIES = ['customer', 'vendor', 'project'] as const
export type Party = (typeof PARTIES)[number]

const missing = PARTIES.filter((type) => !resources.has(type))
const standIns = missing.map((type) => resource({ type, group: 'tags', shape: Tag, table: 'tags', label: 'name', events: [] }))
// Elsewhere there are still no such kinds.
for (const { type } of standIns) resources.delete(type)

export async function withParties<T>(work: () => Promise<T>): Promise<T> {
  for (const standIn of standIns) resources.set(standIn.type, standIn)
  try {
    return await work()
  } finally {
    for (const { type } of standIns) resources.delete(type)
  }
}

export function createParty(client: Client, party: Party, name: string): Promise<Answer> {
  if (missing.includes(party)) return client.post('/tags', { name })
  return client.post(`/${party}s`, { name, ...(party === 'project' && { code: name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '-').slice(0, 12) }) })
}
