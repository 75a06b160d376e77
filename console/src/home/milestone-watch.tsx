// Tells the API what only the console sees: that a report was looked at, and that the console was opened on a phone.
import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Schemas } from '../api.ts'
import { useBusiness, useSession } from '../session.tsx'
import { reportMilestone, useActivation } from './activation.tsx'

export function MilestoneWatch() {
  return useSession().business ? <Watch /> : null
}

function Watch() {
  const { id } = useBusiness()
  const queries = useQueryClient()
  const { data } = useActivation()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const seen = seenAt(path, data?.milestones ?? [])
  useEffect(() => {
    // A milestone is no matter of the reader's: where it cannot be told, nobody is bothered.
    if (seen) void reportMilestone(seen, id).then((status) => queries.setQueryData(['activation', id], status), () => undefined)
  }, [seen, id, queries])
  return null
}

function seenAt(path: string, milestones: readonly Schemas['MilestoneStatus'][]): 'report_viewed' | 'mobile_opened' | null {
  const missing = (name: string) => milestones.some(({ milestone, reached }) => milestone === name && !reached)
  if (path.startsWith('/reports/') && missing('report_viewed')) return 'report_viewed'
  return window.matchMedia('(max-width: 48em) and (pointer: coarse)').matches && missing('mobile_opened') ? 'mobile_opened' : null
}
