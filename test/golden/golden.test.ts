// Golden statements: small journals in, exact statements out. Each case is a file that a bookkeeper can check by hand (see language.ts).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { service } from '../support/service.ts'
import { parseCase } from './language.ts'
import { play } from './play.ts'

const folder = join(import.meta.dirname, 'cases')
const files = readdirSync(folder).filter((file) => file.endsWith('.txt')).toSorted()
const cases = files.map((file) => ({ file, ...parseCase(readFileSync(join(folder, file), 'utf8')) }))

afterAll(async () => (await service()).clock.set(null))

describe('golden statements', () => {
  it('there are at least 50, each with a title and a statement', () => {
    expect(cases.length).toBeGreaterThanOrEqual(50)
    expect(cases.filter(({ title, steps }) => title === '' || !steps.some(({ kind }) => kind === 'statement')).map(({ file }) => file)).toEqual([])
    expect(new Set(cases.map(({ title }) => title)).size).toBe(cases.length)
  })

  it.each(cases)('$file: $title', ({ steps }) => play(steps))
})
