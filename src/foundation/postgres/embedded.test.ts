// The embedded server on real folders: what survives a stop, a crash, a second copy and a full disk.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Embedded, findEmbedded, startEmbedded } from './embedded.ts'
import { findBirth } from './lock.ts'

const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'daybook-embedded-'))
chmodSync(root, 0o711)
const isRoot = process.getuid?.() === 0
/** Whether another user could run this checkout at all. */
const othersMayRead = isRoot && spawnSync('setpriv', ['--reuid=nobody', '--clear-groups', 'cat', import.meta.filename]).status === 0
const running: Embedded[] = []
const children: ChildProcess[] = []
let folders = 0

function newFolder(): string {
  return join(root, String(++folders))
}

async function start(data_dir: string, more: { port?: number; on_exit?(reason: string): void; log?(message: string): void } = {}): Promise<Embedded> {
  const embedded = await startEmbedded({ data_dir, log: () => undefined, ...more })
  running.push(embedded)
  return embedded
}

async function query(url: string, text: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Several statements in one text answer with one result each.
    const answer: pg.QueryResult<{ value: string }> | pg.QueryResult<{ value: string }>[] = await client.query(text)
    return [answer].flat().at(-1)?.rows[0]?.value
  } finally {
    await client.end()
  }
}

function serverPid(data_dir: string): number {
  return Number(readFileSync(join(data_dir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])
}

/** A separate Daybook process, as the tests kill it. */
async function startInChild(data_dir: string, then = 'setInterval(() => {}, 1000)', launcher: string[] = []): Promise<ChildProcess & { url: string }> {
  const script = `import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))}
    const embedded = await startEmbedded({ data_dir: ${JSON.stringify(data_dir)}, log() {} }).catch((error) => { console.log('failed ' + error.message); process.exit(1) })
    process.on('SIGTERM', () => embedded.stop().then(() => process.exit(0)))
    console.log('started ' + embedded.url)
    ${then}`
  const [command, ...parameters] = [...launcher, process.execPath, '--input-type=module', '-e', script]
  const child = spawn(command!, parameters, { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/' })
  children.push(child)
  const line = await new Promise<string>((resolve) => child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))
  if (!line.startsWith('started ')) throw new Error(line)
  return Object.assign(child, { url: line.slice('started '.length) })
}

async function killed(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

/** A dead process may keep its number until its new parent collects it; it has no birth any more. */
async function isRunning(pid: number): Promise<boolean> {
  return (await findBirth(pid)) !== null
}

async function untilGone(pid: number): Promise<void> {
  for (let round = 0; (await isRunning(pid)) && round < 500; round++) await wait(20)
  expect(await isRunning(pid)).toBe(false)
}

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await killed(child, 'SIGTERM')
  for (const embedded of running.splice(0)) await embedded.stop()
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a stop and a start keep the data, the port and the settings', async () => {
  const data_dir = newFolder()
  const first = await start(data_dir)
  await query(first.url, 'create table kept (value text); insert into kept values (\'still here\')')
  expect(await query(first.url, `select string_agg(setting, ' ' order by name) as value from pg_settings
    where name in ('fsync', 'listen_addresses', 'max_connections', 'server_encoding', 'shared_buffers', 'synchronous_commit', 'unix_socket_directories')`))
    .toBe('on 127.0.0.1 100 UTF8 16384 on ')
  expect(await query(first.url, `select string_agg(word, '' order by word) as value from unnest(array['b', 'A', 'a', 'B', 'ä']) word`)).toBe('ABabä')
  expect(statSync(join(data_dir, 'password')).mode & 0o777).toBe(0o600)
  await expect(query(first.url.replace(/:[^:@]*@/, ':wrong@'), 'select 1')).rejects.toThrow(/password authentication failed/)
  expect(await findEmbedded(data_dir)).toEqual({ url: first.url, port: first.port, pid: process.pid })
  await first.stop()
  await first.stop()
  expect(existsSync(join(data_dir, 'cluster/postmaster.pid'))).toBe(false)
  expect(await findEmbedded(data_dir)).toBe(null)

  const second = await start(data_dir)
  expect(second).toMatchObject({ url: first.url, port: first.port })
  expect(await query(second.url, 'select value from kept')).toBe('still here')
  // In a checkout closed to others the programs are copied beside the data.
  expect(readdirSync(data_dir).filter((name) => !name.startsWith('binaries-')).toSorted()).toEqual(['cluster', 'lock.3', 'log', 'password', 'port'])
})

test('a second start on the same folder is refused with the process that uses it', async () => {
  const data_dir = newFolder()
  const child = await startInChild(data_dir)
  await expect(start(data_dir)).rejects.toThrow(`Another Daybook (process ${child.pid}) uses the folder ${data_dir}; stop it or choose another data folder.`)
  expect(await query(child.url, `select 'undisturbed' as value`)).toBe('undisturbed')
})

test('of several starts at once on a folder left by a dead Daybook exactly one wins', async () => {
  const data_dir = newFolder()
  await (await start(data_dir)).stop()
  writeFileSync(join(data_dir, 'lock.9'), JSON.stringify({ pid: process.pid, born: 'another time' }))
  const results = await Promise.allSettled([start(data_dir), start(data_dir), start(data_dir)])
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
})

test('a server that outlived its killed Daybook is taken over with all that was committed', async () => {
  const data_dir = newFolder()
  const child = await startInChild(data_dir)
  await query(child.url, `create table kept (value text); insert into kept values ('committed')`)
  const orphan = serverPid(data_dir)
  await killed(child, 'SIGKILL')
  expect(await isRunning(orphan)).toBe(true)

  const embedded = await start(data_dir)
  expect(await isRunning(orphan)).toBe(false)
  expect(await query(embedded.url, 'select value from kept')).toBe('committed')
})

test('a killed server is reported, and the next start recovers what was committed', async () => {
  const data_dir = newFolder()
  const reasons: string[] = []
  const first = await start(data_dir, { on_exit: (reason) => reasons.push(reason) })
  await query(first.url, `create table kept (value text); insert into kept values ('committed')`)
  const busy = query(first.url, 'select pg_sleep(600)').catch(() => undefined)
  const pid = serverPid(data_dir)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => reasons).toEqual([expect.stringContaining(`PostgreSQL (process ${pid}) ended by SIGKILL`)])
  await first.stop()
  const second = await start(data_dir)
  expect(await query(second.url, 'select value from kept')).toBe('committed')
  await busy
})

