// The SQL that finds what a public link of a dashboard opens.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'

export const subjectOf = statement(
  Type.Object({ dashboard_id: id() }),
  `select subject_id as dashboard_id from shares where business_id = :business_id and id = :share_id and subject_type = 'dashboard'`)
