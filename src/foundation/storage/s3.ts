// Files in an S3-compatible storage, through the official client; it is loaded when the first file comes or goes.
import type { S3Client } from '@aws-sdk/client-s3'
import { unavailable } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import { addressOf, pathOf, type Storage, type StoredFile } from './storage.ts'

export type S3Options = Pick<Settings, 'storage_endpoint' | 'storage_region' | 'storage_key_id' | 'storage_secret'> & { bucket: string }

const ATTEMPTS = 3
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000

export function openS3({ bucket, storage_endpoint, storage_region, storage_key_id, storage_secret }: S3Options): Storage {
  let opened: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | null = null
  const open = () => (opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
    sdk,
    client: new sdk.S3Client({
      region: storage_region,
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
      // Another provider than Amazon has no host for each bucket.
      ...(storage_endpoint ? { endpoint: storage_endpoint, forcePathStyle: true } : {}),
      // Not every provider knows the newer checksums; the signature covers the content already.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(storage_key_id && storage_secret ? { credentials: { accessKeyId: storage_key_id, secretAccessKey: storage_secret } } : {}),
    }),
  })))

  return {
    async put(address, content) {
      const { sdk, client } = await open()
      const Key = pathOf(address)
      const there = await client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key })).then(() => true, (error: unknown) => {
        if (isMissing(error)) return false
        return refuse(error)
      })
      if (there) return
      const put = new sdk.PutObjectCommand({ Bucket: bucket, Key, Body: content, ContentType: 'application/octet-stream' })
      await client.send(put).catch(refuse)
    },

    async *read(address, range) {
      const { sdk, client } = await open()
      const Range = range ? `bytes=${range.start}-${range.end}` : undefined
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: pathOf(address), Range })).catch(refuse)
      if (Body) yield* Body as AsyncIterable<Uint8Array>
    },

    async remove(address) {
      const { sdk, client } = await open()
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: pathOf(address) })).catch(refuse)
    },

    async *list(): AsyncIterable<StoredFile> {
      const { sdk, client } = await open()
      for (let ContinuationToken: string | undefined, more = true; more;) {
        const page = await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, ...(ContinuationToken ? { ContinuationToken } : {}) }))
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const address = addressOf(Key)
          if (address && LastModified) yield { ...address, written_at: LastModified }
        }
        ContinuationToken = page.NextContinuationToken
        more = page.IsTruncated === true && ContinuationToken !== undefined
      }
    },
  }
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NotFound' || name === 'NoSuchKey' || $metadata?.httpStatusCode === 404
}

/** What went wrong is for the log; whoever called can only try again. */
function refuse(cause: unknown): never {
  throw Object.assign(unavailable('The storage of documents does not answer as it should. Try again in a moment.', 5), { cause })
}