test('both killed: sessions still busy with a query do not block the recovery', async () => {
  const data_dir = newFolder()
  const child = await startInChild(data_dir)
  await query(child.url, `create table kept (value text); insert into kept values ('committed')`)
  // A loop that never looks up notices the death of its server late or never.
  const busy = query(child.url, 'select count(*)::text as value from generate_series(1, 1000000000000)').catch(() => undefined)
  await wait(200)
  const pid = serverPid(data_dir)
  await killed(child, 'SIGKILL')
  process.kill(pid, 'SIGKILL')
  await untilGone(pid)
  const embedded = await start(data_dir)
  expect(await query(embedded.url, 'select value from kept')).toBe('committed')
  await busy
})

test('a stale pid file whose number belongs to an unrelated process neither blocks nor harms it', async () => {
  const data_dir = newFolder()
  const child = await startInChild(data_dir)
  const pid = serverPid(data_dir)
  await killed(child, 'SIGKILL')
  process.kill(pid, 'SIGKILL')
  await untilGone(pid)
  const bystander = spawn('sleep', ['600'], isRoot ? { uid: statSync(join(data_dir, 'cluster')).uid } : {})
  children.push(bystander)
  const path = join(data_dir, 'cluster/postmaster.pid')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(bystander.pid)))
  writeFileSync(join(data_dir, 'lock.9'), JSON.stringify({ pid: bystander.pid, born: 'another time' }))

  const embedded = await start(data_dir)
  expect(await query(embedded.url, `select 'up' as value`)).toBe('up')
  expect(bystander.exitCode ?? bystander.signalCode).toBe(null)
})

