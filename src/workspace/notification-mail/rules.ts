// The words of mails that tell of notifications.
import { unsubscribeToken } from '../notification-preferences/rules.ts'
import type { Topic } from '../notification-kinds/contract.ts'

export type Told = { title: string; body: string | null; action_url: string | null; topic: Topic; business_name: string | null }
type Letter = { subject: string; text: string; headers: Record<string, string> | null }
type Sender = { public_url: string; encryption_key: Uint8Array }

export function notificationLetter({ public_url, encryption_key }: Sender, user_id: string, told: Told): Letter {
  const subject = told.business_name === null ? told.title : `${told.business_name}: ${told.title}`
  const paragraphs = [told.title, told.body, told.action_url && `${public_url}${told.action_url}`]
  // What cannot be turned off offers no way to do it.
  const token = told.topic === 'security' ? null : unsubscribeToken(encryption_key, { user_id, topic: told.topic })
  return letter(public_url, subject, paragraphs, token, `mail about ${told.topic.replaceAll('_', ' ')}`)
}

const MOST_LISTED = 50

export function digestLetter({ public_url, encryption_key }: Sender, user_id: string, all: readonly Told[], count: number): Letter {
  const listed = all.slice(0, MOST_LISTED)
  const groups = [...new Set(listed.map(({ business_name }) => business_name))].map((business_name) => {
    const lines = listed.filter((told) => told.business_name === business_name).map(({ title, action_url }) => `- ${title}${action_url === null ? '' : `\n  ${public_url}${action_url}`}`)
    return [business_name ?? 'Your account', ...lines].join('\n')
  })
  const rest = count > listed.length ? `and ${count - listed.length} more.` : null
  const subject = `Your digest: ${count} notification${count === 1 ? '' : 's'}`
  return letter(public_url, subject, [...groups, rest], unsubscribeToken(encryption_key, { user_id, topic: null }), 'the digest')
}

/** RFC 8058: a mail program that knows it stops the mail with one click, without opening a page. */
function letter(public_url: string, subject: string, paragraphs: readonly (string | null)[], token: string | null, what: string): Letter {
  const footer = token === null ? null : `To stop ${what}: ${public_url}/unsubscribe?token=${token}`
  const headers = token === null ? null : {
    'List-Unsubscribe': `<${public_url}/api/v1/notification-preferences/unsubscribe?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  return { subject: subject.slice(0, 500), text: [...paragraphs, footer].filter((part) => part !== null && part !== '').join('\n\n'), headers }
}
