// What can be done with the connection to the card processor.
import type { Surroundings } from '../../foundation/database/context.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { formatCents, type Currency } from '../../foundation/money.ts'
import type { Account } from '../../foundation/processor/processor.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { readBooks } from '../../ledger/books/operations.ts'
import { connectionResource, type ConnectInput, type ConnectionRow, type ConnectionUpdate, type ProcessorConnection } from './contract.ts'
import { accountFields, bankLedgerOf, requireBankLedger, statusOf } from './rules.ts'
import * as store from './store.ts'

export async function getConnection(tx: BusinessTx): Promise<ProcessorConnection> {
  return shown(tx, await tx.find(store.findConnection))
}

/** The connection while payments can be taken through it. */
export async function activeConnection(tx: BusinessTx): Promise<ConnectionRow | null> {
  const connection = await tx.find(store.findConnection)
  return connection?.status === 'active' ? connection : null
}

/** The account at the processor, also of a connection that was ended: what was paid through it goes on. */
export async function requireAccount(tx: BusinessTx): Promise<ConnectionRow> {
  return tx.get(store.findConnection, {}, 'Connection with the card processor')
}

/** One change at a time to whatever came from the processor: whoever books takes this first, before any document. */
export async function lockConnection(tx: BusinessTx): Promise<ConnectionRow> {
  const connection = await tx.find(store.lockConnection)
  if (!connection) throw notFound('Connection with the card processor')
  return connection
}

type ConnectPlan = { account_id: string | null; business_id: string; name: string; country: string; email: string | null; currency: string; urls: ConnectInput }
type Opened = { account: Account; url: string | null }

export const connect = {
  async read(tx: BusinessTx, { body }: { body: ConnectInput }): Promise<ConnectPlan> {
    const [connection, business] = await Promise.all([tx.find(store.findConnection), tx.get(store.business, {}, 'Business')])
    requireInactive(connection)
    return { ...business, account_id: connection?.account_id ?? null, business_id: tx.business_id, currency: tx.business.base_currency, urls: body }
  },
  async call({ processor }: Surroundings, { account_id, business_id, name, country, email, currency, urls }: ConnectPlan): Promise<Opened> {
    const account = account_id === null
      ? await processor.createAccount({ name, country, email, currency, reference: business_id, idempotency_key: `account-${business_id}` })
      : await processor.readAccount(account_id)
    return { account, url: await processor.createAccountLink({ account: account.id, ...urls }) }
  },
  async write(tx: BusinessTx, _input: unknown, _plan: ConnectPlan, found: Opened | null): Promise<ProcessorConnection> {
    const { account, url } = found ?? PRETENDED
    const before = await tx.find(store.lockConnection)
    requireInactive(before)
    const connection = before
      ? save(tx, before, { ...accountFields(account, before.fee_recognition), status: statusOf(account, null), connected_at: tx.now, disconnected_at: null })
      : insert(tx, account)
    return shown(tx, connection, url)
  },
}

/** In a dry run nobody is asked: an account that still has everything to tell. */
const PRETENDED: Opened = {
  account: { id: 'dry_run', livemode: false, charges_enabled: false, payouts_enabled: false, requirements: [], payout_mode: 'automatic' }, url: null,
}

export async function updateConnection(tx: BusinessTx, input: ConnectionUpdate): Promise<ProcessorConnection> {
  const before = await tx.lock(store.lockConnection, {}, 'Connection with the card processor')
  if (input.bank_ledger_id) requireBankLedger((await readBooks(tx)).books, input.bank_ledger_id, tx.business.base_currency)
  if (input.fee_recognition && input.fee_recognition !== before.fee_recognition) {
    if (before.payout_mode === 'manual') throw invalid('Payouts are made by hand: their fees are only known with each charge.')
    const { held } = await tx.get(store.unsettled, {}, 'Connection with the card processor')
    if (held !== 0) throw invalid(`The processor holds ${money(tx, held)} that were booked the other way: change this after the next payout.`)
  }
  return shown(tx, save(tx, before, input))
}

export async function disconnect(tx: BusinessTx, force: boolean): Promise<ProcessorConnection> {
  const before = await tx.lock(store.lockConnection, {}, 'Connection with the card processor')
  if (before.status === 'disconnected') return shown(tx, before)
  const { held, open_checkouts } = await tx.get(store.unsettled, {}, 'Connection with the card processor')
  if (!force && held !== 0) throw invalid(`The processor still holds ${money(tx, held)}: wait for the payout, or send force=true.`)
  if (!force && open_checkouts) throw invalid('A customer is about to pay: wait until the checkout has ended, or send force=true.')
  if (open_checkouts) tx.enqueue('processor.expire_checkouts', { business_id: tx.business_id })
  return shown(tx, save(tx, before, { status: 'disconnected', disconnected_at: tx.now }, 'processor.disconnected'))
}

