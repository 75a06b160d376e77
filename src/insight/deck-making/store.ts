// What decks need to know of the business and its journal.
import { Type } from 'typebox'
import { BASES } from '../../access/businesses/contract.ts'
import { statement } from '../../foundation/database/statement.ts'
import { date, integer, oneOf } from '../../foundation/shapes.ts'

/** How it keeps its books, and since when: no trend goes further back. */
export const setUp = statement(
  Type.Object({ default_basis: oneOf(BASES), books_start_date: date() }), 'select default_basis, books_start_date from businesses where id = :business_id')

/** The last entry that was known at a moment; none where the journal was empty. */
export const lastNumberAt = statement(
  Type.Object({ number: integer() }),
  `select number from journal_entries where business_id = :business_id and recorded_at <= :known_at order by recorded_at desc, number desc limit 1`)
