// What can be done with webhook endpoints.
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { toTimestamp } from '../../foundation/calendar.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import type { UrlProblem } from '../../foundation/outbound.ts'
import { canonicalJson } from '../../foundation/canonical.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound, unprocessable } from '../../foundation/refusal.ts'
import { resources } from '../../foundation/resource.ts'
import { open, seal } from '../../foundation/secrets.ts'
import { addLane, countsOf, deleteLanes, endWaiting } from '../webhook-queue/operations.ts'
import { webhookResource, type Webhook, type WebhookInput, type WebhookUpdate, type WebhookWithCounts, type WebhookWithSecret } from './contract.ts'
import { healthAfter, isHopeless, MOST_WEBHOOKS, requireKinds, ROTATION_MS, typesToSend, type Health } from './rules.ts'
import * as store from './store.ts'

export type Row = Static<typeof store.Row>

/** The events that are sent, by name; all rooms have told theirs by the time somebody asks. */
export const typesSent = (): string[] => typesToSend(resources.values())

export function listWebhooks(tx: BusinessTx, query: PageQuery) {
  return tx.page(store.webhooks, query)
}

export async function getWebhook(tx: BusinessTx, webhook_id: string): Promise<WebhookWithCounts> {
  const [webhook, last_24_hours] = await Promise.all([findWebhook(tx, webhook_id), countsOf(tx, webhook_id)])
  return { ...webhook, last_24_hours }
}

export function findWebhook(tx: BusinessTx, webhook_id: string): Promise<Webhook> {
  return tx.get(store.findWebhook, { id: webhook_id }, 'Webhook')
}

export function lockWebhook(tx: BusinessTx, webhook_id: string): Promise<Row> {
  return tx.get(store.lockWebhook, { id: webhook_id }, 'Webhook')
}

/** Also one that was deleted: its log is still there. */
export async function requireKnown(tx: BusinessTx, webhook_id: string): Promise<void> {
  await tx.get(store.existsWebhook, { id: webhook_id }, 'Webhook')
}

type Update = { params: { webhook_id: string }; body: WebhookUpdate }

/** The url to look up, if any, before anything is written. */
type Plan = { url: string | null }

export const create = {
  read: async (tx: BusinessTx, { body }: { body: WebhookInput }): Promise<Plan> => {
    requireKinds(body.events, typesSent())
    requireUrl(tx.surroundings.outbound.problemOf(body.url))
    return { url: body.url }
  },
  call: lookUp,
  write: (tx: BusinessTx, { body }: { body: WebhookInput }, _plan: Plan, found: UrlProblem | null): Promise<WebhookWithSecret> => {
    requireUrl(found)
    return createWebhook(tx, body)
  },
}

export const update = {
  read: async (tx: BusinessTx, { params, body }: Update): Promise<Plan> => {
    if (body.events) requireKinds(body.events, typesSent())
    const problem = body.url === undefined ? null : tx.surroundings.outbound.problemOf(body.url)
    if (problem?.kind === 'form') requireUrl(problem)
    const webhook = await findWebhook(tx, params.webhook_id)
    requireUrl(problem)
    return { url: body.url === webhook.url ? null : body.url ?? null }
  },
  call: lookUp,
  write: (tx: BusinessTx, { params, body }: Update, _plan: Plan, found: UrlProblem | null): Promise<WebhookWithSecret> => {
    requireUrl(found)
    return updateWebhook(tx, params.webhook_id, body)
  },
}

function lookUp({ outbound }: Surroundings, { url }: Plan): Promise<UrlProblem | null> {
  return url === null ? Promise.resolve(null) : outbound.check(url)
}

function requireUrl(problem: UrlProblem | null): void {
  if (problem?.kind === 'form') throw unprocessable([{ loc: ['body', 'url'], msg: problem.detail, type: 'value_error' }])
  if (problem) throw invalid(problem.detail)
}

