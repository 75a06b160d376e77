// The SQL that walks through bank rows which wait for a category.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'

export const waitingAfter = statement(
  Type.Object({ id: id() }),
  `select id from transactions where business_id = :business_id and kind = 'bank' and exclude_reason is null and claimed < abs(amount) and id > :after
   order by id limit :limit`)
