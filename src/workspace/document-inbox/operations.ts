// Taking in mail: whose it is, what of it can be kept, and that each message counts once.
import { getSettings } from '../../access/business-settings/operations.ts'
import { readOnlyReason } from '../../access/read-only.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import { system } from '../../foundation/database/transact.ts'
import type { BusinessTx, PublicTx } from '../../foundation/database/transaction.ts'
import type { GivenFile } from '../../foundation/endpoint.ts'
import { businessOfAddress } from '../../foundation/inbox.ts'
import type { Message } from '../../foundation/message.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { hashToken } from '../../foundation/secrets.ts'
import { storeFiles, type StoredFile } from '../document-files/operations.ts'
import { keepDocuments } from '../documents/operations.ts'
import type { InboundMail } from './contract.ts'
import { filesOf, inboxKey, originOf, readMail, requireGenuine } from './rules.ts'
import * as store from './store.ts'

/** null: there is nothing to keep. */
type Plan = { business_id: string; now: string; mail: InboundMail; files: GivenFile[] } | null

export const receiveMail = {
  async read(tx: PublicTx, message: Message): Promise<Plan> {
    const { encryption_key, inbox } = tx.surroundings
    requireGenuine(inboxKey(inbox.secret, encryption_key), message, tx.now)
    const mail = readMail(message.body)
    const inside = await enterInbox(tx, mail)
    if (!inside) return null
    const { count } = await inside.get(store.countMail, { message_hash: hashToken(mail.message_id) }, 'Mail')
    return count > 0 ? null : { business_id: inside.business_id, now: tx.now, mail, files: filesOf(mail) }
  },

  /** What cannot be kept is left out: the message is over, and nobody is there to be told. */
  async call(surroundings: Surroundings, plan: Plan): Promise<StoredFile[]> {
    const stored: StoredFile[] = []
    for (const file of plan?.files ?? []) {
      const kept = await storeFiles(surroundings, { business_id: plan?.business_id ?? '', now: plan?.now ?? '', files: [file] }).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 400) return []
        throw error
      })
      stored.push(...kept)
    }
    return stored
  },

  async write(tx: PublicTx, _message: Message, plan: Plan, stored: StoredFile[] | null): Promise<{ received: boolean }> {
    const inside = plan && await enterInbox(tx, plan.mail)
    if (!inside) return { received: true }
    // Of two deliveries of one message at once the second waits here, and finds it taken.
    if (await inside.run(store.insertMail, { message_hash: hashToken(plan.mail.message_id) }) === 0) return { received: true }
    await keepDocuments(inside, (stored ?? []).map((file) => ({ file, source: 'email' as const, description: originOf(plan.mail) })))
    return { received: true }
  },
}

/** Into the first business whose inbox the message names; null where it names none, or one that takes nothing. */
async function enterInbox(tx: PublicTx, { to }: InboundMail): Promise<BusinessTx | null> {
  const { encryption_key, inbox } = tx.surroundings
  const [business_id] = to.flatMap((address) => businessOfAddress(encryption_key, inbox.domain, addressIn(address)) ?? [])
  const business = business_id === undefined ? null : await tx.find(store.businessById, { business: business_id })
  if (!business || readOnlyReason(business.status, business, tx.now) !== null) return null
  const { id, timezone, base_currency } = business
  const inside = tx.enter({ id, timezone, base_currency, read_only: null }, system)
  const { documents } = await getSettings(inside)
  return documents.inbox_enabled ? inside : null
}

/** Of `Name <address>` the address. */
function addressIn(text: string): string {
  return /<([^<>]{1,320})>\s*$/.exec(text)?.[1] ?? text
}
