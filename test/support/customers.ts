// Customers for tests.
import type { Client } from './client.ts'

let made = 0

export async function newCustomer(client: Client, more: object = {}): Promise<string> {
  const { data, detail } = await client.post('/customers', { name: `Customer ${++made}`, ...more })
  if (!data) throw new Error(`No customer: ${JSON.stringify(detail)}`)
  return data.id
}
