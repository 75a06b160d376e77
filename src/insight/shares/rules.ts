// A public link of a deck or a dashboard as its owner sees it.
import { toTimestamp } from '../../foundation/calendar.ts'
import { isOpen } from '../../workspace/link-access/rules.ts'
import type { Share, ShareRow } from './contract.ts'

const DEFAULT_MS = 30 * 86_400_000

export function expiryOf(expires_at: string | null | undefined, now: string): string {
  return toTimestamp(expires_at ? new Date(expires_at) : new Date(Date.parse(now) + DEFAULT_MS))
}

export function shown({ subject_type, subject_id, password_hash, wrong_tries: _tries, wrong_since: _since, ...share }: ShareRow, now: string): Share {
  return {
    ...share,
    deck_id: subject_type === 'deck' ? subject_id : null,
    dashboard_id: subject_type === 'dashboard' ? subject_id : null,
    has_password: password_hash !== null,
    status: share.revoked_at !== null ? 'revoked' : isOpen(share, now) ? 'active' : 'expired',
  }
}
