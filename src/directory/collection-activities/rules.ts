// What belongs to which kind of activity.
import { unprocessable } from '../../foundation/refusal.ts'
import type { CollectionActivityInput } from './contract.ts'

export function requirePromise({ kind, promised_on }: CollectionActivityInput): void {
  const loc = ['body', 'promised_on']
  if (kind === 'promise' && !promised_on) throw unprocessable([{ loc, msg: 'A promise needs its day.', type: 'missing' }])
  if (kind !== 'promise' && promised_on) throw unprocessable([{ loc, msg: `Only a promise has a day; this is of the kind ${kind}.`, type: 'value_error' }])
}
