// Decks for tests: begun over HTTP, made by the worker's own code, one job at a time.
import { openLog } from '../../src/foundation/log.ts'
import { generateDeckJob, refreshDeckJob } from '../../src/insight/deck-making/jobs.ts'
import { longJobRunners } from '../../src/workspace/jobs/jobs.ts'
import type { Client } from './client.ts'
import { service } from './service.ts'

const [runner, recovery] = longJobRunners([generateDeckJob, refreshDeckJob])

const context = async () => ({ database: (await service()).program.database, log: openLog('silent'), mailer: null, job_id: 'test' })

/** Carries out a job that makes a deck, as a worker would. */
export async function workOn(business_id: string, job_id: string): Promise<void> {
  await runner!.run(await context(), { business_id, job_id } as never)
}

/** Gives jobs whose worker is silent back to the queue. */
export async function recoverDecks(): Promise<void> {
  await recovery!.run(await context(), {} as never)
}

/** Until it has ended: tests beside this one, whose clocks are others, may take a job for lost and give it back to the queue. */
async function carriedOut(client: Client, job_id: string): Promise<void> {
  for (;;) {
    await workOn(client.business_id ?? '', job_id)
    const { data: job } = await client.get(`/jobs/${job_id}`)
    if (job.status !== 'queued' && job.status !== 'running') return
  }
}

export const MARCH = { template: 'monthly_review', period_start: '2026-03-01', period_end: '2026-03-31' }

/** A deck that is ready. */
export async function newDeck(client: Client, input: object = {}): Promise<any> {
  const { data, detail } = await client.post('/ai-reporting/decks', { ...MARCH, ...input })
  if (!data) throw new Error(`No deck: ${JSON.stringify(detail)}`)
  await carriedOut(client, data.job_id)
  return (await client.get(`/ai-reporting/decks/${data.id}`)).data
}

/** Refreshes a deck to the end and reads it. */
export async function refreshed(client: Client, deck_id: string, input: object = {}): Promise<any> {
  const { data, detail } = await client.post(`/ai-reporting/decks/${deck_id}/refresh`, input)
  if (!data) throw new Error(`Not refreshed: ${JSON.stringify(detail)}`)
  await carriedOut(client, data.id)
  return (await client.get(`/ai-reporting/decks/${deck_id}`)).data
}

/** The figure of a metric on a deck. */
export function metricOn(deck: { slides: any[] }, metric: string): any {
  const block = deck.slides.flatMap(({ blocks }) => blocks).find(({ kind, binding }) => kind === 'metric' && binding?.metric === metric)
  return block?.figures[0]
}
