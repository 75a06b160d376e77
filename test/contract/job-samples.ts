// Calls of jobs and of the search that work.
import { sql, type Team } from '../support/people.ts'
import type { Sample } from './samples.ts'

const newJob = async ({ client }: Team): Promise<string> => (await client.post('/search/reindex')).data.id

const failedJob = async (team: Team): Promise<Partial<Sample>> => {
  const job_id = await newJob(team)
  await sql(`update jobs set status = 'failed', error = 'It failed.', lease_until = null, finished_at = created_at where id = $1`, [job_id])
  return { params: { job_id } }
}

export const jobIds: Record<string, (team: Team) => Promise<string>> = { job_id: newJob }

export const jobSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  retry_job: failedJob,
  follow_job: failedJob,
  search: async () => ({ query: { q: 'sales' } }),
  suggest: async () => ({ query: { q: 'sales' } }),
  remember_recent_record: async (team) => ({ body: { type: 'tag', id: (await team.client.post('/tags', { name: 'Sample' })).data.id } }),
  forget_recent_records: async (team) => {
    await team.client.post('/search/recent', { type: 'tag', id: (await team.client.post('/tags', { name: 'Sample' })).data.id })
    return {}
  },
}
