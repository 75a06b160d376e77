import { describe, expect, it } from 'vitest'
import { attemptEach } from './bulk.ts'
import { invalid } from './refusal.ts'

const even = (item: number): string => {
  if (item % 2 === 1) throw invalid(`${item} is odd.`)
  return `id ${item}`
}

describe('attemptEach', () => {
  it('gives a result per item', () => {
    expect(attemptEach([2, 3], false, even)).toEqual({
      succeeded: 1,
      failed: 1,
      results: [{ index: 0, status: 'ok', id: 'id 2', detail: null }, { index: 1, status: 'error', id: null, detail: '3 is odd.' }],
    })
  })

  it('refuses all for the first, where it is all or nothing', () => {
    expect(() => attemptEach([2, 3, 5], true, even)).toThrow('Item 1: 3 is odd.')
    expect(attemptEach([2, 4], true, even)).toMatchObject({ succeeded: 2, failed: 0 })
  })

  it('lets a fault of ours through', () => {
    expect(() => attemptEach([1], false, () => { throw new TypeError('broken') })).toThrow(TypeError)
  })
})
