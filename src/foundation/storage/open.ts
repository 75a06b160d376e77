// Which storage holds the files, as the settings say.
import { join } from 'node:path'
import type { Settings } from '../settings.ts'
import { openFolder } from './folder.ts'
import { openS3 } from './s3.ts'
import type { Storage } from './storage.ts'

export function openStorage(settings: Settings): Storage {
  if (settings.storage_bucket === null) return openFolder(documentsFolder(settings))
  return openS3({ ...settings, bucket: settings.storage_bucket })
}

/** Where files lie while no bucket is set. */
export function documentsFolder({ data }: Pick<Settings, 'data'>): string {
  return join(data, 'documents')
}
