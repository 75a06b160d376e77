// Calls of exports that work.
import { runJobs } from '../support/jobs.ts'
import type { Team } from '../support/people.ts'

/** One that is ready, with its file. */
async function newExport(team: Team): Promise<string> {
  const { id } = (await team.client.post('/exports', { kind: 'tags' })).data
  await runJobs(team.business_id)
  return id
}

export const exportIds: Record<string, (team: Team) => Promise<string>> = { export_id: newExport }
