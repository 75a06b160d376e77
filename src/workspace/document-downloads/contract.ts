// Files going out: as they are, and as a picture of a page.
import { Type } from 'typebox'
import { integer, optional, shape } from '../../foundation/shapes.ts'
import { endpoint, params } from '../documents/contract.ts'

export const downloadDocument = endpoint({
  id: 'download_document', method: 'GET', path: '/{document_id}/download', summary: 'Download a document',
  description: 'Its bytes with the type that its content has. Knows ETag and Range.',
  params,
  query: shape('DocumentDownloadQuery', { version: optional(integer(1, 2147483647, { description: 'Another version than the current one.' })) }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/octet-stream' }),
})

export const previewDocument = endpoint({
  id: 'preview_document', method: 'GET', path: '/{document_id}/preview', summary: 'Show a page of a document as a PNG',
  description: 'Of a PDF, a PNG or a JPEG.',
  params,
  query: shape('DocumentPreviewQuery', { page: optional(integer(1, 100_000, { default: 1 })) }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'image/png' }),
  refusals: ['The document is of a kind that has no pages, is damaged or protected, or has no such page.'],
})
