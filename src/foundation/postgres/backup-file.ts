// The file format of a backup: one gzip stream of tables in blocks, closed by a manifest and a digest over everything before it.
//
// Uncompressed it is a sequence of JSON lines, where a line that announces bytes is followed by exactly that many:
//   {"format":"daybook-backup","version":1}
//   {"table":"invoices","columns":["id","total_cents"]}   then  {"bytes":65536} <bytes> …  then  {"end_of_table":"invoices"}
//   {"manifest":{…}}
//   {"end_of_backup":"<sha256 of all bytes before this line>"}

import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type ByteReader, createByteReader } from './byte-reader.ts'
import { syncFolder } from './cluster.ts'
import { errorCode } from './start-error.ts'

export class BackupError extends Error {
  override name = 'BackupError'
}

export type Manifest = {
  product: 'daybook'
  created_at: string
  server_version: string
  migrations: Migration[]
  tables: TableRecord[]
  sequences: SequenceRecord[]
}
export type Migration = { version: number; name: string; checksum: string; applied_at: string }
export type TableRecord = { name: string; columns: string[]; rows: number; bytes: number; sha256: string }
export type SequenceRecord = { name: string; last_value: string; is_called: boolean }

export type TableHeader = { table: string; columns: string[] }

/** Yields the frames of each table through the function it is given, and returns the manifest. */
export type Contents = (writeTable: typeof tableFrames) => AsyncGenerator<Buffer, Manifest>

const FORMAT = 'daybook-backup'
const FORMAT_VERSION = 1
const BLOCK_BYTES = 64 * 1024
const LONGEST_BLOCK_BYTES = 1024 * 1024
const NEWLINE = 0x0a

/** Written aside and flushed before it gets its name: a file under that name is always whole. */
export async function writeBackup(file: string, contents: Contents): Promise<Manifest> {
  const path = resolve(file)
  const partial = `${path}.partial`
  let manifest: Manifest | null = null
  async function* body(): AsyncGenerator<Buffer> {
    yield encodeLine({ format: FORMAT, version: FORMAT_VERSION })
    manifest = yield* contents(tableFrames)
    yield encodeLine({ manifest })
  }
  try {
    await rm(partial, { force: true })
    await pipeline(sealed(body()), createGzip({ level: 5 }), createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true }))
    await rename(partial, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw explainWriting(path, error)
  }
  return manifest!
}

/**
 * Reads the whole file and returns the manifest once every count and digest agrees.
 * `onTable`, where given, must read the rows of each table to their end.
 */
