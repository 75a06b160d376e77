// Handing out files: their bytes are read from the storage once the transaction is over.
import type { Surroundings } from '../../foundation/database/context.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { drawPage } from '../../foundation/document-text/drawing.ts'
import { Download } from '../../foundation/endpoint.ts'
import { invalid, unavailable } from '../../foundation/refusal.ts'
import { readWhole, type FileAddress } from '../../foundation/storage/storage.ts'
import { downloadName, formatOf, type Format } from '../document-files/rules.ts'
import type { Document } from '../documents/contract.ts'
import { getDocument, getVersion } from '../documents/operations.ts'

export async function downloadDocument(tx: BusinessTx, document_id: string, number: number | undefined): Promise<Download> {
  const document = await getDocument(tx, document_id)
  return fileOf(tx, document, number === undefined ? document : await getVersion(tx, document, number))
}

/** The file of a document, or of one of its versions, as a download. */
export function fileOf({ surroundings, business_id }: BusinessTx, { name }: Document, file: Pick<Document, 'content_type' | 'size' | 'sha256'>): Download {
  const { content_type, size, sha256 } = file
  const read = (range?: { start: number; end: number }) => surroundings.storage.read({ business_id, sha256 }, range)
  return new Download(content_type, downloadName(name, formatOf(content_type)), { size, tag: sha256, read })
}

const DRAWN = { pdf: 'pdf', png: 'png', jpg: 'jpeg' } as const satisfies Partial<Record<Format, string>>
const WIDTH = 1_200

export type DrawingPlan = { address: FileAddress; kind: (typeof DRAWN)[keyof typeof DRAWN]; name: string; page: number }

export function planDrawing(tx: BusinessTx, { name, content_type, sha256 }: Document, page = 1): DrawingPlan {
  const kind = (DRAWN as Partial<Record<Format, DrawingPlan['kind']>>)[formatOf(content_type)]
  if (!kind) throw invalid(`${name} cannot be shown as a picture: only PDF, PNG and JPEG can. Download it instead.`)
  return { address: { business_id: tx.business_id, sha256 }, kind, name, page }
}

export async function draw({ storage }: Pick<Surroundings, 'storage'>, { address, kind, name, page }: DrawingPlan): Promise<Download> {
  const drawn = await drawPage({ kind, content: await readWhole(storage, address), page, width: WIDTH })
  if (!drawn) throw unavailable('Too many pages are being drawn at this moment. Try again in a moment.', 5)
  if ('problem' in drawn) throw invalid(`${name} ${drawn.problem}.`)
  return new Download('image/png', `${name}-${page}.png`, Buffer.from(drawn.png))
}

type Preview = { params: { document_id: string }; query: { page?: number } }

export const previewDocument = {
  read: async (tx: BusinessTx, { params, query }: Preview) => planDrawing(tx, await getDocument(tx, params.document_id), query.page),
  call: draw,
  write: async (_tx: BusinessTx, _input: Preview, _plan: DrawingPlan, drawn: Download | null): Promise<Download> => {
    if (!drawn) throw new Error('A GET has no dry run.')
    return drawn
  },
}
