// What can be set from outside: one table, read and checked once at start. docs/settings.md is made from the same table.

type Kind = 'text' | 'port' | 'number' | 'flag' | 'url' | 'key' | 'choice'

type Setting = {
  name: string
  kind: Kind
  default: string | null
  meaning: string
  choices?: readonly string[]
  /** What a URL may begin with. */
  protocols?: readonly string[]
  minimum?: number
  secret?: boolean
}

export const SETTINGS = [
  { name: 'DATABASE_URL', kind: 'url', protocols: ['postgres:', 'postgresql:'], default: null, secret: true, meaning: 'A PostgreSQL 15 to 18 of your own. Unset: an embedded PostgreSQL in the data folder.' },
  { name: 'DAYBOOK_DATA', kind: 'text', default: 'data', meaning: 'The data folder: embedded database, keys, files.' },
  { name: 'DAYBOOK_HOST', kind: 'text', default: '127.0.0.1', meaning: 'The address to listen on.' },
  { name: 'DAYBOOK_PORT', kind: 'port', default: null, meaning: 'The port to listen on. Unset: 8080, or the next free one.' },
  { name: 'DAYBOOK_PUBLIC_URL', kind: 'url', protocols: ['http:', 'https:'], default: null, meaning: 'How others reach this server, for links in mail. Unset: the address it listens on.' },
  { name: 'DAYBOOK_TRUST_PROXY', kind: 'flag', default: 'false', meaning: 'Believe X-Forwarded-For: set it only behind a proxy of your own.' },
  { name: 'DAYBOOK_WORKER', kind: 'flag', default: 'true', meaning: 'Also run jobs in `daybook serve`. Off where `daybook worker` runs beside it.' },
  { name: 'DAYBOOK_ENCRYPTION_KEY', kind: 'key', default: null, secret: true, meaning: '32 bytes in base64 that seal stored secrets. Unset: made once and kept in the data folder. The same for every server of one database.' },
  { name: 'DAYBOOK_POOL_SIZE', kind: 'number', default: '20', minimum: 2, meaning: 'Database connections of one server process.' },
  { name: 'DAYBOOK_POOL_WAITING', kind: 'number', default: '2000', minimum: 0, meaning: 'Requests that may wait for a connection; the next gets a 503.' },
  { name: 'DAYBOOK_STATEMENT_TIMEOUT_MS', kind: 'number', default: '15000', minimum: 100, meaning: 'The longest a single SQL statement of a request may take.' },
  { name: 'DAYBOOK_JOB_CONCURRENCY', kind: 'number', default: '4', minimum: 1, meaning: 'Jobs that one worker runs at a time.' },
  { name: 'DAYBOOK_RATE_LIMIT', kind: 'number', default: '600', minimum: 1, meaning: 'Requests a minute for one credential (or address), counted per server process.' },
  { name: 'DAYBOOK_MAX_BODY_BYTES', kind: 'number', default: '1048576', minimum: 1024, meaning: 'The largest JSON body.' },
  { name: 'DAYBOOK_MAX_FILE_BYTES', kind: 'number', default: '26214400', minimum: 1024, meaning: 'The largest file that a call may carry in its body.' },
  { name: 'DAYBOOK_STORAGE_BUCKET', kind: 'text', default: null, meaning: 'A bucket of an S3-compatible storage for documents. Unset: a folder in the data folder.' },
  { name: 'DAYBOOK_STORAGE_ENDPOINT', kind: 'url', protocols: ['http:', 'https:'], default: null, meaning: "The address of that storage. Unset: Amazon's own." },
  { name: 'DAYBOOK_STORAGE_REGION', kind: 'text', default: 'us-east-1', meaning: 'The region of the bucket.' },
  { name: 'DAYBOOK_STORAGE_KEY_ID', kind: 'text', default: null, meaning: 'The id of the access key. Unset, like the secret: found where the client of the provider looks for it.' },
  { name: 'DAYBOOK_STORAGE_SECRET', kind: 'text', default: null, secret: true, meaning: 'The secret of the access key.' },
  { name: 'DAYBOOK_CLAMD_HOST', kind: 'text', default: null, meaning: 'A ClamAV daemon (clamd) that looks at every file that comes in. Unset: only the EICAR test pattern is found.' },
  { name: 'DAYBOOK_CLAMD_PORT', kind: 'port', default: '3310', meaning: 'The port of that daemon.' },
  { name: 'DAYBOOK_INBOX_DOMAIN', kind: 'text', default: 'inbox.localhost', meaning: 'The domain of the addresses to which documents are mailed.' },
  { name: 'DAYBOOK_INBOX_SECRET', kind: 'text', default: null, secret: true, meaning: 'What the mail party signs inbound mail with (Standard Webhooks, whsec_ and base64). Unset: made from the encryption key.' },
  { name: 'DAYBOOK_SMTP_URL', kind: 'url', protocols: ['smtp:', 'smtps:'], default: null, secret: true, meaning: 'A mail server, such as smtps://user:password@host. Unset: mail is kept and readable through the API.' },
  { name: 'DAYBOOK_MAIL_FROM', kind: 'text', default: 'Daybook <daybook@localhost>', meaning: 'The sender of mail.' },
  { name: 'DAYBOOK_STRIPE_KEY', kind: 'text', default: null, secret: true, meaning: 'The secret key of a Stripe account with Connect. Unset: an embedded card processor that moves no money.' },
  { name: 'DAYBOOK_STRIPE_WEBHOOK_SECRET', kind: 'text', default: null, secret: true, meaning: 'The signing secret of the Stripe webhook that sends events to /api/v1/processor/events.' },
  { name: 'DAYBOOK_STRIPE_HOST', kind: 'url', protocols: ['http:', 'https:'], default: null, meaning: "Another address than Stripe's own, for tests." },
  { name: 'DAYBOOK_BILLING_WEBHOOK_SECRET', kind: 'text', default: null, secret: true, meaning: 'The signing secret of the Stripe webhook that sends events about plans of Daybook itself to /api/v1/billing/processor-events.' },
  { name: 'DAYBOOK_BILLING_PRICE_SELF_DIRECTED_MONTH', kind: 'text', default: null, meaning: 'The Stripe price of the plan self_directed by the month. With Stripe, only plans that have a price are sold.' },
  { name: 'DAYBOOK_BILLING_PRICE_SELF_DIRECTED_YEAR', kind: 'text', default: null, meaning: 'The Stripe price of the plan self_directed by the year.' },
  { name: 'DAYBOOK_BILLING_PRICE_MANAGED_MONTH', kind: 'text', default: null, meaning: 'The Stripe price of the plan managed by the month.' },
  { name: 'DAYBOOK_BILLING_PRICE_MANAGED_YEAR', kind: 'text', default: null, meaning: 'The Stripe price of the plan managed by the year.' },
  { name: 'DAYBOOK_AI_PROVIDER', kind: 'choice', default: 'openai-compatible', choices: ['openai-compatible', 'anthropic'], meaning: 'How the model is spoken to.' },
  { name: 'DAYBOOK_AI_URL', kind: 'url', protocols: ['http:', 'https:'], default: null, meaning: 'The address of the model, such as http://localhost:11434/v1. Anthropic has a default.' },
  { name: 'DAYBOOK_AI_KEY', kind: 'text', default: null, secret: true, meaning: 'The key for the model, where it needs one.' },
  { name: 'DAYBOOK_AI_MODEL', kind: 'text', default: null, meaning: 'The name of a model that reads documents. Unset: they are read by rules, and nothing leaves the service.' },
  { name: 'DAYBOOK_READING_WAIT_MS', kind: 'number', default: '60000', minimum: 0, meaning: 'How long a call waits for documents to be read; the worker goes on with the rest.' },
  { name: 'DAYBOOK_WEBHOOK_PRIVATE', kind: 'flag', default: 'false', meaning: 'Webhooks may also go to http and to addresses of the inner network. For a sandbox or tests, never where strangers can sign up.' },
  { name: 'DAYBOOK_WEBHOOK_TIMEOUT_MS', kind: 'number', default: '15000', minimum: 100, meaning: 'How long the receiver of a webhook may take to answer.' },
  { name: 'DAYBOOK_WEBHOOK_CONCURRENCY', kind: 'number', default: '1000', minimum: 2, meaning: 'Webhook endpoints that one worker serves at a time; those that fail get at most half of it.' },
  { name: 'DAYBOOK_LOG_LEVEL', kind: 'choice', default: 'info', choices: ['debug', 'info', 'warn', 'error', 'silent'], meaning: 'What is logged.' },
] as const satisfies readonly Setting[]

