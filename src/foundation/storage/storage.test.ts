// Both storages keep the same promises; the scanner speaks to a daemon of our own making.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { S3_KEYS, startS3, type S3 } from '../../../test/support/s3.ts'
import { newId } from '../ids.ts'
import { readSettings } from '../settings.ts'
import { openStorage } from './open.ts'
import { openScanner } from './scanner.ts'
import { addressOf, pathOf, readWhole, type Storage } from './storage.ts'

let folder: string
let s3: S3
let storages: Record<string, Storage>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-storage-'))
  s3 = await startS3('papers')
  storages = {
    folder: openStorage(readSettings({ DAYBOOK_DATA: folder })),
    s3: openStorage(readSettings({ DAYBOOK_STORAGE_BUCKET: 'papers', DAYBOOK_STORAGE_ENDPOINT: s3.endpoint, ...S3_KEYS })),
  }
})
afterAll(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const sha256 = (letter: string) => letter.repeat(64)
const business_id = newId()

describe.each(['folder', 's3'])('the storage in a %s', (name) => {
  it('keeps bytes and gives them back, whole and in part; what is there stays', async () => {
    const storage = storages[name]!
    const address = { business_id, sha256: sha256('a') }
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    await Promise.all([storage.put(address, content), storage.put(address, content)])
    await storage.put(address, Buffer.from('other'))
    expect((await readWhole(storage, address)).equals(content)).toBe(true)
    const part: Uint8Array[] = []
    for await (const chunk of storage.read(address, { start: 1000, end: 1999 })) part.push(chunk)
    expect(Buffer.concat(part).equals(content.subarray(1000, 2000))).toBe(true)
  })

  it('lists and removes', async () => {
    const storage = storages[name]!
    const own = newId()
    const all = ['b', 'c', 'd'].map((letter) => ({ business_id: own, sha256: sha256(letter) }))
    for (const address of all) await storage.put(address, Buffer.from('x'))
    const listed = async () => {
      const found: string[] = []
      for await (const { business_id: of, sha256: hash, written_at } of storage.list()) if (of === own && Date.now() - written_at.getTime() < 60_000) found.push(hash)
      return found.toSorted()
    }
    expect(await listed()).toEqual(all.map((address) => address.sha256))
    await storage.remove(all[0]!)
    await storage.remove(all[0]!)
    expect(await listed()).toEqual(all.slice(1).map((address) => address.sha256))
    await expect(readWhole(storage, all[0]!)).rejects.toMatchObject({ status: 503 })
  })

  it('has no way out of its place', async () => {
    const storage = storages[name]!
    for (const wrong of [{ business_id: '..', sha256: sha256('a') }, { business_id, sha256: '../../etc/passwd' }, { business_id, sha256: sha256('A') }, { business_id: `${business_id}/..`, sha256: sha256('a') }]) {
      await expect(storage.put(wrong, Buffer.from('x'))).rejects.toThrow('named by')
      await expect(readWhole(storage, wrong)).rejects.toThrow('named by')
      await expect((async () => storage.remove(wrong))()).rejects.toThrow('named by')
    }
  })
})

describe('the folder', () => {
  it('holds only whole files; what is none of ours is left alone', async () => {
    const own = join(folder, 'documents', newId(), 'aa')
    const storage = storages['folder']!
    await storage.put({ business_id, sha256: sha256('e') }, Buffer.from('x'))
    expect((await readdir(join(folder, 'documents', business_id, 'ee')))).toEqual([sha256('e')])
    await writeFile(join(folder, 'documents', 'readme.txt'), 'not ours')
    const found: string[] = []
    for await (const file of storage.list()) found.push(file.sha256)
    expect(found).toContain(sha256('e'))
    expect(own).toContain('documents')
    expect(await readdir(join(folder, 'documents'))).toContain('readme.txt')
  })

  it('addresses are read back as they are written', () => {
    const address = { business_id, sha256: sha256('f') }
    expect(addressOf(pathOf(address))).toEqual(address)
    for (const wrong of ['', 'a/b/c', `${business_id}/00/${sha256('f')}`, `${pathOf(address)}.tmp`, `../${pathOf(address)}`]) expect(addressOf(wrong)).toBeNull()
  })
})

describe('S3', () => {
  it('every request is signed with the key that is set; a wrong one is refused', async () => {
    const stranger = openStorage(readSettings({ DAYBOOK_STORAGE_BUCKET: 'papers', DAYBOOK_STORAGE_ENDPOINT: s3.endpoint, ...S3_KEYS, DAYBOOK_STORAGE_SECRET: 'wrong' }))
    await expect(stranger.put({ business_id, sha256: sha256('9') }, Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
    expect([...s3.objects.keys()].some((key) => key.endsWith(sha256('9')))).toBe(false)
  })

  it('one that fails is told as such', async () => {
    s3.fail = 400
    await expect(storages['s3']!.put({ business_id, sha256: sha256('8') }, Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
    s3.fail = null
  })
})

describe('the scanner', () => {
  let daemon: Server
  let port: number
  const seen: Buffer[] = []
  let reply = 'stream: OK\0'
  beforeAll(async () => {
    daemon = createServer({ allowHalfOpen: true }, (socket) => {
      const parts: Buffer[] = []
      socket.on('data', (part) => parts.push(part))
      socket.on('end', () => {
        const all = Buffer.concat(parts)
        const content: Buffer[] = []
        for (let at = 'zINSTREAM\0'.length; at + 4 <= all.length;) {
          const length = all.readUInt32BE(at)
          content.push(all.subarray(at + 4, at + 4 + length))
          at += 4 + length
        }
        seen.push(Buffer.concat(content))
        socket.end(reply)
      })
    })
    await new Promise<void>((done) => daemon.listen(0, '127.0.0.1', done))
    port = (daemon.address() as AddressInfo).port
  })
  afterAll(() => void daemon.close())

  it('asks the daemon about every byte, and believes what it says', async () => {
    const scan = openScanner({ clamd_host: '127.0.0.1', clamd_port: port })
    const content = Buffer.alloc(2_500_000, 'abc')
    expect(await scan(content)).toBeNull()
    expect(seen.at(-1)?.equals(content)).toBe(true)
    reply = 'stream: Win.Test.EICAR_HDB-1 FOUND\0'
    expect(await scan(Buffer.from('x'))).toBe('Win.Test.EICAR_HDB-1')
    reply = 'INSTREAM size limit exceeded. ERROR\0'
    await expect(scan(Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
  })

  it('that cannot be reached lets nothing through', async () => {
    await expect(openScanner({ clamd_host: '127.0.0.1', clamd_port: 1 })(Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
    expect(await openScanner({ clamd_host: null, clamd_port: 1 })(Buffer.from('x'))).toBeNull()
  })
})
