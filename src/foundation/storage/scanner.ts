// Looks for harm in files: the test pattern that every scanner knows, and what a virus scanner beside us finds, where one is set up.
import { connect } from 'node:net'
import { unavailable } from '../refusal.ts'
import type { Settings } from '../settings.ts'

/** The name of what was found; null where nothing was. */
export type Scanner = (content: Buffer) => Promise<string | null>

// In two parts, so that no scanner stumbles over our own source.
const TEST_PATTERN = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''), 'latin1')
const SCAN_MS = 60_000
const CHUNK = 1_048_576

export function openScanner({ clamd_host, clamd_port }: Pick<Settings, 'clamd_host' | 'clamd_port'>): Scanner {
  return async (content) => {
    if (content.includes(TEST_PATTERN)) return 'the EICAR test pattern'
    return clamd_host === null ? null : askClamd(clamd_host, clamd_port, content)
  }
}

/** One file over the wire as clamd takes it: a command, chunks with their length before them, and an empty one at the end. */
async function askClamd(host: string, port: number, content: Buffer): Promise<string | null> {
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host, port })
    const parts: Buffer[] = []
    socket.setTimeout(SCAN_MS, () => socket.destroy(new Error('no answer in time')))
    socket.on('data', (part) => parts.push(part))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(parts).toString('utf8').replaceAll('\0', '').trim()))
    socket.write('zINSTREAM\0')
    for (let at = 0; at < content.length; at += CHUNK) {
      const chunk = content.subarray(at, at + CHUNK)
      socket.write(length(chunk.length))
      socket.write(chunk)
    }
    socket.end(length(0))
  }).catch((cause: unknown) => { throw away(cause) })
  const [, found] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (found) return found.slice(0, 200)
  // What was not looked at is not taken: a scanner that cannot answer must not let everything through.
  if (answer !== 'stream: OK') throw away(new Error(`The virus scanner answered: ${answer.slice(0, 200)}`))
  return null
}

function length(bytes: number): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(bytes)
  return prefix
}

function away(cause: unknown) {
  return Object.assign(unavailable('Files cannot be checked for viruses right now, so none is taken. Try again in a moment.', 10), { cause })
}