test('a first start that broke off halfway is begun again', async () => {
  const data_dir = newFolder()
  mkdirSync(join(data_dir, 'cluster.partial/base'), { recursive: true })
  writeFileSync(join(data_dir, 'cluster.partial/PG_VERSION'), '18\n')
  writeFileSync(join(data_dir, 'cluster.partial.password'), 'old')
  const embedded = await start(data_dir)
  expect(await query(embedded.url, 'select current_database() as value')).toBe('daybook')
  expect(readdirSync(data_dir).filter((name) => name.includes('partial'))).toEqual([])
})

test('two copies run side by side, and a taken port is named', async () => {
  const [one, two] = [newFolder(), newFolder()]
  const [first, second] = await Promise.all([start(one), start(two)])
  expect(first.port).not.toBe(second.port)
  await second.stop()
  await expect(start(two, { port: first.port })).rejects.toThrow(`Port ${first.port} is used by another program`)
  writeFileSync(join(two, 'port'), String(first.port))
  const third = await start(two)
  expect(third.port).not.toBe(first.port)
})

test('a Daybook that ends by an error takes its server with it', async () => {
  const data_dir = newFolder()
  const child = await startInChild(data_dir, 'setTimeout(() => process.exit(3), 200)')
  const pid = serverPid(data_dir)
  await new Promise((resolve) => child.once('exit', resolve))
  await untilGone(pid)
})

test('the server is in its own process group, so Ctrl-C reaches Node alone', async () => {
  const data_dir = newFolder()
  await start(data_dir)
  const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(serverPid(data_dir))]).toString().trim()
  expect(Number(group)).toBe(serverPid(data_dir))
})

test('unusable folders are refused in one sentence', async () => {
  const data_dir = newFolder()
  writeFileSync(data_dir, 'a file')
  await expect(start(data_dir)).rejects.toThrow(`The path ${data_dir} is not a folder`)
  const other = newFolder()
  mkdirSync(join(other, 'cluster'), { recursive: true })
  writeFileSync(join(other, 'cluster/PG_VERSION'), '17\n')
  await expect(start(other)).rejects.toThrow(/made by PostgreSQL 17, but this Daybook brings PostgreSQL 18; make a backup/)
})

test.skipIf(!isRoot)('as root: below a folder closed to others the files go elsewhere, and are found there again', async () => {
  const closed = newFolder()
  mkdirSync(closed, { mode: 0o700 })
  const data_dir = join(closed, 'data')
  const first = await start(data_dir)
  const elsewhere = readFileSync(join(data_dir, 'database-folder'), 'utf8')
  try {
    await query(first.url, 'create table kept (value text)')
    await first.stop()
    const second = await start(data_dir)
    expect(await query(second.url, 'select count(*)::text as value from kept')).toBe('0')
    expect((await findEmbedded(data_dir))?.port).toBe(second.port)
    await second.stop()
  } finally {
    rmSync(elsewhere, { recursive: true })
  }
})

test.skipIf(!isRoot || !othersMayRead)('as root, changing to a normal user: it works, and a folder that is not theirs is refused', async () => {
  const data_dir = newFolder()
  mkdirSync(data_dir)
  execFileSync('chown', ['nobody', data_dir])
  const asNobody = ['setpriv', '--reuid=nobody', '--clear-groups']
  const child = await startInChild(data_dir, undefined, asNobody)
  expect(await query(child.url, `select 'up' as value`)).toBe('up')
  const closed = newFolder()
  mkdirSync(closed, { mode: 0o700 })
  await expect(startInChild(closed, undefined, asNobody)).rejects.toThrow(/Daybook may not write to/)
})

test.skipIf(!isRoot)('as root: a full disk is named, on the first start and on a later one', async () => {
  const data_dir = newFolder()
  mkdirSync(data_dir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', data_dir])
  try {
    await expect(start(data_dir)).rejects.toThrow(`The disk that holds ${data_dir} is full`)
    execFileSync('mount', ['-o', 'remount,size=200m', data_dir])
    await (await start(data_dir)).stop()
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${data_dir}/ballast bs=64k 2>/dev/null || true`])
    await expect(start(data_dir)).rejects.toThrow(`The disk that holds ${data_dir} is full`)
    rmSync(join(data_dir, 'ballast'))
    await (await start(data_dir)).stop()
  } finally {
    execFileSync('umount', ['-l', data_dir])
  }
})
