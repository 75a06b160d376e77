// The command line before anything runs: help, mistakes, settings, and the description of the API.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/process.ts'

const commands = ['serve', 'worker', 'migrate', 'demo', 'verify', 'export', 'openapi', 'token', 'backup', 'restore']

test.concurrent('the overview names every command', async () => {
  const [plain, asked] = await Promise.all([run([]), run(['--help'])])
  expect(plain).toEqual(asked)
  expect([plain.code, plain.err]).toEqual([0, ''])
  for (const name of commands) expect(plain.out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
})

test.concurrent.each(commands)('daybook %s --help', async (name) => {
  const { code, out, err } = await run([name, '--help'])
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(new RegExp(`^Usage: daybook ${name}\\b`))
  expect(out.trim().split('\n').length).toBeGreaterThan(2)
})

test.concurrent.each([
  [['dance'], 'daybook: There is no command "dance". Known are: serve, worker, migrate, demo, verify, export, openapi, token, backup, restore.\n'],
  [['serve', '--fast'], "daybook: Unknown option '--fast'. daybook serve --help shows how it is used.\n"],
  [['serve', 'now'], 'daybook: "now" is not expected here. daybook serve --help shows how it is used.\n'],
  [['restore'], 'daybook: The file is missing. daybook restore --help shows how it is used.\n'],
  [['backup', 'one', 'two'], 'daybook: "two" is not expected here. daybook backup --help shows how it is used.\n'],
  [['token'], 'daybook: --email is missing or is no address. daybook token --help shows how it is used.\n'],
  [['token', '--email', 'nobody'], 'daybook: --email is missing or is no address. daybook token --help shows how it is used.\n'],
  [['verify', '--business'], "daybook: Option '--business <value>' argument missing. daybook verify --help shows how it is used.\n"],
  [['export', '--format', 'hledger'], 'daybook: --business is missing or is no id. daybook export --help shows how it is used.\n'],
  [['export', '--business', '01a1dd3a-827e-75f6-810e-7bed0da1e6fb', '--format', 'xml'], 'daybook: --format must be hledger or beancount. daybook export --help shows how it is used.\n'],
  [['export', '--business', '01a1dd3a-827e-75f6-810e-7bed0da1e6fb', '--format', 'hledger', '--as-of', '2026-02-30'], 'daybook: --as-of must be an existing date as YYYY-MM-DD. daybook export --help shows how it is used.\n'],
  [['demo', '--businesses', '0'], 'daybook: --businesses must be a whole number from 1 to 24. daybook demo --help shows how it is used.\n'],
  [['demo', '--businesses', '25'], 'daybook: --businesses must be a whole number from 1 to 24. daybook demo --help shows how it is used.\n'],
  [['demo', '--seed', 'lucky'], 'daybook: --seed must be a whole number from 0 to 2147483647. daybook demo --help shows how it is used.\n'],
  [['openapi', 'no_such_operation'], 'daybook: There is no operation "no_such_operation".\n'],
])('%j is a mistake, told in one sentence', async (argv, sentence) => {
  expect(await run(argv)).toEqual({ code: 2, out: '', err: sentence })
})

test.concurrent('settings that are wrong are told all at once, before anything is started', async () => {
  const { code, out, err } = await run(['serve'], { DAYBOOK_DATA: '/nowhere/at/all', DAYBOOK_PORT: 'x', DAYBOOK_WORKER: 'perhaps', DAYBOOK_TYPO: '1', DATABASE_URL: 'hidden' })
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^daybook: The settings are not usable:\n {2}- DATABASE_URL .*\n {2}- DAYBOOK_PORT .*\n {2}- DAYBOOK_WORKER .*\n {2}- DAYBOOK_TYPO is not a setting of Daybook\.\ndocs\/settings\.md lists them all\.\n$/)
  expect(err).not.toContain('hidden')
})

test.concurrent.each(['serve', 'worker', 'backup'])('daybook %s with a database that does not answer says so in one sentence', async (name) => {
  const { code, out, err } = await run([name], { DATABASE_URL: 'postgres://me:hidden@localhost:1/books', DAYBOOK_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'), DAYBOOK_LOG_LEVEL: 'silent' })
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^daybook: [^\n]*(localhost|127\.0\.0\.1|::1):1\b[^\n]*\n$/)
  expect(err).not.toContain('hidden')
})

test.concurrent('openapi prints the description, one operation of it, or writes it to a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-openapi-'))
  const file = join(folder, 'api.json')
  const [whole, part, written] = await Promise.all([run(['openapi']), run(['openapi', 'create_note']), run(['openapi', '--output', file])])
  const document = JSON.parse(whole.out)
  expect(document.openapi).toMatch(/^3\.1/)
  expect(Object.keys(document.paths).length).toBeGreaterThan(40)
  expect(Object.keys(JSON.parse(part.out).paths)).toEqual(['/api/v1/notes'])
  expect([whole.code, part.code, written]).toEqual([0, 0, { code: 0, out: '', err: '' }])
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(document)
  await rm(folder, { recursive: true })
})
