// What the caller opened last.
import { endpointsOf } from '../../foundation/endpoint.ts'
import { cents, date, id, integer, list, nullable, oneOf, shape, text, timestamp } from '../../foundation/shapes.ts'
import { SEARCH_TYPES } from '../search-index/contract.ts'

export const RecentRecord = shape('RecentRecord', {
  type: oneOf(SEARCH_TYPES),
  id: id(),
  title: text(0, 1000),
  number: nullable(text(0, 200)),
  amount: nullable(cents()),
  currency: nullable(text(3, 3)),
  date: nullable(date()),
  status: nullable(text(1, 50)),
  path: text(1, 200),
  opened_at: timestamp(),
})

const endpoint = endpointsOf('search', 'business')

export const listRecent = endpoint({
  id: 'list_recent_records', method: 'GET', path: '/recent', summary: 'List what the caller opened last',
  description: 'At most twenty, the latest first. What is gone or may no longer be read is left out.',
  reply: list(RecentRecord),
})

export const rememberRecent = endpoint({
  id: 'remember_recent_record', method: 'POST', path: '/recent', summary: 'Remember that the caller opened a record',
  body: shape('RecentInput', { type: oneOf(SEARCH_TYPES), id: id() }),
  reply: RecentRecord,
})

export const forgetRecent = endpoint({
  id: 'forget_recent_records', method: 'DELETE', path: '/recent', summary: 'Forget what the caller opened',
  reply: shape('RecentForgotten', { forgotten: integer(0) }),
})
