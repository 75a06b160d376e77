// The key that seals stored secrets: given by a setting, or made once and kept in the data folder.
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../foundation/settings.ts'

export async function readEncryptionKey(settings: Settings): Promise<Buffer> {
  if (settings.encryption_key !== null) return decode(settings.encryption_key, 'DAYBOOK_ENCRYPTION_KEY')
  const file = keyFile(settings)
  const kept = await readFile(file, 'utf8').catch(() => null)
  return decode(kept ?? (await makeKey(file)), file)
}

export function keyFile(settings: Settings): string {
  return join(settings.data, 'encryption.key')
}

/** Complete before it has its name, and never over an existing one: two first starts agree on one key. */
async function makeKey(file: string): Promise<string> {
  await mkdir(join(file, '..'), { recursive: true })
  const partial = `${file}.${process.pid}`
  await writeFile(partial, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  await link(partial, file).catch(() => {})
  await rm(partial)
  return readFile(file, 'utf8')
}

function decode(text: string, source: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error(`${source} must hold 32 bytes in base64.`)
  return key
}
