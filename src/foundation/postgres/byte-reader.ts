// Reads lines and counted runs of bytes from a stream without ever holding more than was asked for and one chunk.

export type ByteReader = {
  /** The next line without its newline; null at the end of the stream. */
  readLine(): Promise<string | null>
  /** Exactly that many bytes, or fewer when the stream ends before. */
  readBytes(count: number): Promise<Buffer>
}

const LONGEST_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 0x0a

export function createByteReader(stream: AsyncIterable<Buffer>, onConsumed: (bytes: Buffer) => void): ByteReader {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await chunks.next()
      if (next.done) return false
      rest = next.value
    }
    return true
  }

  function consume(count: number): Buffer {
    const bytes = rest.subarray(0, count)
    rest = rest.subarray(count)
    onConsumed(bytes)
    return bytes
  }

  return {
    async readLine() {
      const parts: Buffer[] = []
      let length = 0
      while (await fill()) {
        const end = rest.indexOf(NEWLINE)
        const part = consume(end === -1 ? rest.length : end + 1)
        parts.push(part)
        length += part.length
        if (end !== -1) return Buffer.concat(parts, length).toString('utf8', 0, length - 1)
        // A file that is not ours may have no newline at all; it must not be read into memory whole.
        if (length > LONGEST_LINE_BYTES) return null
      }
      return null
    },

    async readBytes(count) {
      const parts: Buffer[] = []
      let missing = count
      while (missing > 0 && (await fill())) {
        const part = consume(Math.min(missing, rest.length))
        parts.push(part)
        missing -= part.length
      }
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    },
  }
}
