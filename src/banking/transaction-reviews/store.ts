// The SQL that finds what waits to be reviewed.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'

/** Whether of the rest of a row or of a whole one. */
export const waitingThrough = statement(
  Type.Object({ id: id() }),
  `select id from transactions where business_id = :business_id and status = any(:statuses) and kind = 'bank'
     and (:ledger_ids::uuid[] is null or ledger_id = any(:ledger_ids::uuid[]))
     and (:start_date::date is null or datetime >= :start_date::date) and (:end_date::date is null or datetime <= :end_date::date)
   order by datetime, id limit :limit`)
