// What stands around every page: where one can go, which business is looked at, and who is looking.
import {
  ActionIcon, AppShell, Burger, Button, Group, Menu, NavLink, ScrollArea, Select, Text, useComputedColorScheme, useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { api, remembered } from './api.ts'
import { areas } from './areas.ts'
import { Bell } from './home/bell.tsx'
import { MilestoneWatch } from './home/milestone-watch.tsx'
import { SearchBox } from './home/search-box.tsx'
import { Failure, Loading, sayFailed } from './parts/feedback.tsx'
import { SessionProvider, useChooseBusiness, useSessionQuery, type Session } from './session.tsx'

export function Shell() {
  const session = useSessionQuery()
  if (session.isPending) return <Loading />
  if (session.isError) return <Failure error={session.error} again={() => void session.refetch()} />
  return (
    <SessionProvider session={session.data}>
      <Frame session={session.data} />
    </SessionProvider>
  )
}

function Frame({ session }: { session: Session }) {
  const [opened, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding="md">
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Text component={Link} to="/" fw={700} c="inherit" td="none" visibleFrom="sm">Daybook</Text>
            <Businesses session={session} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchBox />
            <Bell />
            <MilestoneWatch />
            <Brightness />
            <Person session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <ScrollArea component="nav" aria-label="Pages">
          {areas.map(({ title, entries }, place) => (
            <div key={place}>
              {title && entries.some(({ menu }) => menu) && <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm">{title}</Text>}
              {entries.map(({ path: to, menu }) => menu && (
                <NavLink key={to} component={Link} to={to} label={menu} active={to === '/' ? path === '/' : path.startsWith(to)} onClick={close} />
              ))}
            </div>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet key={session.membership?.business_id ?? 'none'} />
      </AppShell.Main>
    </AppShell>
  )
}

function Businesses({ session: { memberships, membership } }: { session: Session }) {
  const choose = useChooseBusiness()
  const go = useNavigate()
  if (memberships.length === 0) return null
  return (
    <Select
      aria-label="Business" w={{ base: 132, xs: 190, sm: 260 }} searchable allowDeselect={false} value={membership?.business_id ?? null}
      data={memberships.map(({ business_id, business_name }) => ({ value: business_id, label: business_name }))}
      onChange={(business_id) => business_id && void choose(business_id).then(() => go({ to: '/' }))}
    />
  )
}

function useBrightness() {
  const scheme = useComputedColorScheme('light')
  const { setColorScheme } = useMantineColorScheme()
  const other: 'light' | 'dark' = scheme === 'dark' ? 'light' : 'dark'
  return { scheme, other, setColorScheme }
}

function Brightness() {
  const { scheme, other, setColorScheme } = useBrightness()
  return (
    <ActionIcon variant="default" size="lg" onClick={() => setColorScheme(other)} visibleFrom="xs" aria-label={`Change to ${other} colours`}>
      {scheme === 'dark' ? '☀' : '☾'}
    </ActionIcon>
  )
}

const initialsOf = (name: string): string => name.split(/\s+/).map((word) => word[0] ?? '').slice(0, 2).join('').toUpperCase()

function Person({ session: { user } }: { session: Session }) {
  const go = useNavigate()
  const { other, setColorScheme } = useBrightness()
  const queries = useQueryClient()
  const leave = async () => {
    try {
      await api.POST('/api/v1/user/sign-out')
    } catch (error) {
      return sayFailed(error)
    }
    remembered.csrf_token = null
    queries.clear()
    await go({ to: '/sign-in' })
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" px={{ base: 'xs', sm: 'md' }}>
          <Text span inherit visibleFrom="sm">{user.name}</Text>
          <Text span inherit hiddenFrom="sm">{initialsOf(user.name)}<VisuallyHidden> {user.name}</VisuallyHidden></Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item onClick={() => void go({ to: '/new-business' })}>New business</Menu.Item>
        <Menu.Item hiddenFrom="xs" onClick={() => setColorScheme(other)}>Change to {other} colours</Menu.Item>
        <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
