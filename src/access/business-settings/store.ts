// The SQL of settings: they are kept with the business.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { anyObject, id, integer, oneOf, timestamp } from '../../foundation/shapes.ts'
import { BASES } from '../businesses/contract.ts'

const Row = Type.Object({ id: id(), default_basis: oneOf(BASES), settings: anyObject(), updated_at: timestamp(), version: integer(1) })

const select = 'select id, default_basis, settings, updated_at, version from businesses where id = :business_id'

export const findSettings = statement(Row, select)
export const lockSettings = statement(Row, `${select} for update`)

export const updateSettings = command(
  `update businesses set default_basis = :default_basis, settings = :settings, updated_at = :updated_at, version = :version where id = :business_id`)

export const usesTwoFactor = statement(Type.Object({ two_factor_enabled: Type.Boolean() }), 'select two_factor_enabled from users where id = :actor_id')
