// Mailing people the link of a request. The token is made for the mail and kept nowhere.
import { Type } from 'typebox'
import { getSettings } from '../../access/business-settings/operations.ts'
import { statement } from '../../foundation/database/statement.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'
import { boolean, nullable } from '../../foundation/shapes.ts'
import { createLinks, linkToken } from '../document-links/operations.ts'
import type { Loaded, RequestItem } from '../document-requests/contract.ts'
import { letterOf, type LetterKind } from './rules.ts'

/** Among the links of all kinds of documents these are of this kind; what they open is the link_id of a recipient. */
export const REQUEST_LINK = 'document_request'

const senderOf = statement(
  Type.Object({ name: Type.String(), email: nullable(Type.String()), phone: nullable(Type.String()), country: Type.String(), is_sample: boolean() }),
  'select name, email, phone, country, is_sample from businesses where id = :business_id')

/** The links that these requests' recipients have just been given. */
export function openLinks(tx: BusinessTx, requests: readonly Loaded[]): void {
  const ids = requests.flatMap(({ recipients }) => recipients.flatMap(({ link_id }) => link_id ?? []))
  createLinks(tx, ids.map((document_id) => ({ document_type: REQUEST_LINK, document_id })))
}

/** To all recipients, or to some of them. A sample business writes to nobody. */
export async function mailRequests(
  tx: BusinessTx, kind: LetterKind, requests: readonly Loaded[], { rejected = null, only }: { rejected?: RequestItem | null; only?: ReadonlySet<string> } = {},
): Promise<void> {
  if (requests.length === 0) return
  const [sender, { sales }] = await Promise.all([tx.get(senderOf, {}, 'Business'), getSettings(tx)])
  if (sender.is_sample) return
  for (const request of requests) {
    for (const { id, name, email, link_id } of request.recipients) {
      if (link_id === null || (only && !only.has(id))) continue
      const url = `${tx.surroundings.public_url}/request/${linkToken(tx, REQUEST_LINK, link_id)}`
      sendMail(tx, {
        to: email, business_id: tx.business_id, sender_name: sender.name, reply_to: sales.reply_to ?? sender.email,
        ...letterOf(kind, request, { name, url }, sender, rejected),
      })
    }
  }
}
