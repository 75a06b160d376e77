// What a public link shows: the document in words, its password, its file and its page.
import type { Surroundings } from '../../foundation/database/context.ts'
import type { PublicTx } from '../../foundation/database/transaction.ts'
import { Download, type GivenFile } from '../../foundation/endpoint.ts'
import { Page, Redirect, type PageInput } from '../../foundation/page.ts'
import { forbidden, invalid, Refusal } from '../../foundation/refusal.ts'
import { draw, fileOf, planDrawing, type DrawingPlan } from '../document-downloads/operations.ts'
import { openLink } from '../document-links/operations.ts'
import { findShared, hasSeen, openShared, requireSeen, sharedOf, unlockShared, type OpenShare } from '../document-shares/operations.ts'
import {
  openRequest, outside, planSending, requestOf, submitFiles as submit, takeFiles, withdrawFile as withdraw, type OpenRequest,
} from '../document-request-files/operations.ts'
import type { StoragePlan, StoredFile } from '../document-files/operations.ts'
import type { PublicDocument, PublicRequestFile } from './contract.ts'
import { documentPage, pageStyle, passwordPage, publicFile as fileShown, publicRequest } from './rules.ts'
import * as store from './store.ts'

export async function viewDocument(tx: PublicTx, token: string, view_token: string | undefined): Promise<PublicDocument> {
  const link = await openLink(tx, token)
  const opened = await requestOf(link)
  return opened ? requestShown(opened) : shown(requireSeen(await sharedOf(link), view_token))
}

/** A request as whoever has its link sees it. */
export async function requestShown({ tx, request, recipient }: OpenRequest): Promise<PublicDocument> {
  const { name } = await tx.get(store.senderName, {}, 'Document')
  return {
    kind: 'document_request', sender: name, title: request.title, description: request.message,
    content_type: null, size: null, pages: null, allow_download: false,
    request: publicRequest(request, recipient, tx.today), expires_at: request.links_expire_at ?? tx.now,
  }
}

type Sending = { params: { link_token: string }; body: { item_id: string }; files: readonly GivenFile[] }

export const sendFiles = {
  ...outside,
  read: async (tx: PublicTx, { params, body, files }: Sending): Promise<StoragePlan> =>
    planSending(await openRequest(tx, params.link_token), body.item_id, files),
  write: async (tx: PublicTx, { params, body }: Sending, _plan: StoragePlan, stored: StoredFile[] | null): Promise<PublicRequestFile[]> =>
    (await takeFiles(await openRequest(tx, params.link_token, true), body.item_id, stored ?? [])).map((file) => fileShown(file)),
}

export async function withdrawFile(tx: PublicTx, token: string, file_id: string): Promise<PublicRequestFile> {
  return fileShown(await withdraw(await openRequest(tx, token, true), file_id))
}

export async function submitFiles(tx: PublicTx, token: string): Promise<PublicDocument> {
  return requestShown(submit(await openRequest(tx, token, true)))
}

export async function unlockDocument(tx: PublicTx, token: string, password: string) {
  // Its failed guesses would not be counted.
  if (tx.request.dry_run) throw invalid('There is no dry run of guessing a password.')
  return unlockShared(tx, token, password)
}

type FileInput = { params: { link_token: string }; query: { view_token?: string; page?: number } }
type FilePlan = { file: Download; drawing: DrawingPlan | null }

export const publicFile = {
  async read(tx: PublicTx, { params, query }: FileInput): Promise<FilePlan> {
    const { tx: inside, share, document } = await openShared(tx, params.link_token, query.view_token)
    if (query.page === undefined && !share.allow_download) throw forbidden('This document may be looked at, but not downloaded.')
    return { file: fileOf(inside, document, document), drawing: query.page === undefined ? null : planDrawing(inside, document, query.page) }
  },
  call: (surroundings: Surroundings, { drawing }: FilePlan): Promise<Download | null> => (drawing ? draw(surroundings, drawing) : Promise.resolve(null)),
  write: async (_tx: PublicTx, _input: FileInput, { file }: FilePlan, drawn: Download | null): Promise<Download> => drawn ?? file,
}

const tokenOf = ({ params }: PageInput): string => params['token'] ?? ''

export async function showPage(tx: PublicTx, input: PageInput): Promise<Page> {
  const opened = await findShared(tx, tokenOf(input))
  const view_token = input.query['view_token']
  if (!hasSeen(opened, view_token)) return page('Protected document', passwordPage(null))
  const document = await shown(opened)
  const query = view_token === undefined ? '' : `?view_token=${encodeURIComponent(view_token)}`
  return page(document.title, documentPage(document, `/api/v1/public/documents/${encodeURIComponent(tokenOf(input))}/file${query}`))
}

export async function takePassword(tx: PublicTx, input: PageInput): Promise<Page | Redirect> {
  const found = await unlockShared(tx, tokenOf(input), (input.form['password'] ?? '').slice(0, 200))
  if (found instanceof Refusal) return page('Protected document', passwordPage(found.detail), found.status)
  return new Redirect(`/shared/${encodeURIComponent(tokenOf(input))}?view_token=${encodeURIComponent(found.view_token)}`)
}

function page(title: string, body: ReturnType<typeof documentPage>, status = 200): Page {
  return new Page({ title, body, style: pageStyle, status })
}

async function shown({ tx, share, document }: OpenShare) {
  const { name } = await tx.get(store.senderName, {}, 'Document')
  const { content_type, size, pages, description } = document
  const { allow_download, expires_at } = share
  return { kind: 'document' as const, sender: name, title: document.name, description, content_type, size, pages, allow_download, request: null, expires_at }
}
