// What can be done with activation: read it, report a milestone, make a sample; and what follows from events.
import { SAMPLE_DAYS } from '../../access/businesses/rules.ts'
import { dropSample, type Founder } from '../../access/businesses/operations.ts'
import { toTimestamp } from '../../foundation/calendar.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid } from '../../foundation/refusal.ts'
import { industryOf, type Industry } from '../../ledger/charts/rules.ts'
import { figuresOfSample, makeSample } from '../sample-business/operations.ts'
import { milestoneResource, type ActivationStatus, type Milestone, type Reached, type SamplePreview } from './contract.ts'
import { isActivated, milestoneOf, requireReported, SIGNS, statusOf } from './rules.ts'
import * as store from './store.ts'

/** The log is asked too: what happened a moment ago, or before anybody kept milestones, is reached all the same. */
export async function getActivation(tx: BusinessTx): Promise<ActivationStatus> {
  const [kept, seen, sample] = await Promise.all([tx.many(store.reached), firstSigns(tx, Object.values(SIGNS)), tx.find(store.findSample)])
  return statusOf(kept, seen, sample)
}

export async function reportMilestone(tx: BusinessTx, milestone: Milestone): Promise<ActivationStatus> {
  requireReported(milestone)
  await keep(tx, { milestone, reached_at: tx.now, reached_by: tx.actor.user_id })
  return getActivation(tx)
}

/** After an event that is a sign of a milestone: the first one of its kind is kept, with its own time. */
export async function observe(tx: BusinessTx, event_type: string): Promise<void> {
  const milestone = milestoneOf(event_type)
  // After the first of thousands there is nothing left to do.
  if ((await tx.many(store.reached)).some((one) => one.milestone === milestone)) return
  for (const found of await firstSigns(tx, [event_type])) await keep(tx, found)
}

/** Of two who ask at once the second gets the sample of the first. */
export async function previewSample(tx: BusinessTx, { industry, reset = false }: { industry?: Industry; reset?: boolean }, founders: readonly Founder[]): Promise<SamplePreview> {
  const business = await tx.get(store.business, {}, 'Business')
  if (business.is_sample) throw invalid('This business is a sample itself: make one from a business of your own.')
  await tx.exclusive(`sample of ${tx.user_id} in ${tx.business_id}`)
  const standing = await tx.find(store.findSample)
  if (standing && !reset) {
    return { sample_business_id: standing.business_id, expires_at: standing.expires_at, reused: true, figures: await figuresOfSample(tx, standing.business_id) }
  }
  const old = await tx.find(store.anySample)
  if (old) await dropSample(tx, old.sample_business_id)
  const wanted = { seed: Date.parse(tx.now) % 1_000_000, industry: industry ?? industryOf(business.industry) ?? 'general' }
  const { id: sample_business_id, figures } = await makeSample(tx, wanted, founders)
  const expires_at = toTimestamp(new Date(Date.parse(tx.now) + SAMPLE_DAYS * 86_400_000))
  tx.queue(store.saveSample, { sample_business_id, expires_at })
  return { sample_business_id, expires_at, reused: false, figures }
}

async function firstSigns(tx: BusinessTx, types: readonly string[]): Promise<Reached[]> {
  const found = await tx.many(store.firstEvents, { types })
  return found.flatMap(({ type, reached_at, reached_by }) => {
    const milestone = milestoneOf(type)
    return milestone ? [{ milestone, reached_at, reached_by }] : []
  })
}

/** The first who comes counts. The one that makes the core complete tells that, too. */
async function keep(tx: BusinessTx, found: Reached): Promise<void> {
  await tx.exclusive(`milestones of ${tx.business_id}`)
  const before = (await tx.many(store.reached)).map(({ milestone }) => milestone)
  if (before.includes(found.milestone)) return
  const row = { id: newId(), business_id: tx.business_id, ...found }
  await tx.find(store.reach, row)
  tx.record(milestoneResource, 'activation.milestone_reached', { before: null, after: row })
  if (!isActivated(before) && isActivated([...before, found.milestone])) tx.record(milestoneResource, 'activation.activated', { before: null, after: row })
}
