// Reading the sandbox mailbox.
import type { PageQuery } from '../../foundation/database/list.ts'
import type { UserTx } from '../../foundation/database/transaction.ts'
import { notFound } from '../../foundation/refusal.ts'
import * as store from './store.ts'

export async function listSandboxMail(tx: UserTx, query: PageQuery) {
  if (!tx.surroundings.sandbox_mail) throw notFound('Sandbox mailbox')
  return tx.page(store.mails, query)
}
