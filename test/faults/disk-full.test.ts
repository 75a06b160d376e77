// The disk of the database fills up: writes are refused in a sentence that names it, reads go on, and space brings it back.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { migrate } from '../../src/foundation/database/migrate.ts'
import { startEmbedded } from '../../src/foundation/postgres/embedded.ts'
import { newFolder, serviceOn } from '../support/own.ts'

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('NOT TESTED: a full disk. Mounting a small one needs root.')

it.skipIf(!isRoot)('a full disk is named, and free space brings writes back', async () => {
  const folder = await newFolder()
  const disk = join(folder.path, 'disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk])
  try {
    const postgres = await startEmbedded({ data_dir: join(disk, 'data'), log: () => {} })
    await migrate({ url: postgres.url })
    const own = await serviceOn(postgres.url, { DAYBOOK_POOL_SIZE: '2' })
    const owner = await own.owner()
    // Text that does not compress, so that every row needs a page.
    const create = () => owner.client.post('/todos', { title: 'Big', description: randomBytes(9_000).toString('hex') })
    const made: string[] = [(await create()).data.id]
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${disk}/ballast bs=4k 2>/dev/null || true`])

    let refused = await create()
    for (let n = 0; n < 200 && refused.status === 201; n++) {
      made.push(refused.data.id)
      refused = await create()
    }
    expect(refused).toMatchObject({ status: 503, detail: 'The disk of the database is full: nothing was changed. Free some space, then try again.' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await owner.client.get(`/todos/${made[0]}`)).status).toBe(200)

    rmSync(join(disk, 'ballast'))
    const after = await create()
    expect(after.status).toBe(201)
    made.push(after.data.id)
    const rows = await own.sql('select id from todos where business_id = $1 order by id', [owner.business_id])
    expect(rows.map(({ id }) => id)).toEqual(made.toSorted())
    expect((await owner.client.get('/audit-trail/verify')).data).toMatchObject({ ok: true })
    await own.stop()
    await postgres.stop()
  } finally {
    execFileSync('umount', ['-l', disk])
    await folder.remove()
  }
})
