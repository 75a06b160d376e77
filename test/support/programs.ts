// Programs that are not ours and give a second opinion, where they are installed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'vitest'

const found = new Map<string, boolean>()

export function isInstalled(program: string): boolean {
  const known = found.get(program) ?? spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
  found.set(program, known)
  return known
}

/** A test that needs a program; without it the test is left out, and says so aloud. */
export function itWith(program: string, title: string, test: () => Promise<void>, timeout?: number): void {
  if (isInstalled(program)) return void it(title, test, timeout)
  console.warn(`\n!!! NOT TESTED: "${title}", because ${program} is not installed.\n`)
  it.skip(`${title} (left out: ${program} is not installed)`, test)
}

/** What a program prints; its complaint where it ends with anything but 0. */
export async function outputOf(program: string, ...argv: string[]): Promise<string> {
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${err.slice(0, 2000)}${out.slice(0, 2000)}`)
  return out
}
