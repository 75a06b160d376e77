// Delivers committed events to the subscribers: per business in order, each event once per subscriber.
import { Type } from 'typebox'
import { command, statement } from '../database/statement.ts'
import { asSystem, plainRequest, transact, type Database } from '../database/transact.ts'
import type { Business } from '../database/context.ts'
import { anyObject, id } from '../shapes.ts'
import type { Logger } from '../log.ts'
import type { Subscriber } from './job.ts'

const takeOutbox = statement(
  Type.Object({ business_id: id() }),
  `with taken as (delete from outbox where id in (
     select id from outbox where not_before is null or not_before <= :now::timestamptz order by id limit 500 for update skip locked) returning business_id)
   select distinct business_id from taken`)

const tryAgain = command(`insert into outbox (business_id, event_seq, not_before) values (:business, 0, :now::timestamptz + interval '15 seconds')`)

const position = statement(Type.Object({ seq: Type.Integer() }),
  `insert into subscriber_positions (business_id, subscriber, seq) values (:business_id, :subscriber, 0)
   on conflict (business_id, subscriber) do update set seq = subscriber_positions.seq returning seq`)

const eventsAfter = statement(
  Type.Object({ seq: Type.Integer(), type: Type.String(), resource_type: Type.String(), resource_id: id(), data: anyObject() }),
  `select seq, type, resource_type, resource_id, data from events where business_id = :business_id and seq > :seq and type = any(:types) order by seq limit 200`)

const headSeq = statement(Type.Object({ event_seq: Type.Integer() }), 'select event_seq from business_heads where business_id = :business_id')

const advance = command('update subscriber_positions set seq = :seq where business_id = :business_id and subscriber = :subscriber')

export type BusinessLookup = (database: Database, business_id: string) => Promise<Business | null>

/** Works through what is waiting; the number of businesses served. The rows are taken back if this process dies in the middle. */
export async function deliverEvents(database: Database, subscribers: readonly Subscriber[], lookup: BusinessLookup, log: Logger): Promise<number> {
  return transact(database, { business_id: null, read_only: false, request: plainRequest }, async ({ tx }) => {
    const waiting = await tx.many(takeOutbox)
    for (const { business_id } of waiting) {
      const business = await lookup(database, business_id)
      const failed = business ? await deliverTo(database, business, subscribers, log) : 0
      if (failed > 0) tx.queue(tryAgain, { business: business_id })
    }
    return waiting.length
  })
}

/** Brings every subscriber to the end of one business's log; the number that failed. One that fails does not hold up the others. */
export async function deliverTo(database: Database, business: Business, subscribers: readonly Subscriber[], log: Logger): Promise<number> {
  let failed = 0
  for (const subscriber of subscribers) {
    try {
      await catchUp(database, business, subscriber, log)
    } catch (error) {
      failed += 1
      log.error({ err: error, subscriber: subscriber.name, business_id: business.id }, 'a subscriber failed; it is tried again')
    }
  }
  return failed
}

/** One subscriber in one business, to the end of the log. */
async function catchUp(database: Database, business: Business, subscriber: Subscriber, log: Logger): Promise<void> {
  for (;;) {
    const more = await asSystem(database, business, `subscriber-${subscriber.name}`, async (tx) => {
      // The row lock makes one worker at a time read for this subscriber.
      const { seq } = await tx.get(position, { subscriber: subscriber.name }, 'Position')
      const head = await tx.get(headSeq, {}, 'History')
      if ('follow' in subscriber) {
        // What is committed up to the head is visible to every later statement.
        if (head.event_seq > seq) await subscriber.follow(tx, { after: seq, upto: head.event_seq })
        await tx.run(advance, { subscriber: subscriber.name, seq: Math.max(seq, head.event_seq) })
        return false
      }
      const events = await tx.many(eventsAfter, { seq, types: subscriber.types })
      for (const event of events) {
        await subscriber.handle(tx, event)
        log.debug({ subscriber: subscriber.name, business_id: business.id, seq: event.seq }, 'event handled')
      }
      const full = events.length === 200
      const last = events.at(-1)?.seq ?? 0
      // An event may have committed between the look at the head and the look at the log: the position goes by the later one.
      await tx.run(advance, { subscriber: subscriber.name, seq: full ? last : Math.max(last, head.event_seq) })
      return full
    })
    if (!more) return
  }
}
