// Where the bytes of files lie: a party outside, like the card processor. Files have no names there, only the address of their content.

/** `end` is the last byte, inclusive. */
export type Range = { start: number; end: number }

export type StoredFile = FileAddress & { written_at: Date }

/** Whose file, and the SHA-256 of its bytes in hexadecimal. */
export type FileAddress = { business_id: string; sha256: string }

export type Storage = {
  /** Keeps the bytes; what is there already stays. Once this returns they outlive a crash. */
  put(address: FileAddress, content: Buffer): Promise<void>
  /** Refuses with 503 where the storage does not answer or has lost the file. */
  read(address: FileAddress, range?: Range): AsyncIterable<Uint8Array>
  remove(address: FileAddress): Promise<void>
  /** All there is, in no order. */
  list(): AsyncIterable<StoredFile>
}

/** The way to a file: nothing that a caller said is in it. */
export function pathOf({ business_id, sha256 }: FileAddress): string {
  if (!/^[0-9a-f-]{36}$/.test(business_id) || !/^[0-9a-f]{64}$/.test(sha256)) throw new Error('A stored file is named by its business and its SHA-256.')
  return `${business_id}/${sha256.slice(0, 2)}/${sha256}`
}

/** The address behind a way; null for anything that was not written here. */
export function addressOf(path: string): FileAddress | null {
  const [, business_id, folder, sha256] = /^([0-9a-f-]{36})\/([0-9a-f]{2})\/([0-9a-f]{64})$/.exec(path) ?? []
  return business_id && sha256 && folder === sha256.slice(0, 2) ? { business_id, sha256 } : null
}

/** All bytes of a file. */
export async function readWhole(storage: Storage, address: FileAddress): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of storage.read(address)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
