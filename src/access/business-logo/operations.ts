// Setting, showing and removing the logo of a business.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { Download } from '../../foundation/endpoint.ts'
import { readPicture, type Picture } from '../../foundation/pictures.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { logoResource, MOST_BYTES, type BusinessLogo } from './contract.ts'
import * as store from './store.ts'

type Row = NonNullable<(typeof store.findLogo)['result']>

/** Also for whoever prints: null where there is none. */
export async function findLogo(tx: BusinessTx): Promise<Picture | null> {
  const row = await tx.find(store.findLogo)
  return row && { content_type: row.content_type, content: row.content, width: row.width, height: row.height }
}

export async function setLogo(tx: BusinessTx, { content_base64 }: { content_base64: string }): Promise<BusinessLogo> {
  const bytes = Buffer.from(content_base64, 'base64')
  if (bytes.length > MOST_BYTES) throw tooLarge()
  const picture = readPicture(bytes)
  if (picture.content.length > MOST_BYTES) throw tooLarge()
  const before = await tx.find(store.lockLogo)
  const row: Row = { business_id: tx.business_id, ...picture, updated_at: tx.now }
  tx.queue(store.saveLogo, row)
  tx.record(logoResource, 'business_logo.changed', { before: before && shown(before), after: shown(row) })
  return shown(row)
}

export async function downloadLogo(tx: BusinessTx): Promise<Download> {
  const logo = await findLogo(tx)
  if (!logo) throw notFound('Logo')
  return new Download(logo.content_type, logo.content_type === 'image/png' ? 'logo.png' : 'logo.jpg', logo.content)
}

export async function removeLogo(tx: BusinessTx): Promise<{ removed: boolean }> {
  const before = await tx.find(store.lockLogo)
  if (!before) return { removed: false }
  tx.queue(store.deleteLogo)
  tx.record(logoResource, 'business_logo.removed', { before: shown(before), after: null })
  return { removed: true }
}

function tooLarge() {
  return invalid(`The picture is larger than ${MOST_BYTES / 1024} KiB: make it smaller.`)
}

function shown({ business_id, content, content_type, width, height, updated_at }: Row): BusinessLogo {
  return { id: business_id, content_type, width, height, size: content.length, updated_at }
}
