// The SQL of public pages.
import { Type } from 'typebox'
import { statement } from '../../foundation/database/statement.ts'

export const senderName = statement(Type.Object({ name: Type.String() }), 'select name from businesses where id = :business_id')
