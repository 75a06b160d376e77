// Calls that work for the endpoints of notifications and their preferences.
import { unsubscribeToken } from '../../src/workspace/notification-preferences/rules.ts'
import { newNotification } from '../support/notifications.ts'
import type { Team } from '../support/people.ts'
import { service } from '../support/service.ts'
import type { Sample } from './samples.ts'

const newOne = (team: Team) => newNotification(team.client, team.owner.user_id)
const tomorrow = async () => new Date((await service()).clock.now().getTime() + 86_400_000).toISOString()

/** One on which something was done already. */
const after = (action: string, body: () => Promise<unknown> = async () => ({})) => async (team: Team) => {
  const notification_id = await newOne(team)
  await team.client.put(`/notifications/${notification_id}/${action}`, await body())
  return { params: { notification_id } }
}
const until = async () => ({ until: await tomorrow() })

export const notificationIds: Record<string, (team: Team) => Promise<string>> = { notification_id: newOne }

export const notificationSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  list_notifications: async (team) => (await newOne(team), {}),
  stream_notifications: async () => ({ stream: true }),
  unread_notification: after('read'),
  unsnooze_notification: after('snooze', until),
  reopen_notification: after('dismiss'),
  snooze_notification: async () => ({ body: await until() }),
  mark_all_notifications_read: async (team) => (await newOne(team), {}),
  bulk_notifications: async (team) => ({ body: { ids: [await newOne(team)], action: 'dismiss' } }),
  unsubscribe_notifications: async (team) => {
    const { encryption_key } = (await service()).program.database.surroundings
    return { query: { token: unsubscribeToken(encryption_key, { user_id: team.owner.user_id, topic: 'task' }) } }
  },
}
