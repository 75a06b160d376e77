// The bell in the header: how much is unread, kept up to date by the stream of notifications, or once a minute where that does not work.
import { ActionIcon, Indicator } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { api, dataOf } from '../api.ts'
import { useLiveEvents } from '../parts/live-events.ts'
import { BellIcon } from './icons.tsx'

export function Bell() {
  const follows = useStream()
  const { data } = useQuery({
    queryKey: ['notifications', 'counts'], queryFn: () => dataOf(api.GET('/api/v1/notifications/counts')), refetchInterval: follows ? false : 60_000,
  })
  const unread = data?.unread ?? 0
  return (
    <Indicator label={unread > 99 ? '99+' : unread} disabled={unread === 0} size={18} color="red.8" offset={4}>
      <ActionIcon
        component={Link} to="/notifications" variant="default" size="lg" aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
      >
        <BellIcon />
      </ActionIcon>
    </Indicator>
  )
}

/** Whether news comes by itself. Several at once are read as one. */
function useStream(): boolean {
  const queries = useQueryClient()
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(later.current), [])
  return useLiveEvents('/api/v1/notifications/stream', ({ event }) => {
    if (event !== 'notification.created' && event !== 'notification.changed') return
    clearTimeout(later.current)
    later.current = setTimeout(() => void queries.invalidateQueries({ queryKey: ['notifications'] }), 400)
  })
}
