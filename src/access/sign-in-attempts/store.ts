// The SQL of failed sign-ins.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { nullable, timestamp } from '../../foundation/shapes.ts'
import { MOST_PER_ACCOUNT, MOST_PER_ADDRESS } from './rules.ts'

export const insertFailure = command('insert into sign_in_attempts (id, account_hash, ip, at) values (:id, :account_hash, :ip, :now)')

/** The failure that filled each window: the tenth last of the account and the fiftieth last of the address. */
export const fullWindows = statement(
  Type.Object({ account_filled_by: nullable(timestamp()), address_filled_by: nullable(timestamp()) }),
  `select
     (select at from sign_in_attempts where account_hash = :account_hash order by at desc offset ${MOST_PER_ACCOUNT - 1} limit 1) as account_filled_by,
     (select at from sign_in_attempts where ip = :ip order by at desc offset ${MOST_PER_ADDRESS - 1} limit 1) as address_filled_by`)
