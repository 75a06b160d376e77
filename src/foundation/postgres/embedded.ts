// The PostgreSQL server that ships with Daybook: started with it, stopped with it, and put right by itself after a crash.

import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Account, findAccount } from './account.ts'
import { type Binaries, findBinaries, programEnvironment } from './binaries.ts'
import { makeFolderFor, prepareCluster, readOrMakePassword, SUPERUSER } from './cluster.ts'
import { findHolder, takeLock, writeDurably } from './lock.ts'
import { findPlace, openPlace } from './place.ts'
import { clearLeftovers, readPostmaster, signal, stopServer } from './postmaster.ts'
import { explainFailure, StartError } from './start-error.ts'

export type Embedded = { url: string; port: number; stop(): Promise<void> }

export type EmbeddedOptions = {
  data_dir: string
  /** Without one a free port is chosen, and kept for the next start as long as it stays free. */
  port?: number
  log(message: string): void
  /** Told when the server ends though nobody stopped it. */
  on_exit?(reason: string): void
}

const DATABASE = 'daybook'
const HOST = '127.0.0.1'
const PORT_ATTEMPTS = 5

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const data_dir = await openPlace(options.data_dir, options.log)
  const release = await takeLock(data_dir).catch(async (error) => Promise.reject(await explainFailure('lock its folder', data_dir, error)))
  try {
    return await startLocked({ ...options, data_dir }, release)
  } catch (error) {
    await release()
    throw await explainFailure('start its database', data_dir, error)
  }
}

/** Where the server of a living Daybook answers, for commands that run beside it; null when none lives. */
export async function findEmbedded(path: string): Promise<{ url: string; port: number; pid: number } | null> {
  const data_dir = await findPlace(path)
  const holder = await findHolder(data_dir)
  const postmaster = await readPostmaster(join(data_dir, 'cluster'))
  if (!holder || !postmaster?.ready) return null
  const [port, password] = await Promise.all([readPort(data_dir), readFile(join(data_dir, 'password'), 'utf8')])
  return port === null ? null : { url: addressOf(port, password.trim(), DATABASE), port, pid: holder.pid }
}

async function startLocked(options: EmbeddedOptions, release: () => Promise<void>): Promise<Embedded> {
  const { data_dir, log } = options
  const cluster = join(data_dir, 'cluster')
  const account = await findAccount(cluster)
  const binaries = await findBinaries(data_dir, account)
  const password = await readOrMakePassword(data_dir)
  await prepareCluster(cluster, binaries, account, password)
  await clearLeftovers(cluster, binaries.pg_ctl, log)
  await makeFolderFor(account, join(data_dir, 'log'))

  const { child, port } = await launchOnFreePort(options, binaries, account)
  const pid = child.pid!
  const stopOnExit = () => signal(pid, 'SIGINT')
  process.on('exit', stopOnExit)
  let stopping: Promise<void> | null = null
  child.once('exit', (code, name) => {
    process.off('exit', stopOnExit)
    if (stopping === null) options.on_exit?.(`PostgreSQL (process ${pid}) ended ${name ? `by ${name}` : `with code ${code}`}; its log is in ${join(data_dir, 'log')}.`)
  })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      // The wait below must outlast everything else that keeps Node running.
      child.ref()
      await stopServer(pid, cluster, binaries.pg_ctl, log)
    }
    process.off('exit', stopOnExit)
    await release()
  }

  try {
    await createDatabase(port, password)
    await writeDurably(join(data_dir, 'port'), String(port))
  } catch (error) {
    stopping = stop()
    await stopping
    throw error
  }
  // A program that has finished its work may end without stopping the server first: the exit handler does it.
  child.unref()
  return { url: addressOf(port, password, DATABASE), port, stop: () => (stopping ??= stop()) }
}

