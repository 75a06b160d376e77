// A business that sells, for tests of receivables: shorthands over HTTP, and its ledgers by role.
import type { Answer, Client } from './client.ts'
import { newCustomer } from './customers.ts'
import { newBusiness, sql, type Team } from './people.ts'

export type Seller = Team & {
  customer_id: string
  /** Creates an invoice of one line by hand unless lines are given; answers its data. */
  invoice(body?: object): Promise<any>
  open(body?: object): Promise<any>
  /** The balances of ledgers, named by their role or their name; debit positive, base currency. */
  balances(...names: string[]): Promise<number[]>
  ledger(name: string): Promise<string>
  deposit(amount: number, more?: object): Promise<any>
}

export async function newSeller(): Promise<Seller> {
  const team = await newBusiness()
  const { client, business_id } = team
  const customer_id = await newCustomer(client, { name: 'Acme Widgets', email: 'acme@example.com' })
  const ledger = async (name: string): Promise<string> => {
    const [row] = await sql('select id from ledgers where business_id = $1 and (role = $2 or name = $2)', [business_id, name])
    if (!row) throw new Error(`There is no ledger ${name}.`)
    return row.id
  }
  const invoice = (body: object = {}) => made(client, { customer_id, line_items: [{ description: 'Work', unit_price: 10_000 }], ...body })
  return {
    ...team, customer_id, ledger, invoice,
    open: (body = {}) => invoice({ finalize: true, ...body }),
    async balances(...names) {
      const rows = await sql(
        `select coalesce(g.role, g.name) as name, g.name as own_name, sum(m.debit - m.credit)::bigint as balance from ledgers g
         left join ledger_months m on m.business_id = g.business_id and m.ledger_id = g.id where g.business_id = $1 group by g.id, g.role, g.name`, [business_id])
      return names.map((name) => Number(rows.find((row) => row.name === name || row.own_name === name)?.balance ?? 0))
    },
    async deposit(amount, more = {}) {
      return ok(await client.post('/transactions', { ledger_id: await ledger('Checking'), amount, datetime: '2026-03-12', ...more }))
    },
  }
}

async function made(client: Client, body: object): Promise<any> {
  return ok(await client.post('/invoices', body))
}

/** The data of an answer that must be a success. */
export function ok({ status, data, detail }: Answer): any {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(detail)}`)
  return data
}
