// The books re-derived: every claim with what does not hold.
import { Type } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, integer, list, shape, timestamp } from '../../foundation/shapes.ts'
import { MOST_TOLD } from './rules.ts'

export const BookVerification = shape('BookVerification', {
  ok: boolean({ description: 'Every check holds.' }),
  checked_at: timestamp(),
  journal_number: integer(0, undefined, { description: 'The last entry of the journal that was looked at.' }),
  checks: list(shape('BookCheck', {
    claim: Type.String({ description: 'What holds when nothing is found.' }),
    ok: boolean(),
    checked: integer(0, undefined, { description: 'How many rows were looked at.' }),
    problems: list(Type.String(), { description: `A sentence for each thing that is off, at most ${MOST_TOLD}.` }),
  })),
})

const endpoint = endpointsOf('books', 'business')

export const verifyBooks = endpoint({
  id: 'verify_books',
  method: 'GET',
  path: '/verification',
  summary: 'Recompute the books and see what is off',
  description: 'Re-derives everything from the stored rows: that entries balance, that the chain of hashes is unbroken, that balances equal the sums of their '
    + 'lines, that open items equal their ledgers, and what else the service claims. Reads every line, so it takes its time in large books.',
  reply: BookVerification,
})
