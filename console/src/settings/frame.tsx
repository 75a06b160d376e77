// The frame of every page of the settings: the list of them beside it, or above it where there is little room.
import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import styles from './frame.module.css'
import { useIsAccountant, useIsAdmin } from './roles.ts'

type Place = { to: string; name: string; for?: 'admins' | 'accountants' }
const GROUPS: { title: string; places: Place[] }[] = [
  {
    title: 'This business',
    places: [
      { to: '/settings', name: 'Business' },
      { to: '/settings/preferences', name: 'How it works' },
      { to: '/settings/numbering', name: 'Numbering' },
      { to: '/settings/members', name: 'People' },
      { to: '/settings/plan', name: 'Plan' },
      { to: '/settings/webhooks', name: 'Webhooks', for: 'admins' },
      { to: '/settings/audit', name: 'Audit trail', for: 'accountants' },
    ],
  },
  {
    title: 'You',
    places: [
      { to: '/settings/account', name: 'Your account' },
      { to: '/settings/security', name: 'Security' },
      { to: '/settings/notifications', name: 'Notifications' },
    ],
  },
  {
    title: 'Programs',
    places: [
      { to: '/settings/tokens', name: 'API tokens' },
      { to: '/settings/apps', name: 'Connected apps' },
      { to: '/settings/clients', name: 'Your own apps' },
    ],
  },
]

type SettingsPageProps = { title: string; words?: ReactNode; actions?: ReactNode; children: ReactNode }

export function SettingsPage({ title, words, actions, children }: SettingsPageProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const allowed = { admins: useIsAdmin(), accountants: useIsAccountant() }
  const list = useRef<HTMLElement>(null)
  // Where the list is a strip, the page that is open stands in sight.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  const isOpen = (to: string) => (to === '/settings' ? path === to : path.startsWith(to))
  return (
    <div className={styles.frame}>
      <nav ref={list} aria-label="Settings" className={styles.list}>
        {GROUPS.map(({ title: group, places }) => [
          <Text key={group} className={styles.group ?? ''} size="xs" c="dimmed" fw={600} px="sm" pt="sm">{group}</Text>,
          ...places.filter((place) => !place.for || allowed[place.for]).map(({ to, name }) => (
            <NavLink key={to} component={Link} to={to} label={name} active={isOpen(to)} activeOptions={{ exact: to === '/settings' }} py={6} />
          )),
        ])}
      </nav>
      <Page title={title} actions={actions}>
        <Stack gap="lg">
          {words && <Text size="sm" c="dimmed" maw={720}>{words}</Text>}
          {children}
        </Stack>
      </Page>
    </div>
  )
}
