// export and verify, on books that are in use.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '../../src/foundation/ids.ts'
import { letGo, whileDamaged } from '../support/damage.ts'
import { EXAMPLE_NOW, exampleBooks, type Example } from '../support/example-books.ts'
import { run } from '../support/process.ts'
import { service } from '../support/service.ts'

let example: Example
let folder = ''
let environment: Record<string, string>
beforeAll(async () => {
  (await service()).clock.set(EXAMPLE_NOW)
  example = await exampleBooks()
  folder = await mkdtemp(join(tmpdir(), 'daybook-export-'))
  environment = { DATABASE_URL: inject('database_url'), DAYBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
})
afterAll(async () => {
  (await service()).clock.set(null)
  await letGo()
  await rm(folder, { recursive: true, force: true })
})

test('export writes what the API answers, to the terminal or into a new file', async () => {
  const file = join(folder, 'books.beancount')
  const [printed, written, part, hledger, beancount, march] = await Promise.all([
    run(['export', '--business', example.business_id, '--format', 'hledger'], environment),
    run(['export', '--business', example.business_id.toUpperCase(), '--format', 'beancount', '--out', file], environment),
    run(['export', '--business', example.business_id, '--format', 'hledger', '--as-of', '2026-03-31'], environment),
    example.client.get('/books/export', { format: 'hledger' }),
    example.client.get('/books/export', { format: 'beancount' }),
    example.client.get('/books/export', { format: 'hledger', as_of: '2026-03-31' }),
  ])
  expect(printed).toEqual({ code: 0, out: hledger.body, err: '' })
  expect(part).toEqual({ code: 0, out: march.body, err: '' })
  expect(written).toEqual({ code: 0, out: '', err: '' })
  expect(await readFile(file, 'utf8')).toBe(beancount.body)
})

test('export refuses a file that exists and a business that does not', async () => {
  const file = join(folder, 'mine')
  await writeFile(file, 'mine')
  const [exists, unknown] = await Promise.all([
    run(['export', '--business', example.business_id, '--format', 'hledger', '--out', file], environment),
    run(['export', '--business', newId(), '--format', 'hledger'], environment),
  ])
  expect(exists).toEqual({ code: 1, out: '', err: `daybook: ${file} exists already. Name another file.\n` })
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect([unknown.code, unknown.out, unknown.err]).toEqual([1, '', expect.stringMatching(/^daybook: There is no business [0-9a-f-]{36}\.\n$/)])
})

test('verify ends with 1 and says what is off', async () => {
  const verify = () => run(['verify', '--business', example.business_id], environment)
  const good = await verify()
  const bad = await whileDamaged(example.business_id, 'ledger_days', `delete from ledger_days where business_id = $1 and date = '2026-01-05' and debit > 0`, verify)
  expect([good.code, good.err.match(/off:/g)]).toEqual([0, null])
  expect(bad.code).toBe(1)
  expect(bad.err).toContain(`off: Test Trading (${example.business_id}): Example bank, USD, 2026-01-05: amount is 0.00, the sum of its lines 500.00`)
})
