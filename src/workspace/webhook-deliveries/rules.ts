// What a call to send again asks for.
import { unprocessable } from '../../foundation/refusal.ts'
import type { WebhookReplayInput } from './contract.ts'

export type Replay =
  | { kind: 'ids'; ids: string[] }
  | { kind: 'between'; from: string; to: string; statuses: ('failed' | 'dead')[] }
  | { kind: 'missed'; from_sequence: number }
  | { kind: 'test' }

const BOTH: ('failed' | 'dead')[] = ['failed', 'dead']

/** Exactly one way, with nothing that belongs to another. */
export function replayOf({ delivery_ids, from, to, status, from_sequence, test }: WebhookReplayInput, now: string): Replay {
  const ways: Replay[] = [
    ...(delivery_ids ? [{ kind: 'ids' as const, ids: [...new Set(delivery_ids)] }] : []),
    ...(from !== undefined || to !== undefined || status ? [{ kind: 'between' as const, from: from ?? '', to: to ?? now, statuses: status ?? BOTH }] : []),
    ...(from_sequence === undefined ? [] : [{ kind: 'missed' as const, from_sequence }]),
    ...(test === true ? [{ kind: 'test' as const }] : []),
  ]
  const [way] = ways
  if (!way || ways.length > 1) throw wrong(['body'], 'Must have one of: delivery_ids; from with to and status; from_sequence; test.')
  if (way.kind === 'between' && from === undefined) throw wrong(['body', 'from'], 'Field required with to and status.', 'missing')
  return way
}

function wrong(loc: string[], msg: string, type: 'value_error' | 'missing' = 'value_error') {
  return unprocessable([{ loc, msg, type }])
}
