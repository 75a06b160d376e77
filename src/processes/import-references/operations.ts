// Finds what the rows of a file name, for many rows at once.
import { customersByKeys } from '../../directory/customers/operations.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Statement } from '../../foundation/database/statement.ts'
import { invalid } from '../../foundation/refusal.ts'
import { shown } from '../import-cells/rules.ts'
import type { Reference } from '../import-kinds/contract.ts'
import * as store from './store.ts'

type Found = { asked: string; id: string }

const STATEMENTS: Partial<Record<Reference, Statement<Found>>> = {
  payment_term: store.paymentTerms, tax_code: store.taxCodes, ledger: store.ledgers, catalog_item: store.catalogItems, variant: store.variants,
    project: store.projects,
}

const WORDS: Record<Reference, [one: string, many: string, called: string]> = {
  payment_term: ['payment terms', 'payment terms', 'are called'],
  tax_code: ['tax code', 'tax codes', 'has the code'],
  ledger: ['ledger', 'ledgers', 'has the number or name'],
  customer_name: ['customer', 'customers', 'is called'],
  customer_external_id: ['customer', 'customers', 'has the external id'],
  catalog_item: ['service', 'services', 'has the code'],
  variant: ['product', 'products', 'has the sku'],
  project: ['project', 'projects', 'has the code'],
}

/** `find` gives the id behind a text, and refuses one that leads to nothing or to several. */
export type References = { find(reference: Reference, text: string): string }

export async function openReferences(tx: BusinessTx, wanted: ReadonlyMap<Reference, ReadonlySet<string>>): Promise<References> {
  const found = new Map<Reference, Map<string, string[]>>()
  const lower = (texts: ReadonlySet<string> | undefined) => [...new Set([...(texts ?? [])].map((text) => text.toLowerCase()))]
  for (const [reference, texts] of wanted) {
    const statement = STATEMENTS[reference]
    if (statement && texts.size > 0) found.set(reference, grouped(await tx.many(statement, { keys: lower(texts) })))
  }
  const [names, external_ids] = [wanted.get('customer_name') ?? new Set<string>(), wanted.get('customer_external_id') ?? new Set<string>()]
  const customers = await customersByKeys(tx, { names: [...names], external_ids: [...external_ids] })
  // A name that an archived customer has too means the one in use.
  found.set('customer_name', new Map([...customers.names].map(([asked, rows]) => {
    const active = rows.filter(({ status }) => status === 'active')
    return [asked.toLowerCase(), (active.length > 0 ? active : rows).map(({ id }) => id)]
  })))
  found.set('customer_external_id', new Map([...customers.external_ids].map(([asked, row]) => [asked, [row.id]])))
  return {
    find(reference, text) {
      const [one, many, called] = WORDS[reference]
      const ids = found.get(reference)?.get(reference === 'customer_external_id' ? text : text.toLowerCase()) ?? []
      if (ids[0] === undefined) throw invalid(`No ${one} ${called} '${shown(text)}'.`)
      if (ids.length > 1) throw invalid(`${ids.length} ${many} go by '${shown(text)}': name it in another way.`)
      return ids[0]
    },
  }
}

function grouped(rows: readonly Found[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { asked, id } of rows) ids.set(asked, [...(ids.get(asked) ?? []), id])
  return ids
}

async function known(tx: BusinessTx, statement: Statement<Found>, keys: readonly string[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  return new Map((await tx.many(statement, { keys: [...new Set(keys)] })).map(({ asked, id }) => [asked, id]))
}

/** Records that are there already, by the key in lower case where case does not matter. */
export const itemsByCode = (tx: BusinessTx, keys: readonly string[]) => known(tx, store.itemsByCode, keys)
export const projectsByCode = (tx: BusinessTx, keys: readonly string[]) => known(tx, store.projectsByCode, keys)
export const productsBySku = (tx: BusinessTx, keys: readonly string[]) => known(tx, store.productsBySku, keys)
export const productsByExternalId = (tx: BusinessTx, keys: readonly string[]) => known(tx, store.productsByExternalId, keys)
