// Files in a folder: written whole under a passing name, then given their own, so that nobody ever sees half of one.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { unavailable } from '../refusal.ts'
import { addressOf, pathOf, type Storage, type StoredFile } from './storage.ts'

export function openFolder(folder: string): Storage {
  const place = (address: Parameters<Storage['remove']>[0]) => join(folder, pathOf(address))
  return {
    async put(address, content) {
      const path = place(address)
      if (await access(path).then(() => true, () => false)) return
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const passing = `${path}.${randomUUID()}`
      try {
        const file = await open(passing, 'wx', 0o600)
        try {
          await file.writeFile(content)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(passing, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(passing, { force: true })
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
        throw unavailable('The disk for documents is full: nothing was kept. Free some space, then try again.', 60)
      }
    },

    async *read(address, range) {
      try {
        yield* createReadStream(place(address), range ?? {}) as AsyncIterable<Uint8Array>
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOENT') throw error
        throw unavailable('The file is not in the folder of documents. Try again in a moment.', 5)
      }
    },

    remove: (address) => rm(place(address), { force: true }),

    list: () => walk(folder, folder),
  }
}

/** The name of a file is kept with its folder; not every system lets a folder be synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

const PASSING = /\.[0-9a-f-]{36}$/

async function* walk(root: string, folder: string): AsyncIterable<StoredFile> {
  const entries = await opendir(folder).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(root, path)
    else if (entry.isFile()) {
      // A crash may have left a passing name behind: it belongs to the file it was to become.
      const address = addressOf(relative(root, path).split(sep).join('/'))
      const found = await stat(path).catch(() => null)
      if (address && found) yield { ...address, written_at: found.mtime }
      else if (found && PASSING.test(entry.name) && Date.now() - found.mtimeMs > PASSING_MS) await rm(path, { force: true })
    }
  }
}

/** So long a file may take to be written. */
const PASSING_MS = 86_400_000
