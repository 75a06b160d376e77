// Zip archives: those that strangers send are unpacked here, within limits, before any other code sees them; others are made.
import { promisify } from 'node:util'
import { crc32, deflateRaw, inflateRaw } from 'node:zlib'

/** What is wrong with an archive, in words that follow the name of the file. */
export class ArchiveError extends Error {}

export type Limits = { entries: number; bytes: number }

const inflate = promisify(inflateRaw)
const deflate = promisify<Buffer, Buffer>(deflateRaw)

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_SIZE = 22
const ENTRY_SIZE = 46
const LOCAL_SIZE = 30
const LONGEST_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8
const VERSION = 20
/** 1 January 1980. */
const FIRST_DAY = 0x21

/**
 * The wanted entries of an archive by name. The sizes that it declares are not believed: unpacking stops at the limit, so
 * that a small file cannot become a large one in memory.
 */
export async function unpack(archive: Buffer, limits: Limits, wanted: (name: string) => boolean): Promise<Map<string, Buffer>> {
  const { count, start } = directoryOf(archive)
  if (count > limits.entries) throw new ArchiveError(`holds more than ${limits.entries} parts`)
  const unpacked = new Map<string, Buffer>()
  let left = limits.bytes
  let position = start
  for (let index = 0; index < count; index++) {
    const entry = entryAt(archive, position)
    position = entry.next
    if (!wanted(entry.name)) continue
    const content = await contentOf(archive, entry, left, limits)
    left -= content.length
    unpacked.set(entry.name, content)
  }
  return unpacked
}

/** An archive of these entries as they are, for readers that take nothing but archives. */
export function pack(entries: ReadonlyMap<string, Buffer>): Buffer {
  return joined([...entries].map(([name, content]) => ({ name, content, packed: content, method: STORED })))
}

/** The same made small, beside whatever else the process does. */
export async function packSmall(entries: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  return joined(await Promise.all([...entries].map(async ([name, content]) => ({ name, content, packed: await deflate(content), method: DEFLATED }))))
}

type Part = { name: string; content: Buffer; packed: Buffer; method: number }

function joined(entries: readonly Part[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of entries) {
    const name = Buffer.from(part.name, 'utf8')
    const local = Buffer.alloc(LOCAL_SIZE)
    local.writeUInt32LE(LOCAL, 0)
    describe(local, 4, part, name)
    const entry = Buffer.alloc(ENTRY_SIZE)
    entry.writeUInt32LE(ENTRY, 0)
    describe(entry, 6, part, name)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, name, part.packed)
    directory.push(entry, name)
    offset += LOCAL_SIZE + name.length + part.packed.length
  }
  const end = Buffer.alloc(END_SIZE)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.reduce((size, part) => size + part.length, 0), 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** What both headers of an entry say, from the version on that is needed to read it. Its time is the first that there is. */
function describe(header: Buffer, at: number, { content, packed, method }: Part, name: Buffer): void {
  header.writeUInt16LE(VERSION, at)
  header.writeUInt16LE(method, at + 4)
  header.writeUInt16LE(FIRST_DAY, at + 8)
  header.writeUInt32LE(crc32(content), at + 10)
  header.writeUInt32LE(packed.length, at + 14)
  header.writeUInt32LE(content.length, at + 18)
  header.writeUInt16LE(name.length, at + 22)
}

/** The directory is announced at the very end, before a comment of any length. */
function directoryOf(archive: Buffer): { count: number; start: number } {
  const lowest = Math.max(0, archive.length - END_SIZE - LONGEST_COMMENT)
  for (let at = archive.length - END_SIZE; at >= lowest; at--) {
    if (archive.readUInt32LE(at) === END) return { count: archive.readUInt16LE(at + 10), start: archive.readUInt32LE(at + 16) }
  }
  throw new ArchiveError('is not complete')
}

type Entry = { name: string; method: number; encrypted: boolean; size: number; local: number; next: number }

function entryAt(archive: Buffer, at: number): Entry {
  if (at + ENTRY_SIZE > archive.length || archive.readUInt32LE(at) !== ENTRY) throw new ArchiveError('is damaged')
  const name_length = archive.readUInt16LE(at + 28)
  return {
    name: archive.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + name_length),
    method: archive.readUInt16LE(at + 10),
    encrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
    size: archive.readUInt32LE(at + 20),
    local: archive.readUInt32LE(at + 42),
    next: at + ENTRY_SIZE + name_length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32),
  }
}

async function contentOf(archive: Buffer, entry: Entry, left: number, limits: Limits): Promise<Buffer> {
  const { local, method } = entry
  if (entry.encrypted) throw new ArchiveError('is protected by a password')
  if (local + LOCAL_SIZE > archive.length || archive.readUInt32LE(local) !== LOCAL) throw new ArchiveError('is damaged')
  const start = local + LOCAL_SIZE + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const tooLarge = () => new ArchiveError(`is larger than ${limits.bytes / 1_048_576} MiB when unpacked`)
  if (method === STORED) {
    if (entry.size > left) throw tooLarge()
    if (start + entry.size > archive.length) throw new ArchiveError('is not complete')
    return archive.subarray(start, start + entry.size)
  }
  if (method !== DEFLATED || start >= archive.length) throw new ArchiveError('is damaged')
  try {
    // Compressed data knows its own end, so the declared size is not needed.
    return await inflate(archive.subarray(start), { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : new ArchiveError('is damaged')
  }
}
