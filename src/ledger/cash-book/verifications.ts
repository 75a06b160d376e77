// What must hold of the cash book: rows say what their claims add up to, and stand on cash ledgers in the ledgers' currency.
import { Type } from 'typebox'
import { Count } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import type { Verification } from '../../foundation/verification.ts'
import { verificationOf } from '../book-verification/operations.ts'
import { MOST_TOLD, units } from '../book-verification/rules.ts'

const rows = statement(Count, 'select count(*) as count from transactions where business_id = :business_id')
const claims = statement(Count, 'select count(*) as count from transaction_claims where business_id = :business_id')

const miscounted = statement(
  Type.Object({ id: Type.String(), currency: Type.String(), amount: Type.String(), claimed: Type.String(), counted: Type.String(), total: Type.Integer() }),
  `select t.id::text as id, t.currency, t.amount::text as amount, t.claimed::text as claimed, coalesce(c.amount, 0)::text as counted, count(*) over () as total
   from transactions t
   left join (select transaction_id, sum(amount) as amount from transaction_claims where business_id = :business_id group by transaction_id) c
     on c.transaction_id = t.id
   where t.business_id = :business_id and (t.claimed <> coalesce(c.amount, 0) or coalesce(c.amount, 0) > abs(t.amount))
   order by t.id limit ${MOST_TOLD}`)

const strays = statement(
  Type.Object({ id: Type.String(), transaction_id: Type.String(), total: Type.Integer() }),
  `select c.id::text as id, c.transaction_id::text as transaction_id, count(*) over () as total from transaction_claims c
   left join transactions t on t.business_id = c.business_id and t.id = c.transaction_id
   where c.business_id = :business_id and (t.id is null or t.exclude_reason is not null) order by c.id limit ${MOST_TOLD}`)

export const cashBookVerifications: Verification[] = [
  verificationOf({
    claim: 'Documents have claimed of every transaction what it says, and no more than its amount',
    counted: rows,
    found: miscounted,
    sentence: ({ id, currency, amount, claimed, counted }) =>
      `transaction ${id} over ${units(amount)} ${currency} says that ${units(claimed)} is claimed; its claims add up to ${units(counted)}`,
  }),
  verificationOf({
    claim: 'Every claim is on a transaction that is not excluded',
    counted: claims,
    found: strays,
    sentence: ({ id, transaction_id }) => `claim ${id} is on transaction ${transaction_id}, which is excluded or gone`,
  }),
]
