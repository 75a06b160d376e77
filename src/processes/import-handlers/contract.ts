// What the kinds have in common on the way from rows of a file to records of their groups.
import type { TSchema } from 'typebox'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { Currency } from '../../foundation/money.ts'
import type { Import } from '../imports/contract.ts'

/** What the rows of one record say, in the shape that its group takes. */
export type Draft = { unit: number; rows: readonly number[]; input: Record<string, unknown> }

export type Outcome = {
  status: 'created' | 'updated' | 'skipped' | 'error'
  record_id: string | null
  /** Why it was refused. */
  detail: string | null
}

/** What a record is worth, where it is a document. */
export type Worth = { currency: Currency; amount: number }

/** How the records of one kind come in: always through their own group. */
export type Handler = {
  /** What the group's own create takes. */
  schema: TSchema
  /** So many records at a time. */
  batch: number
  /** Puts in what follows from the options and the business; gives what the schema is held against. */
  complete(draft: Draft, about: About): Record<string, unknown>
  /** Which of these are there already: the record of each, in their order. */
  known(tx: BusinessTx, inputs: readonly Record<string, unknown>[]): Promise<(string | null)[]>
  /** Creates or updates each by itself; what is refused says why. `known` is in the same order. */
  save(tx: BusinessTx, inputs: readonly Record<string, unknown>[], known: readonly (string | null)[]): Promise<Outcome[]>
  /** Takes a record away that nothing has used. */
  remove(tx: BusinessTx, record_id: string): Promise<unknown>
  /** What these documents are worth, by currency. */
  worth?(tx: BusinessTx, record_ids: readonly string[]): Promise<Worth[]>
}

export type About = { import_id: string; options: Import['options']; base_currency: Currency }

export const ok = (status: 'created' | 'updated' | 'skipped', record_id: string | null): Outcome => ({ status, record_id, detail: null })
export const refused = (detail: string): Outcome => ({ status: 'error', record_id: null, detail })
