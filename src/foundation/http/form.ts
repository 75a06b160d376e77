// Takes in a form with files as it arrives: what is too much is refused as soon as it is seen, and nothing of it is kept.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { GivenFile } from '../endpoint.ts'
import { Refusal, tooLarge, unavailable, unprocessable } from '../refusal.ts'

/** `fingerprint` stands for the whole, whatever the client put between the parts. `release` tells that the files are no longer held. */
export type Form = { fields: Record<string, unknown>; files: GivenFile[]; fingerprint: Buffer; release(): void }

export const MOST_FILES = 20
const MOST_FIELDS = 50
const LONGEST_FIELD = 100_000

/** Files of all forms that are being taken in are held in memory: so much of it and no more. */
const MOST_HELD = 536_870_912
let held = 0

export function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
}

/** Of one request, for the parser. */
export function formLimits(max_file_bytes: number) {
  const parts = MOST_FILES + MOST_FIELDS
  return { fileSize: max_file_bytes, files: MOST_FILES, fields: MOST_FIELDS, fieldSize: LONGEST_FIELD, fieldNameSize: 100, parts, headerPairs: 20 }
}

export async function receiveForm(request: FastifyRequest, max_file_bytes: number): Promise<Form> {
  let own = 0
  const release = () => {
    held -= own
    own = 0
  }
  try {
    const fields: Record<string, unknown> = Object.create(null)
    const files: GivenFile[] = []
    const content = createHash('sha256')
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.valueTruncated || part.fieldnameTruncated) throw tooLarge(`A field of the form is longer than ${LONGEST_FIELD} characters.`)
        // A form sends what was left empty as an empty text.
        if (part.value !== '') fields[part.fieldname] = fields[part.fieldname] === undefined ? part.value : [fields[part.fieldname], part.value].flat()
        content.update(JSON.stringify([part.fieldname, part.value]))
        continue
      }
      const chunks: Buffer[] = []
      for await (const chunk of part.file as AsyncIterable<Buffer>) {
        own += chunk.length
        held += chunk.length
        if (held > MOST_HELD) throw unavailable('Too many files are being sent at this moment. Try again in a moment.', 5)
        chunks.push(chunk)
      }
      if (part.file.truncated) throw tooLarge(`A file may have at most ${mebibytes(max_file_bytes)}.`)
      const file = { name: part.filename ?? '', content: Buffer.concat(chunks) }
      content.update(JSON.stringify([part.fieldname, file.name])).update(createHash('sha256').update(file.content).digest())
      files.push(file)
    }
    return { fields, files, fingerprint: content.digest(), release }
  } catch (error) {
    release()
    // The rest is read and dropped, so that the client comes to hear the answer.
    request.raw.resume()
    throw refusalOf(error)
  }
}

export function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 10_485.76) / 100} MiB`
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { code } = error as { code?: string }
  if (code === 'FST_FILES_LIMIT') return tooLarge(`At most ${MOST_FILES} files can be sent at once.`)
  if (code === 'FST_REQ_FILE_TOO_LARGE' || code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return tooLarge('The form is too large.')
  return unprocessable([{ loc: ['body'], msg: 'The form could not be read.', type: 'value_error' }])
}