/** A port that was free a moment ago may be taken by the time the server asks for it, so a chosen one is tried again. */
async function launchOnFreePort(options: EmbeddedOptions, binaries: Binaries, account: Account): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await choosePort(attempt === 1 ? await readPort(options.data_dir) : null))
    const result = await launch(options, binaries, account, port)
    if (typeof result !== 'string') return { child: result, port }
    const taken = /could not bind|could not create any TCP\/IP sockets|Address already in use/.test(result)
    if (taken && options.port !== undefined) throw new StartError(`Port ${port} is used by another program; choose another port for the database.`)
    if (!taken || attempt === PORT_ATTEMPTS) throw await explainFailure('start its database', options.data_dir, result)
  }
}

/** Returns the server once it answers, or what it said before it ended. */
async function launch(options: EmbeddedOptions, binaries: Binaries, account: Account, port: number): Promise<ChildProcess | string> {
  const { data_dir, log } = options
  const cluster = join(data_dir, 'cluster')
  const started = Date.now()
  let said = ''
  // Its own process group: Ctrl-C in a terminal reaches Node alone, which finishes its requests before it stops the server.
  const child = spawn(binaries.postgres, ['-D', cluster, ...serverSettings(data_dir, port)], {
    cwd: data_dir,
    uid: account.uid,
    gid: account.gid,
    env: programEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr!.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-8_000)))
  let failure: Error | null = null
  const ended = new Promise<void>((settle) => {
    child.once('close', () => settle())
    child.once('error', (error) => {
      failure = error
      settle()
    })
  })
  const stopOnExit = () => child.kill('SIGINT')
  process.on('exit', stopOnExit)
  let announced = started
  try {
    while (child.exitCode === null && child.signalCode === null && failure === null) {
      const postmaster = await readPostmaster(cluster)
      if (postmaster?.ready && postmaster.pid === child.pid) {
        // From here on the server writes to its own log files; an open pipe would only keep Node from ending.
        child.stderr!.destroy()
        return child
      }
      // Recovery after a crash takes as long as it takes: giving up on it would only repeat it.
      if (Date.now() - announced > 10_000) {
        log('The database is still recovering from an unclean stop.')
        announced = Date.now()
      }
      await Promise.race([wait(20), ended])
    }
    await ended
    if (failure) throw failure
    return `${said}\n${await readLogSince(join(data_dir, 'log'), started)}`
  } finally {
    process.off('exit', stopOnExit)
  }
}

/** What must hold whatever the files in the folder say; everything else stays with postgresql.conf. */
function serverSettings(data_dir: string, port: number): string[] {
  const settings = {
    port: String(port),
    listen_addresses: HOST,
    unix_socket_directories: '',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // New tables are planned for as if they were small: a first import of thousands should not wait a minute to be counted.
    autovacuum_naptime: '5s',
    // One file per weekday, each overwritten a week later: bounded without any upkeep.
    logging_collector: 'on',
    log_directory: join(data_dir, 'log'),
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function createDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(port, password, 'postgres') })
  // A server that dies meanwhile fails the query below; without a listener it would end the program instead.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      throw new StartError('The kept password of the database does not open it; put the file "password" of this data folder back from a copy.')
    }
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function choosePort(kept: number | null): Promise<number> {
  if (kept !== null && (await listenOnce(kept)) !== null) return kept
  const port = await listenOnce(0)
  if (port === null) throw new StartError(`No free port was found on ${HOST} for the database.`)
  return port
}

function listenOnce(port: number): Promise<number | null> {
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', () => settle(null))
    server.listen(port, HOST, () => {
      const address = server.address()
      server.close(() => settle(address !== null && typeof address === 'object' ? address.port : null))
    })
  })
}

async function readPort(data_dir: string): Promise<number | null> {
  const port = Number(await readFile(join(data_dir, 'port'), 'utf8').catch(() => ''))
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}

/** Once its log files are open the server complains there and no longer to us. */
async function readLogSince(folder: string, moment: number): Promise<string> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if ((await stat(path)).mtimeMs >= moment) return (await readFile(path, 'utf8')).slice(-8_000)
  }
  return ''
}

function addressOf(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@${HOST}:${port}/${database}`
}
