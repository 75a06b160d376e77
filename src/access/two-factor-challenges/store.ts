// The SQL of sign-ins that wait for their second factor.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, integer } from '../../foundation/shapes.ts'
import { MOST_TRIES } from './rules.ts'

export const insertChallenge = command(
  `insert into two_factor_challenges (token_hash, user_id, tries, created_at, expires_at) values (:token_hash, :user_id, 0, :now, :expires_at)`)

const open = `used_at is null and expires_at > :now and tries < ${MOST_TRIES}`

export const findChallenge = statement(
  Type.Object({ user_id: id(), email: Type.String() }),
  `select c.user_id, u.email from two_factor_challenges c join users u on u.id = c.user_id where c.token_hash = :token_hash and ${open}`)

export const lockChallenge = statement(
  Type.Object({ tries: integer() }), `select tries from two_factor_challenges where token_hash = :token_hash and ${open} for update`)

export const countTry = command('update two_factor_challenges set tries = tries + 1 where token_hash = :token_hash')
export const useChallenge = command('update two_factor_challenges set used_at = :now where token_hash = :token_hash')
export const deleteChallenges = command('delete from two_factor_challenges where user_id = :user_id')
