import { expect, it } from 'vitest'
import { newId } from '../../foundation/ids.ts'
import { replayOf } from './rules.ts'

const NOW = '2026-03-01T00:00:00.000Z'

it('a replay says in one way what is meant', () => {
  const id = newId()
  expect(replayOf({ delivery_ids: [id, id] }, NOW)).toEqual({ kind: 'ids', ids: [id] })
  expect(replayOf({ from: '2026-02-01T00:00:00Z' }, NOW)).toEqual({ kind: 'between', from: '2026-02-01T00:00:00Z', to: NOW, statuses: ['failed', 'dead'] })
  expect(replayOf({ from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z', status: ['dead'] }, NOW)).toMatchObject({ to: '2026-02-02T00:00:00Z', statuses: ['dead'] })
  expect(replayOf({ from_sequence: 0 }, NOW)).toEqual({ kind: 'missed', from_sequence: 0 })
  expect(replayOf({ test: true }, NOW)).toEqual({ kind: 'test' })
})
