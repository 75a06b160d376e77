// The addresses of the console. Each page is a part of its own that is loaded when it is first opened.
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { ApiError } from './api.ts'
import type { Entry } from './area.ts'
import { areas } from './areas.ts'
import { Failure, Loading } from './parts/feedback.tsx'
import { sessionQuery } from './session.tsx'
import { Shell } from './shell.tsx'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  errorComponent: ({ error }) => <Failure error={error} again={() => location.reload()} />,
})

/** Everything below needs somebody who is signed in; where they wanted to go is kept. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  async beforeLoad({ context, location }) {
    try {
      const { memberships } = await context.queries.ensureQueryData(sessionQuery)
      if (memberships.length === 0 && location.pathname !== '/new-business') throw redirect({ to: '/new-business' })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw redirect({ to: '/sign-in', search: { next: location.href } })
      throw error
    }
  },
})

const entries = areas.flatMap((area) => area.entries)
const routeOf = ({ path, load, name, open }: Entry) =>
  createRoute({
    getParentRoute: () => (open ? root : signedIn) as typeof root, path,
    component: lazyRouteComponent(load as () => Promise<Record<string, never>>, name),
  })

export const router = createRouter({
  routeTree: root.addChildren([...entries.filter(({ open }) => open).map(routeOf), signedIn.addChildren(entries.filter(({ open }) => !open).map(routeOf))]),
  context: { queries: undefined as unknown as QueryClient },
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading />,
  defaultNotFoundComponent: () => <Failure error={new Error('There is no such page.')} />,
  scrollRestoration: true,
})
