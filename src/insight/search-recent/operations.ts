// What can be done with the records that somebody opened last: it is theirs alone.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import { KINDS, type SearchDocument, type SearchType } from '../search-index/contract.ts'
import { readableTypes, readDocuments } from '../search-index/operations.ts'
import * as store from './store.ts'

export async function listRecent(tx: BusinessTx) {
  const opened = await tx.many(store.recent)
  const documents = await Promise.all(readableTypes(tx).map(async (type) => {
    const ids = opened.filter((each) => each.type === type).map(({ id }) => id)
    return (await readDocuments(tx, type, ids)).map((document): [string, SearchDocument] => [`${type} ${document.id}`, document])
  }))
  const known = new Map(documents.flat())
  return opened.flatMap(({ type, id, opened_at }) => {
    const document = known.get(`${type} ${id}`)
    return document ? [shown(type, document, opened_at)] : []
  })
}

export async function rememberRecent(tx: BusinessTx, { type, id }: { type: SearchType; id: string }) {
  const [document] = readableTypes(tx).includes(type) ? await readDocuments(tx, type, [id]) : []
  if (!document) throw notFound(`Record in ${KINDS[type].label.toLowerCase()}`)
  await tx.run(store.remember, { type, id })
  tx.queue(store.dropOlder)
  return shown(type, document, tx.now)
}

export async function forgetRecent(tx: BusinessTx) {
  return { forgotten: await tx.run(store.forget) }
}

function shown(type: SearchType, { id, title, number, amount, currency, date, status, path }: SearchDocument, opened_at: string) {
  return { type, id, title, number, amount, currency, date, status, path, opened_at }
}
