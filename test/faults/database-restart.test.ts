// The database goes away under load and comes back: 503 meanwhile, nothing lost, nothing twice, no restart of the service.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyAll } from '../../src/app/commands/verify.ts'
import { migrate } from '../../src/foundation/database/migrate.ts'
import { startEmbedded, type Embedded } from '../../src/foundation/postgres/embedded.ts'
import type { Answer } from '../support/client.ts'
import { newFolder, serviceOn, type Own, type Owner } from '../support/own.ts'
import { postgresOf, until } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof newFolder>>
let data_dir: string
let postgres: Embedded
let own: Own
let owner: Owner
beforeAll(async () => {
  folder = await newFolder()
  data_dir = join(folder.path, 'data')
  postgres = await startEmbedded({ data_dir, log: () => {} })
  await migrate({ url: postgres.url })
  own = await serviceOn(postgres.url, { DAYBOOK_POOL_SIZE: '6', DAYBOOK_LOG_LEVEL: 'error' })
  owner = await own.owner()
})
afterAll(async () => {
  await own.stop()
  await postgres.stop()
  await folder.remove()
})

async function startAgain(): Promise<void> {
  const { port } = postgres
  await postgres.stop()
  postgres = await startEmbedded({ data_dir, port, log: () => {} })
}

it.each([
  ['killed', async () => process.kill(await postgresOf(data_dir), 'SIGKILL')],
  ['stopped', async () => postgres.stop()],
])('%s and started again', async (how, end) => {
  const answers: Answer[] = []
  const made = new Map<string, string>()
  let over = false
  /** As a careful client does it: the same key until there is an answer that counts. */
  const create = async (title: string) => {
    for (;;) {
      const answer = await owner.client.post('/todos', { title }, { headers: { 'idempotency-key': title } })
      answers.push(answer)
      if (answer.status === 201) return made.set(title, answer.data.id)
      await pause(10)
    }
  }
  const keepCreating = async (name: number) => {
    for (let n = 0; !over; n++) await create(`${how} ${name}-${n}`)
  }
  const keepReading = async () => {
    while (!over) {
      const answer = await owner.client.get('/todos', { limit: 2 })
      answers.push(answer)
      if (answer.status !== 200) await pause(10)
    }
  }
  const load = [...Array.from({ length: 8 }, (_, name) => keepCreating(name)), keepReading(), keepReading()]
  await until('the load runs', async () => made.size > 50)
  await end()
  await until('callers notice', async () => answers.some(({ status }) => status === 503))
  expect((await fetch(`${own.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${own.url}/healthz`)).status).toBe(200)
  await startAgain()
  const before = made.size
  await until('it goes on by itself', async () => made.size > before + 50)
  over = true
  await Promise.all(load)

  const failures = answers.filter(({ status }) => status !== 201 && status !== 200)
  // 409: a caller comes back while the first try still runs.
  expect(failures.filter(({ status }) => status !== 503 && status !== 409).map(({ status, detail }) => `${status} ${detail}`)).toEqual([])
  expect(failures.filter(({ status, headers }) => status === 503 && !(Number(headers.get('retry-after')) >= 1))).toEqual([])
  const rows = await own.sql('select title, id from todos where business_id = $1 and title like $2', [owner.business_id, `${how} %`])
  expect(rows.map(({ title, id }) => `${title} ${id}`).toSorted()).toEqual([...made].map(([title, id]) => `${title} ${id}`).toSorted())
  expect((await fetch(`${own.url}/readyz`)).status).toBe(200)
  expect((await owner.client.get('/audit-trail/verify')).data).toMatchObject({ ok: true })
  expect((await verifyAll(own.program.database, null)).flatMap(({ problems }) => problems)).toEqual([])
})