export async function readBackup(file: string, onTable: (header: TableHeader, rows: AsyncIterable<Buffer>) => Promise<void> = drain): Promise<Manifest> {
  const path = resolve(file)
  const { size } = await stat(path).catch((error) => Promise.reject(explainReading(path, error)))
  const source = createReadStream(path)
  const gunzip = createGunzip()
  const digest = createHash('sha256')
  source.on('error', (error) => gunzip.destroy(error))
  try {
    const reader = createByteReader(source.pipe(gunzip), (bytes) => digest.update(bytes))
    await readOpening(reader)
    const tables: TableRecord[] = []
    let line = await readJson(reader)
    for (; 'table' in line; line = await readJson(reader)) tables.push(await readTable(reader, line, onTable))
    const sha256 = digest.copy().digest('hex')
    const ending = await readJson(reader)
    if (!('manifest' in line) || ending['end_of_backup'] !== sha256 || (await reader.readLine()) !== null) throw new Damage()
    // Bytes behind the end of the gzip stream are skipped silently by the decoder.
    if (gunzip.bytesWritten !== size) throw new Damage()
    const manifest = line['manifest'] as Manifest
    if (JSON.stringify(manifest.tables) !== JSON.stringify(tables)) throw new Damage()
    return manifest
  } catch (error) {
    throw explainReading(path, error)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

async function* sealed(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  for await (const bytes of body) {
    digest.update(bytes)
    yield bytes
  }
  yield encodeLine({ end_of_backup: digest.digest('hex') })
}

async function* tableFrames(header: TableHeader, rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer, TableRecord> {
  const record = newRecord(header)
  const digest = createHash('sha256')
  yield encodeLine(header)
  for await (const block of inBlocks(rows)) {
    countBlock(record, digest, block)
    yield encodeLine({ bytes: block.length })
    yield block
  }
  yield encodeLine({ end_of_table: header.table })
  return { ...record, sha256: digest.digest('hex') }
}

async function* inBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    gathered.push(chunk)
    length += chunk.length
    if (length < BLOCK_BYTES) continue
    const bytes = Buffer.concat(gathered, length)
    for (let at = 0; at < length; at += LONGEST_BLOCK_BYTES) yield bytes.subarray(at, at + LONGEST_BLOCK_BYTES)
    gathered = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(gathered, length)
}

async function readOpening(reader: ByteReader): Promise<void> {
  const opening = await readJson(reader)
  if (opening['format'] !== FORMAT) throw new Damage()
  if (opening['version'] !== FORMAT_VERSION) throw new BackupError('The backup was made by a newer Daybook; restore it with that one.')
}

async function readTable(
  reader: ByteReader,
  line: Record<string, unknown>,
  onTable: (header: TableHeader, rows: AsyncIterable<Buffer>) => Promise<void>,
): Promise<TableRecord> {
  const header = { table: line['table'], columns: line['columns'] }
  if (!isHeader(header)) throw new Damage()
  const record = newRecord(header)
  const digest = createHash('sha256')
  async function* rows(): AsyncGenerator<Buffer> {
    let block = await readJson(reader)
    for (; typeof block['bytes'] === 'number'; block = await readJson(reader)) {
      const count = block['bytes']
      if (!Number.isInteger(count) || count <= 0 || count > LONGEST_BLOCK_BYTES) throw new Damage()
      const bytes = await reader.readBytes(count)
      if (bytes.length !== count) throw new Damage()
      countBlock(record, digest, bytes)
      yield bytes
    }
    if (block['end_of_table'] !== record.name) throw new Damage()
  }
  await onTable(header, rows())
  return { ...record, sha256: digest.digest('hex') }
}

async function drain(_header: TableHeader, rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const block of rows) void block
}

function newRecord(header: TableHeader): TableRecord {
  return { name: header.table, columns: header.columns, rows: 0, bytes: 0, sha256: '' }
}

/** COPY writes one line per row and escapes newlines inside values, so counting newlines counts rows. */
function countBlock(record: TableRecord, digest: Hash, block: Buffer): void {
  digest.update(block)
  record.bytes += block.length
  for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, at + 1)) record.rows++
}

function isHeader(value: { table: unknown; columns: unknown }): value is TableHeader {
  return typeof value.table === 'string' && Array.isArray(value.columns) && value.columns.every((name) => typeof name === 'string')
}

function encodeLine(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

async function readJson(reader: ByteReader): Promise<Record<string, unknown>> {
  const text = await reader.readLine()
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Falls through: whatever is no JSON object is not ours.
  }
  throw new Damage()
}

class Damage extends Error {}

function explainReading(path: string, error: unknown): unknown {
  const code = errorCode(error)
  if (error instanceof Damage || code?.startsWith('Z_')) {
    return new BackupError(`The file ${path} is not a whole Daybook backup: it is cut short, altered or something else; nothing was changed.`)
  }
  if (code === 'ENOENT') return new BackupError(`There is no backup file ${path}.`)
  if (code === 'EACCES' || code === 'EISDIR') return new BackupError(`The backup file ${path} cannot be read.`)
  return error
}

function explainWriting(path: string, error: unknown): unknown {
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new BackupError(`The disk that holds ${path} is full; no backup was made.`)
  if (code === 'ENOENT' || code === 'ENOTDIR') return new BackupError(`The folder of ${path} does not exist; no backup was made.`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'EISDIR') return new BackupError(`Daybook may not write ${path}; no backup was made.`)
  return error
}
