// Customers for tests, while no room has any: for the length of a piece of work a tag stands for one.
import { resource, resources } from '../../src/foundation/resource.ts'
import { Tag } from '../../src/workspace/tags/contract.ts'
import type { Client } from './client.ts'

const known = resources.get('customer')
const standIn = known ?? resource({ type: 'customer', group: 'tags', shape: Tag, table: 'tags', label: 'name', events: [] })
// Elsewhere there is still no such kind.
if (!known) resources.delete('customer')

export async function withCustomers<T>(work: () => Promise<T>): Promise<T> {
  if (resources.has('customer')) return work()
  resources.set('customer', standIn)
  try {
    return await work()
  } finally {
    resources.delete('customer')
  }
}

let made = 0

export async function newCustomer(client: Client): Promise<string> {
  const { data, detail } = await client.post('/tags', { name: `Customer ${++made}` })
  if (!data) throw new Error(`No customer: ${JSON.stringify(detail)}`)
  return data.id
}