export type Settings = {
  database_url: string | null
  data: string
  host: string
  port: number | null
  public_url: string | null
  trust_proxy: boolean
  worker: boolean
  encryption_key: string | null
  pool_size: number
  pool_waiting: number
  statement_timeout_ms: number
  job_concurrency: number
  rate_limit: number
  max_body_bytes: number
  max_file_bytes: number
  storage_bucket: string | null
  storage_endpoint: string | null
  storage_region: string
  storage_key_id: string | null
  storage_secret: string | null
  clamd_host: string | null
  clamd_port: number
  inbox_domain: string
  inbox_secret: string | null
  smtp_url: string | null
  mail_from: string
  stripe_key: string | null
  stripe_webhook_secret: string | null
  stripe_host: string | null
  billing_webhook_secret: string | null
  billing_price_self_directed_month: string | null
  billing_price_self_directed_year: string | null
  billing_price_managed_month: string | null
  billing_price_managed_year: string | null
  ai_provider: 'openai-compatible' | 'anthropic'
  ai_url: string | null
  ai_key: string | null
  ai_model: string | null
  reading_wait_ms: number
  webhook_private: boolean
  webhook_timeout_ms: number
  webhook_concurrency: number
  log_level: string
}

/** Reads and checks every setting; all problems are told at once. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const problems: string[] = []
  const values: Record<string, string | number | boolean | null> = {}
  for (const setting of SETTINGS as readonly Setting[]) {
    const text = environment[setting.name] || setting.default
    const key = setting.name.replace(/^DAYBOOK_/, '').toLowerCase()
    try {
      values[key] = text === null ? null : parse(setting, text)
    } catch (error) {
      problems.push(`${setting.name} ${(error as Error).message}`)
    }
  }
  for (const name of unknownNames(environment)) problems.push(`${name} is not a setting of Daybook`)
  if (problems.length > 0) throw new SettingsError(problems)
  return values as unknown as Settings
}

export class SettingsError extends Error {
  constructor(problems: string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}.`).join('\n')}\ndocs/settings.md lists them all.`)
  }
}

/** The table of docs/settings.md. */
export function settingsTable(): string {
  const rows = (SETTINGS as readonly Setting[]).map((setting) => `| \`${setting.name}\` | ${setting.default === null ? '' : `\`${setting.default}\``} | ${setting.meaning} |`)
  return ['| name | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function parse(setting: Setting, text: string): string | number | boolean {
  const shown = setting.secret ? 'its value' : `"${text}"`
  switch (setting.kind) {
    case 'flag':
      if (text !== 'true' && text !== 'false') throw new Error(`must be true or false, not ${shown}`)
      return text === 'true'
    case 'port':
    case 'number': {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN
      const [minimum, maximum] = setting.kind === 'port' ? [0, 65_535] : [setting.minimum ?? 0, Infinity]
      if (!(value >= minimum && value <= maximum)) throw new Error(`must be a whole number from ${minimum}${maximum === Infinity ? '' : ` to ${maximum}`}, not ${shown}`)
      return value
    }
    case 'url':
      if (!setting.protocols?.includes(URL.parse(text)?.protocol ?? '')) {
        throw new Error(`must be a URL that begins with ${setting.protocols?.map((protocol) => `${protocol}//`).join(' or ')}; ${shown} does not`)
      }
      return text
    case 'key':
      if (Buffer.from(text, 'base64').length !== 32) throw new Error(`must be 32 bytes in base64, and ${shown} is not`)
      return text
    case 'choice':
      if (!setting.choices?.includes(text)) throw new Error(`must be one of ${setting.choices?.join(', ')}, not ${shown}`)
      return text
    case 'text':
      return text
  }
}

/** A misspelt setting would otherwise be ignored in silence. */
function unknownNames(environment: Record<string, string | undefined>): string[] {
  const known = new Set<string>(SETTINGS.map(({ name }) => name))
  return Object.keys(environment).filter((name) => name.startsWith('DAYBOOK_') && !known.has(name))
}