async function createWebhook(tx: BusinessTx, input: WebhookInput): Promise<WebhookWithSecret> {
  await tx.exclusive(`webhooks of ${tx.business_id}`)
  const { count } = await tx.get(store.countWebhooks, {}, 'Business')
  if (count >= MOST_WEBHOOKS) throw invalid(`The business has ${MOST_WEBHOOKS} webhook endpoints already: delete one first.`)
  const enabled = input.enabled ?? true
  const webhook: Webhook = {
    id: newId(),
    business_id: tx.business_id,
    url: input.url,
    events: [...new Set(input.events)],
    description: input.description ?? null,
    enabled,
    status: enabled ? 'healthy' : 'disabled',
    disabled_reason: enabled ? null : 'by_hand',
    previous_secret_until: null,
    last_success_at: null,
    last_failure_at: null,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  const { secret, sealed } = newSecret(tx, webhook.id)
  tx.queue(store.insertWebhook, { ...webhook, sealed })
  addLane(tx, webhook.id)
  tx.record(webhookResource, 'webhook.created', { before: null, after: webhook })
  return { ...webhook, secret }
}

async function updateWebhook(tx: BusinessTx, webhook_id: string, { rotate_secret = false, ...input }: WebhookUpdate): Promise<WebhookWithSecret> {
  const before = await tx.lock(store.lockWebhook, { id: webhook_id }, 'Webhook')
  const wanted = { ...input, ...(input.events ? { events: [...new Set(input.events)] } : {}) }
  const differs = Object.entries(wanted).some(([name, value]) => canonicalJson(value ?? null) !== canonicalJson(before[name as keyof Row] ?? null))
  if (!differs && !rotate_secret) return { ...shownOf(before), secret: null }
  const after: Row = changed(before, { ...wanted, ...switched(before, wanted) }, tx.now)
  const made = rotate_secret ? newSecret(tx, webhook_id) : null
  if (made) {
    after.previous_secret_until = later(tx.now, ROTATION_MS)
    tx.queue(store.rotateSecret, { id: webhook_id, sealed: made.sealed, until: after.previous_secret_until })
  }
  tx.queue(store.updateWebhook, after)
  if (after.enabled && !before.enabled) tx.queue(store.startFromHead, { id: webhook_id })
  if (before.enabled && !after.enabled) endWaiting(tx, webhook_id, 'dead')
  tx.record(webhookResource, 'webhook.updated', { before: shownOf(before), after: shownOf(after) })
  return { ...shownOf(after), secret: made?.secret ?? null }
}

export async function deleteWebhook(tx: BusinessTx, webhook_id: string): Promise<Webhook> {
  const before = await tx.lock(store.lockWebhook, { id: webhook_id }, 'Webhook')
  const gone = changed<Row>(before, { enabled: false, status: 'disabled', disabled_reason: 'by_hand', previous_secret_until: null }, tx.now)
  tx.queue(store.markDeleted, gone)
  endWaiting(tx, webhook_id, 'dropped')
  tx.record(webhookResource, 'webhook.deleted', { before: shownOf(before), after: null })
  return shownOf(gone)
}

/** Where to send and what to sign with, for those of these endpoints that are on. */
export async function destinationsOf(tx: BusinessTx, ids: readonly string[]): Promise<Map<string, { url: string; secrets: string[] }>> {
  const rows = await tx.many(store.destinations, { ids })
  return new Map(rows.map(({ id, url, secret, previous_secret, previous_secret_until }) => {
    const valid = [secret, ...(previous_secret && previous_secret_until !== null && previous_secret_until > tx.now ? [previous_secret] : [])]
    return [id, { url, secrets: valid.map((sealed) => open(tx.surroundings.encryption_key, sealed, placeOf(tx, id))) }]
  }))
}

export type Verdict = { succeeded: boolean; gone: boolean }

/** Notes how an endpoint, locked before, has answered; one that is gone or hopeless is turned off. Whether it fails is the answer. */
export function noteVerdicts(tx: BusinessTx, before: Row, verdicts: readonly Verdict[]): boolean {
  if (verdicts.length === 0 || !before.enabled) return before.status === 'failing'
  const health = verdicts.reduce<Health>((known, { succeeded }) => healthAfter(known, succeeded, tx.now), before)
  const status = health.failing_since === null ? 'healthy' : 'failing'
  const { last_success_at, last_failure_at, failing_since } = health
  tx.queue(store.writeHealth, { id: before.id, status, last_success_at, last_failure_at, failing_since })
  const reason = verdicts.some(({ gone }) => gone) ? 'gone' : isHopeless(health) ? 'failures' : null
  if (reason) disable(tx, { ...before, ...health, status }, reason)
  return reason === null && status === 'failing'
}

function disable(tx: BusinessTx, before: Row, reason: 'gone' | 'failures'): void {
  const after: Row = changed(before, { enabled: false, status: 'disabled', disabled_reason: reason }, tx.now)
  tx.queue(store.updateWebhook, after)
  endWaiting(tx, before.id, 'dead')
  tx.record(webhookResource, 'webhook.disabled', { before: shownOf(before), after: shownOf(after) })
}

/** Secrets whose time is over, and deleted endpoints whose log is gone. */
export async function forgetOld(tx: BusinessTx): Promise<void> {
  tx.queue(store.forgetSecrets)
  const gone = await tx.many(store.deleteGone)
  if (gone.length > 0) deleteLanes(tx, gone.map(({ id }) => id))
}

/** The endpoint, or a 404; a 400 where it is off. Locked, so that it is not turned off meanwhile. */
export async function requireEnabled(tx: BusinessTx, webhook_id: string): Promise<void> {
  const webhook = await tx.find(store.lockWebhook, { id: webhook_id })
  if (!webhook) throw notFound('Webhook')
  if (!webhook.enabled) throw invalid('This webhook endpoint is off: enable it first.')
}

/** Turned on or pointed elsewhere, an endpoint begins without a past. */
function switched(before: Row, { enabled = before.enabled, url = before.url }: WebhookUpdate): Partial<Row> {
  if (!enabled) return before.enabled ? { status: 'disabled', disabled_reason: 'by_hand' } : {}
  return before.enabled && url === before.url ? {} : { status: 'healthy', disabled_reason: null, failing_since: null }
}

function shownOf({ failing_since: _inside, ...webhook }: Row): Webhook {
  return webhook
}

function newSecret(tx: BusinessTx, webhook_id: string): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: seal(tx.surroundings.encryption_key, secret, placeOf(tx, webhook_id)) }
}

function placeOf(tx: BusinessTx, webhook_id: string): string {
  return `webhooks.secret ${tx.business_id} ${webhook_id}`
}

function later(moment: string, milliseconds: number): string {
  return toTimestamp(new Date(Date.parse(moment) + milliseconds))
}
