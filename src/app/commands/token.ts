// daybook token: a first token, or another one, without a browser.
import { lockAccountByEmail, saveAccount } from '../../access/account/operations.ts'
import { verified } from '../../access/account/rules.ts'
import { createApiToken } from '../../access/api-tokens/operations.ts'
import { createBusiness, listBusinesses } from '../../access/businesses/operations.ts'
import { scopeCatalogue } from '../../access/permissions.ts'
import { signUp } from '../../access/sign-up/operations.ts'
import { nobody, plainRequest, transact, type Database } from '../../foundation/database/transact.ts'
import type { UserTx } from '../../foundation/database/transaction.ts'
import { migrate } from '../../foundation/database/migrate.ts'
import { isUuid } from '../../foundation/ids.ts'
import { openLog } from '../../foundation/log.ts'
import { randomToken } from '../../foundation/secrets.ts'
import { readSettings } from '../../foundation/settings.ts'
import { UsageError, type Arguments, type Command } from '../command.ts'
import { readEncryptionKey } from '../encryption-key.ts'
import { founders } from '../founders.ts'
import { openDatabase } from '../open-database.ts'
import { openProgram } from '../program.ts'

export const token: Command = {
  name: 'token',
  summary: 'make an API token',
  help: `Makes an API token for a user, and the user and the business too where they do not exist yet. Whoever can run this has the
database anyway, so no password is asked. The token is shown once.`,
  options: {
    email: { value: 'address', meaning: 'whose token it is; a new address makes a new user, whose password is shown once' },
    business: { value: 'name or id', meaning: 'the business to work in; a new name makes a new business (default: all of the user)' },
    name: { value: 'text', meaning: 'what the token is for (default: command line)' },
    scopes: { value: 'list', meaning: 'permissions with commas between them (default: everything the user may do)' },
    json: { meaning: 'print {token, business_id, password} as JSON' },
  },
  async run({ options }) {
    const email = text(options, 'email')
    if (email === null || !/^[^\s@"]+@[^\s@"]+$/.test(email)) throw new UsageError('--email is missing or is no address. daybook token --help shows how it is used.')
    const settings = readSettings(process.env)
    const opened = await openDatabase(settings)
    const program = openProgram({ settings, database_url: opened.url, encryption_key: await readEncryptionKey(settings), log: openLog('error') })
    try {
      await migrate({ url: opened.url })
      const password = await ensureUser(program.database, email)
      const made = await makeToken(program.database, email, text(options, 'business'), text(options, 'name') ?? 'command line', text(options, 'scopes'))
      const url = settings.public_url ?? `http://${settings.host}:${settings.port ?? 8080}`
      console.log(options['json'] ? JSON.stringify({ ...made, password }) : message(url, { ...made, email, password }))
    } finally {
      await program.stop()
      await opened.stop()
    }
  },
}

type Made = { token: string; business_id: string | null }

/** The password of a user made just now, null for one who was there already. */
async function ensureUser(database: Database, email: string): Promise<string | null> {
  return transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
    if (await lockAccountByEmail(tx, email)) return null
    const password = randomToken('')
    await signUp(tx, { email, name: email.split('@')[0] ?? email, password })
    const account = await lockAccountByEmail(tx, email)
    if (account) saveAccount(tx, account, verified(account, tx.now))
    return password
  })
}

async function makeToken(database: Database, email: string, business: string | null, name: string, scopes: string | null): Promise<Made> {
  return transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx, asUser }) => {
    const account = await lockAccountByEmail(tx, email)
    if (!account) throw new Error(`${email} has no account.`)
    const caller = asUser({ ...nobody, kind: 'user', id: account.id, user_id: account.id, name: account.name, email, email_verified: true })
    const business_id = business === null ? null : await ensureBusiness(caller, business)
    const wanted = scopes?.split(',').map((scope) => scope.trim()) ?? scopeCatalogue().map(({ scope }) => scope)
    const made = await createApiToken(caller, { name, scopes: wanted, ...(business_id ? { business_ids: [business_id] } : {}) } as Parameters<typeof createApiToken>[1])
    return { token: made.token, business_id }
  })
}

async function ensureBusiness(tx: UserTx, business: string): Promise<string> {
  const { items } = await listBusinesses(tx, { limit: 1000 })
  const found = items.find(({ id, name }) => id === business || name === business)
  if (found) return found.id
  if (isUuid(business)) throw new Error(`There is no business ${business} that this user is in.`)
  return (await createBusiness(tx, { name: business }, founders)).id
}

function text(options: Arguments['options'], name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

function message(url: string, { token: secret, business_id, email, password }: Made & { email: string; password: string | null }): string {
  const lines = [
    ...(password ? [`New user   ${email}, password ${password}`] : []),
    ...(business_id ? [`Business   ${business_id}`] : []),
    `Token      ${secret}`,
    '',
    'Shown once: keep them. Try:',
    '',
    `  curl -H "authorization: Bearer ${secret}" ${business_id ? `-H "x-business-id: ${business_id}" ` : ''}${url}/api/v1/${business_id ? 'todos' : 'businesses'}`,
  ]
  return lines.join('\n')
}
