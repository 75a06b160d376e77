// The SQL behind what a report is asked for.
import { statement } from '../../foundation/database/statement.ts'
import { oneOf } from '../../foundation/shapes.ts'
import { Type } from 'typebox'
import { BASES } from '../../access/businesses/contract.ts'

export const defaultBasis = statement(Type.Object({ default_basis: oneOf(BASES) }), 'select default_basis from businesses where id = :business_id')