type RefreshInput = { body: Partial<ConnectInput> }
type RefreshPlan = { account: string; return_url: string | null; refresh_url: string | null }

export const refresh = {
  async read(tx: BusinessTx, { body }: RefreshInput): Promise<RefreshPlan> {
    const { account_id, status } = await requireAccount(tx)
    if (status === 'disconnected') throw invalid('The connection was ended: connect the business again.')
    return { account: account_id, return_url: body.return_url ?? null, refresh_url: body.refresh_url ?? null }
  },
  async call({ processor }: Surroundings, { account: id, return_url, refresh_url }: RefreshPlan): Promise<Opened> {
    const account = await processor.readAccount(id)
    const needed = !account.charges_enabled || account.requirements.length > 0
    const url = needed && return_url !== null && refresh_url !== null ? await processor.createAccountLink({ account: id, return_url, refresh_url }) : null
    return { account, url }
  },
  async write(tx: BusinessTx, _input: RefreshInput, _plan: RefreshPlan, found: Opened | null): Promise<ProcessorConnection> {
    const before = await tx.lock(store.lockConnection, {}, 'Connection with the card processor')
    return shown(tx, found ? applyAccount(tx, before, found.account) : before, found?.url ?? null)
  },
}

/** What the processor says of the account now; nothing is written where nothing is new. */
export function applyAccount(tx: BusinessTx, before: ConnectionRow, account: Account): ConnectionRow {
  if (before.status === 'disconnected') return before
  const changes = { ...accountFields(account, before.fee_recognition), status: statusOf(account, before) }
  const same = Object.entries(changes).every(([name, value]) => JSON.stringify(value) === JSON.stringify(before[name as keyof typeof changes]))
  return same ? before : save(tx, before, changes, changes.status === 'active' && before.status !== 'active' ? 'processor.connected' : 'processor.updated')
}

function requireInactive(connection: ConnectionRow | null): void {
  if (connection?.status === 'active') throw invalid('The business is connected with the card processor already.')
}

function insert(tx: BusinessTx, account: Account): ConnectionRow {
  const connection: ConnectionRow = {
    id: newId(), business_id: tx.business_id, ...accountFields(account, 'payout'), status: statusOf(account, null), bank_ledger_id: null,
    sync_invoices: false, methods: ['card'],
    connected_at: tx.now, disconnected_at: null, created_at: tx.now, updated_at: tx.now, version: 1,
  }
  tx.queue(store.insertConnection, connection)
  tx.queue(store.insertAccount, { account_id: connection.account_id })
  tx.record(connectionResource, 'processor.connected', { before: null, after: connection })
  return connection
}

type ConnectionEvent = (typeof connectionResource.events)[number]

function save(tx: BusinessTx, before: ConnectionRow, changes: Partial<ConnectionRow>, event: ConnectionEvent = 'processor.updated'): ConnectionRow {
  const after = changed(before, changes, tx.now)
  tx.queue(store.updateConnection, after)
  tx.record(connectionResource, event, { before, after })
  return after
}

async function shown(tx: BusinessTx, connection: ConnectionRow | null, onboarding_url: string | null = null): Promise<ProcessorConnection> {
  const { books } = await readBooks(tx)
  const ofRole = (role: string): string | null => [...books.ledgers.values()].find((ledger) => ledger.role === role)?.id ?? null
  const ledgers = {
    bank_ledger_id: bankLedgerOf(books, connection, tx.business.base_currency)?.id ?? null, clearing_ledger_id: ofRole('processor_clearing'),
    fee_ledger_id: ofRole('processor_fees'),
  }
  const processor = tx.surroundings.processor.name
  if (connection) {
    const { business_id: _business, ...fields } = connection
    return { ...fields, ...ledgers, processor, onboarding_url }
  }
  return {
    processor, status: 'none', id: null, account_id: null, livemode: false, charges_enabled: false, payouts_enabled: false, requirements: [],
    payout_mode: 'automatic', ...ledgers,
    fee_recognition: 'payout', sync_invoices: false, methods: [], onboarding_url, connected_at: null, disconnected_at: null, created_at: null,
    updated_at: null, version: 0,
  }
}

function money(tx: BusinessTx, amount: number): string {
  return `${formatCents(amount, tx.business.base_currency as Currency)} ${tx.business.base_currency}`
}
