// Settings: what is accepted, and that everything wrong is told at once and without secrets.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readSettings, SETTINGS, settingsTable } from './settings.ts'

it('nothing set gives the defaults', () => {
  expect(readSettings({})).toEqual({
    database_url: null, data: 'data', host: '127.0.0.1', port: null, public_url: null, trust_proxy: false, worker: true, encryption_key: null,
    pool_size: 20, pool_waiting: 2000, statement_timeout_ms: 15000, job_concurrency: 4, rate_limit: 600, max_body_bytes: 1048576, max_file_bytes: 26214400,
    storage_bucket: null, storage_endpoint: null, storage_region: 'us-east-1', storage_key_id: null, storage_secret: null, clamd_host: null, clamd_port: 3310,
    inbox_domain: 'inbox.localhost', inbox_secret: null,
    smtp_url: null, mail_from: 'Daybook <daybook@localhost>', log_level: 'info',
    stripe_key: null, stripe_webhook_secret: null, stripe_host: null, billing_webhook_secret: null, billing_price_self_directed_month: null, billing_price_self_directed_year: null, billing_price_managed_month: null, billing_price_managed_year: null,
    webhook_private: false, webhook_timeout_ms: 15000, webhook_concurrency: 1000,
    ai_provider: 'openai-compatible', ai_url: null, ai_key: null, ai_model: null, reading_wait_ms: 60000,
  })
})

it('an empty value counts as unset', () => {
  expect(readSettings(Object.fromEntries(SETTINGS.map(({ name }) => [name, ''])))).toEqual(readSettings({}))
})

it('values are read as what they are', () => {
  const key = Buffer.alloc(32, 1).toString('base64')
  expect(readSettings({
    DATABASE_URL: 'postgresql://me@host/books', DAYBOOK_PORT: '0', DAYBOOK_WORKER: 'false', DAYBOOK_POOL_WAITING: '0', DAYBOOK_LOG_LEVEL: 'silent',
    DAYBOOK_PUBLIC_URL: 'https://books.example.com', DAYBOOK_SMTP_URL: 'smtps://user:password@mail.example.com', DAYBOOK_ENCRYPTION_KEY: key,
  })).toMatchObject({
    database_url: 'postgresql://me@host/books', port: 0, worker: false, pool_waiting: 0, log_level: 'silent', public_url: 'https://books.example.com',
    smtp_url: 'smtps://user:password@mail.example.com', encryption_key: key,
  })
})

it.each([
  ['DAYBOOK_PORT', 'eighty', 'must be a whole number from 0 to 65535, not "eighty"'],
  ['DAYBOOK_PORT', '65536', 'must be a whole number from 0 to 65535, not "65536"'],
  ['DAYBOOK_PORT', '-1', 'must be a whole number from 0 to 65535, not "-1"'],
  ['DAYBOOK_PORT', '80.5', 'must be a whole number from 0 to 65535, not "80.5"'],
  ['DAYBOOK_POOL_SIZE', '1', 'must be a whole number from 2, not "1"'],
  ['DAYBOOK_POOL_SIZE', '1e3', 'must be a whole number from 2, not "1e3"'],
  ['DAYBOOK_STATEMENT_TIMEOUT_MS', '0', 'must be a whole number from 100, not "0"'],
  ['DAYBOOK_JOB_CONCURRENCY', '0', 'must be a whole number from 1, not "0"'],
  ['DAYBOOK_RATE_LIMIT', '0', 'must be a whole number from 1, not "0"'],
  ['DAYBOOK_MAX_BODY_BYTES', '99999999999', 'must be a whole number from 1024, not "99999999999"'],
  ['DAYBOOK_WORKER', 'yes', 'must be true or false, not "yes"'],
  ['DAYBOOK_TRUST_PROXY', '1', 'must be true or false, not "1"'],
  ['DAYBOOK_LOG_LEVEL', 'loud', 'must be one of debug, info, warn, error, silent, not "loud"'],
  ['DAYBOOK_PUBLIC_URL', 'books.example.com', 'must be a URL that begins with http:// or https://; "books.example.com" does not'],
  ['DAYBOOK_PUBLIC_URL', 'ftp://books.example.com', 'must be a URL that begins with http:// or https://; "ftp://books.example.com" does not'],
  ['DATABASE_URL', 'mysql://me:hidden@host/books', 'must be a URL that begins with postgres:// or postgresql://; its value does not'],
  ['DATABASE_URL', 'host=localhost password=hidden', 'must be a URL that begins with postgres:// or postgresql://; its value does not'],
  ['DAYBOOK_SMTP_URL', 'mail.example.com:hidden', 'must be a URL that begins with smtp:// or smtps://; its value does not'],
  ['DAYBOOK_ENCRYPTION_KEY', 'hidden', 'must be 32 bytes in base64, and its value is not'],
])('%s = %s is refused', (name, value, problem) => {
  expect(() => readSettings({ [name]: value })).toThrow(`  - ${name} ${problem}.\n`)
})

it('all problems are told at once, misspelt names among them, and no secret', () => {
  const read = () => readSettings({ DAYBOOK_PORT: 'x', DAYBOOK_WORKER: 'x', DATABASE_URL: 'hidden', DAYBOOK_PROT: '80', SOMETHING_ELSE: 'x' })
  expect(read).toThrow(/^The settings are not usable:\n.*DATABASE_URL.*\n.*DAYBOOK_PORT.*\n.*DAYBOOK_WORKER.*\n {2}- DAYBOOK_PROT is not a setting of Daybook\.\ndocs\/settings\.md lists them all\.$/)
  expect(read).not.toThrow(/hidden|SOMETHING_ELSE/)
})

it('docs/settings.md is what the code says', () => {
  expect(readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')).toContain(`\n${settingsTable()}\n`)
})
