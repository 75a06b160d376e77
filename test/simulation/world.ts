// What the people of the simulation know: what there is to work with, and what the service has answered them.
import { addDays } from '../../src/foundation/calendar.ts'
import type { JournalEntry } from '../../src/ledger/journal/contract.ts'
import type { Answer, Client } from '../support/client.ts'
import type { Random } from './random.ts'
import type { Sales } from './sales.ts'

/** What the service has said: whatever it answered must be in the journal, and nothing else. */
export type World = {
  ledgers: { id: string; name: string; currency: string; is_bank: boolean }[]
  first_date: string
  days: number
  /** Entries that were answered, as they were shown last. */
  posted: Map<string, JournalEntry>
  /** What became of each entry that somebody tried to post, by its memo; null while the answer is out, or where it was lost. */
  tried: Map<string, boolean | null>
  /** Customers, invoices and what belongs to them; null where nobody sells. */
  sales: Sales | null
  lost: number
  refused: number
  done: Record<string, number>
}

export type Operation = (client: Client, world: World, random: Random) => Promise<void>

export function newWorld(ledgers: World['ledgers'], first_date: string, days: number): World {
  return { ledgers, first_date, days, posted: new Map(), tried: new Map(), sales: null, lost: 0, refused: 0, done: {} }
}

export const dateIn = (world: World, random: Random): string => addDays(world.first_date, random.between(0, world.days))

/** A refusal is fine, in words; a fault is not. */
export function refuse(world: World, answer: Answer): void {
  if (answer.status < 400 || answer.status >= 500) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  world.refused += 1
}

export async function expectDone(answer: Promise<Answer>): Promise<any> {
  const { status, body, data } = await answer
  if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`)
  return data
}

/** The connection broke, or the database was not there: whether it happened is not known. */
export function isLost(error: unknown): boolean {
  const { message, cause } = error as Error & { cause?: { code?: string } }
  return /fetch failed|terminated|socket|other side closed|answered 503/i.test(`${message} ${cause?.code ?? ''}`)
}
