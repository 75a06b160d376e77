// npm run bench:notifications: what the feed of somebody with a million notifications costs, against any other list of the same size of page.
import { asOwner, call, newCaller } from './parts/books.ts'
import { startDaybook, startMachine } from './parts/machine.ts'
import { median } from './parts/rounds.ts'

const COUNT = Number(process.env['COUNT'] ?? 1_000_000)
const ROUNDS = Number(process.env['ROUNDS'] ?? 31)

const machine = await startMachine()
try {
  const daybook = await startDaybook(machine)
  const caller = await newCaller(machine.database_url)
  const { id: business_id } = await call<{ id: string }>(daybook.url, caller, null, 'POST', '/businesses', { name: 'Bench feed' })
  for (let made = 0; made < 60; made++) await call(daybook.url, caller, business_id, 'POST', '/todos', { title: `Todo ${made}` })
  await fill(business_id)
  const paths = ['/todos?limit=50', '/notifications?limit=50', `/notifications?limit=50&cursor=${encodeURIComponent(await farCursor(business_id))}`]
  const times = paths.map((): number[] => [])
  for (let round = 0; round < ROUNDS + 3; round++) {
    for (const [index, path] of paths.entries()) {
      const started = performance.now()
      await call(daybook.url, caller, business_id, 'GET', path)
      if (round >= 3) times[index]?.push(performance.now() - started)
    }
  }
  const [list = NaN, first = NaN, far = NaN] = times.map(median)
  console.table([
    { measured: `page of 50 of a feed of ${COUNT.toLocaleString('en')}, of a page of 50 todos`, result: `${(first / list).toFixed(2)} (${first.toFixed(1)} against ${list.toFixed(1)} ms)` },
    { measured: 'a page far back, of the first', result: `${(far / first).toFixed(2)} (${far.toFixed(1)} ms)` },
  ])
  await daybook.stop()

  /** Behind ten pages of a thousand. */
  async function farCursor(business: string): Promise<string> {
    let cursor = ''
    for (let page = 0; page < 10; page++) {
      cursor = (await call<{ next_cursor: string }>(daybook.url, caller, business, 'GET', `/notifications?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)).next_cursor
    }
    return cursor
  }
} finally {
  await machine.stop()
}

/** Rows as the subscriber writes them, of one person. */
async function fill(business_id: string): Promise<void> {
  await asOwner(machine.database_url, async (client) => {
    const { rows: [person] } = await client.query('select user_id from memberships where business_id = $1', [business_id])
    await client.query(
      `insert into notification_feeds as f (user_id, change_seq) values ($1, $2) on conflict (user_id) do update set change_seq = f.change_seq + excluded.change_seq`, [person.user_id, COUNT])
    await client.query(
      `insert into notifications (user_id, id, business_id, scope, scope_id, topic, severity, title, rule, in_app, in_digest, read_at, change_seq, created_at, updated_at, version)
       select $1, gen_random_uuid(), $2::uuid, 'business', $2::uuid, (array['invoice', 'payment', 'task', 'period'])[1 + n % 4], (array['info', 'warning', 'critical'])[1 + n % 3], 'Row ' || n, 'bench', true, false,
         case when n % 3 = 0 then now() end, n, now() - n * interval '20 seconds', now(), 1 from generate_series(1, $3::int) n`, [person.user_id, business_id, COUNT])
    await client.query('vacuum analyze notifications')
  })
}
