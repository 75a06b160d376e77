// The lock of a data folder, taken by many at once.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findHolder, takeLock } from './lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('of many at once exactly one wins, whether the folder is free, was let go, or was left by the dead', async () => {
  for (let round = 0; round < 40; round++) {
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => takeLock(folder)))
    const winners = results.filter((result) => result.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    expect((await findHolder(folder))?.pid).toBe(process.pid)
    await winners[0]?.value()
    await winners[0]?.value()
    expect(await findHolder(folder)).toBeNull()
    const top = Math.max(...readdirSync(folder).map((name) => Number(name.split('.')[1])))
    if (round % 2 === 0) writeFileSync(join(folder, `lock.${top + 1}`), JSON.stringify({ pid: process.pid, born: 'another time' }))
  }
  expect(readdirSync(folder)).toHaveLength(1)
})

test('takers and leavers in any order never hold it together', async () => {
  let held = 0
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (let turn = 0; turn < 30; turn++) {
      const release = await takeLock(folder).catch(() => null)
      if (!release) continue
      held += 1
      expect(held).toBe(1)
      await findHolder(folder)
      held -= 1
      await release()
    }
  }))
})
