// Showing a request to whoever has its link, and taking in what they send.
import { Type } from 'typebox'
import type { Surroundings } from '../../foundation/database/context.ts'
import { statement } from '../../foundation/database/statement.ts'
import type { PublicTx } from '../../foundation/database/transaction.ts'
import { isUuid } from '../../foundation/ids.ts'
import { Page, Redirect, type PageAnswer, type PageInput } from '../../foundation/page.ts'
import { notFound, Refusal } from '../../foundation/refusal.ts'
import type { StoragePlan, StoredFile } from '../document-files/operations.ts'
import { markViewed, openRequest, outside, planSending, submitFiles, takeFiles, withdrawFile, type OpenRequest } from '../document-request-files/operations.ts'
import { requestShown } from '../public-documents/operations.ts'
import { pageStyle, requestPage, type Notice } from './rules.ts'

const countryOf = statement(Type.Object({ country: Type.String() }), 'select country from businesses where id = :business_id')

const tokenOf = ({ params }: PageInput): string => params['token'] ?? ''
const pathOf = (input: PageInput): string => `/request/${encodeURIComponent(tokenOf(input))}`

const SAID: Record<string, string> = {
  sent: 'Thank you, your files have arrived.', removed: 'The file was taken back.', done: 'Thank you. Everything you sent was handed over.',
}

export async function showRequest(tx: PublicTx, input: PageInput): Promise<Page> {
  const opened = await openRequest(tx, tokenOf(input))
  await markViewed(opened)
  const text = SAID[input.query['said'] ?? '']
  return pageOf(opened, input, text === undefined ? null : { text, bad: false, item_id: null })
}

async function pageOf(opened: OpenRequest, input: PageInput, notice: Notice | null, status = 200): Promise<Page> {
  const [view, { country }] = await Promise.all([requestShown(opened), opened.tx.get(countryOf, {}, 'Document')])
  if (!view.request) throw notFound('Document')
  const body = requestPage({ view, request: view.request, country, path: pathOf(input), notice })
  return new Page({ title: `${view.title}: papers for ${view.sender}`, body, style: pageStyle, status })
}

/** A broken rule is told on the page itself; a link that opens nothing stays a 404. */
async function caught<T>(work: () => Promise<T> | T): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error
    throw error
  }
}

function idOf({ form }: PageInput, name: string, what: string): string {
  const id = form[name] ?? ''
  if (!isUuid(id)) throw notFound(what)
  return id
}

type Plan = StoragePlan | Refusal
type Found = StoredFile[] | Refusal

export const takeForm = {
  async read(tx: PublicTx, input: PageInput): Promise<Plan> {
    const opened = await openRequest(tx, tokenOf(input))
    return caught(() => planSending(opened, idOf(input, 'item_id', 'Item'), input.files))
  },
  call: (surroundings: Surroundings, plan: Plan): Promise<Found> =>
    plan instanceof Refusal ? Promise.resolve(plan) : caught(() => outside.call(surroundings, plan)),
  async write(tx: PublicTx, input: PageInput, _plan: Plan, found: Found | null): Promise<PageAnswer> {
    const opened = await openRequest(tx, tokenOf(input), true)
    const item_id = idOf(input, 'item_id', 'Item')
    const taken = found instanceof Refusal ? found : await caught(() => takeFiles(opened, item_id, found ?? []))
    return taken instanceof Refusal ? pageOf(opened, input, { text: taken.detail, bad: true, item_id }, 400) : new Redirect(`${pathOf(input)}?said=sent`)
  },
}

export async function takeBack(tx: PublicTx, input: PageInput): Promise<PageAnswer> {
  const opened = await openRequest(tx, tokenOf(input), true)
  return answerTo(opened, input, 'removed', await caught(() => withdrawFile(opened, idOf(input, 'file_id', 'File'))))
}

export async function handOver(tx: PublicTx, input: PageInput): Promise<PageAnswer> {
  const opened = await openRequest(tx, tokenOf(input), true)
  return answerTo(opened, input, 'done', await caught(() => submitFiles(opened)))
}

function answerTo(opened: OpenRequest, input: PageInput, said: string, outcome: unknown): Promise<Page> | Redirect {
  if (outcome instanceof Refusal) return pageOf(opened, input, { text: outcome.detail, bad: true, item_id: null }, 400)
  return new Redirect(`${pathOf(input)}?said=${said}`)
}
