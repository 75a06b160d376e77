// Sessions: where a person is signed in.
import { endpoint, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { boolean, id, integer, nullable, shape, text, timestamp } from '../../foundation/shapes.ts'

const stored = {
  id: id(),
  created_at: timestamp(),
  last_seen_at: timestamp({ description: 'To the minute.' }),
  expires_at: timestamp({ description: 'The latest end; 14 days without use end it earlier.' }),
  ip: nullable(text(0, 100)),
  user_agent: nullable(text(0, 500)),
}

export const StoredSession = shape('StoredSession', stored)
export const Session = shape('Session', { ...stored, current: boolean({ description: 'The session of this very request.' }) })

export const EndedSessions = shape('EndedSessions', { ended: integer(0, 2147483647, { description: 'How many sessions were ended.' }) })

const own = { group: 'user', scope: 'user' } as const

export const listSessions = endpoint({
  ...own, id: 'list_sessions', method: 'GET', path: '/user/sessions', summary: 'List own live sessions', permission: 'user:read',
  query: listQuery(['created_at']),
  reply: pageOf(Session),
})

export const endOtherSessions = endpoint({
  ...own, id: 'end_other_sessions', method: 'DELETE', path: '/user/sessions', summary: 'End all other sessions', permission: null, session: true,
  reply: EndedSessions,
})

export const endSession = endpoint({
  ...own, id: 'end_session', method: 'DELETE', path: '/user/sessions/{session_id}', summary: 'End one session', permission: null, session: true,
  params: shape('SessionParams', { session_id: id() }),
  reply: EndedSessions,
})

export const signOut = endpoint({
  ...own, id: 'sign_out', method: 'POST', path: '/user/sign-out', summary: 'End this session', permission: null, session: true,
  reply: EndedSessions,
})
