// Telling people by mail: at once, when their quiet hours are over, and in a digest.
import type { Tx } from '../../foundation/database/transaction.ts'
import { sendMail } from '../../foundation/jobs/mail.ts'
import { readFor } from '../notification-access/operations.ts'
import { takeDigest } from '../notification-preferences/operations.ts'
import { digestLetter, notificationLetter, type Told } from './rules.ts'
import * as store from './store.ts'

/** Written in nobody's business: the mail is between Daybook and its recipient. */
export function mailNotification(tx: Tx, to: { user_id: string; email: string }, told: Told): void {
  sendMail(tx, { to: to.email, ...notificationLetter(tx.surroundings, to.user_id, told) })
}

export function holdMail(tx: Tx, held: readonly { user_id: string; notification_id: string; due_at: string }[]): void {
  if (held.length === 0) return
  const each = <Name extends keyof (typeof held)[number]>(name: Name) => held.map((one) => one[name])
  tx.queue(store.insertHolds, { user_ids: each('user_id'), notification_ids: each('notification_id'), due_at: each('due_at') })
}

/** Sends one mail whose quiet hours are over; false where none waits. */
export async function sendHeld(tx: Tx): Promise<boolean> {
  const held = await tx.find(store.takeHold)
  if (!held) return false
  const { user_id, notification_id } = held
  readFor(tx, user_id)
  const told = await tx.find(store.findUnmailed, { user_id, id: notification_id })
  if (told) {
    mailNotification(tx, { user_id, email: told.email }, told)
    tx.queue(store.markMailed, { user_id, id: notification_id })
  }
  return true
}

/** Sends one digest that is due; false where none is. */
export function sendDigest(tx: Tx): Promise<boolean> {
  return takeDigest(tx, async (user_id) => {
    readFor(tx, user_id)
    const untold = await tx.many(store.untold, { user_id })
    const [first] = untold
    if (first) sendMail(tx, { to: first.email, ...digestLetter(tx.surroundings, user_id, untold, untold.length) })
    tx.queue(store.markTold, { user_id })
    return first !== undefined
  })
}
