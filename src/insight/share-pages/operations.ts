// Showing a share to people: the page, its password and its files. Whoever gave the password keeps that in a cookie of this page alone.
import { today } from '../../foundation/calendar.ts'
import type { PublicTx } from '../../foundation/database/transaction.ts'
import { Download, type Steps } from '../../foundation/endpoint.ts'
import { Page, Redirect, type PageInput } from '../../foundation/page.ts'
import type { Picture } from '../../foundation/pictures.ts'
import { notFound, Refusal, unauthenticated } from '../../foundation/refusal.ts'
import { findLogo } from '../../access/business-logo/operations.ts'
import type { FileFormat } from '../public-dashboards/contract.ts'
import { readPictures } from '../deck-exports/operations.ts'
import { planPictures } from '../deck-exports/operations.ts'
import { handOut, makeFile, planFile, type FilePlan, type Opened, type PicturePlan, type Pictures } from '../public-dashboards/operations.ts'
import { dataAddress, pickSlides, widgetBlock } from '../public-dashboards/rules.ts'
import { pageScript, pageStyle } from '../share-looks/rules.ts'
import type { SharedViews } from '../shares/contract.ts'
import { countView, findShare, hasSeen, shownThrough, unlockShare } from '../shares/operations.ts'
import { boardPage, deckPage, passwordPage, tileStyle, type Head } from './rules.ts'

const tokenOf = ({ params }: PageInput): string => params['token'] ?? ''
const pathOf = (token: string): string => `/share/${encodeURIComponent(token)}`

const COOKIE = 'share_access'

function givenAccess({ cookie }: PageInput): string | null {
  const found = cookie.split(';').map((one) => one.trim()).find((one) => one.startsWith(`${COOKIE}=`))
  return found ? found.slice(COOKIE.length + 1) : null
}

/** Null where it waits for its password. */
async function opened(views: SharedViews, tx: PublicTx, input: PageInput): Promise<Opened | null> {
  const open = await findShare(tx, tokenOf(input))
  return hasSeen(open, givenAccess(input)) ? { ...open, view: await shownThrough(views, open) } : null
}

export const showPage = (views: SharedViews): Steps<PublicTx, PageInput, Page | null, null, Page> => ({
  async read(tx, input) {
    const found = await opened(views, tx, input)
    return found && pageOf(found, tokenOf(input))
  },
  call: () => Promise.resolve(null),
  async write(tx, input, page) {
    if (!page) return door(null, 401)
    await countView(tx, tokenOf(input), { whole: true })
    return page
  },
})

async function pageOf({ tx, share, business, view }: Opened, token: string): Promise<Page> {
  const logo = await findLogo(tx)
  const head: Head = {
    title: view.title, business_name: business.name, country: business.country, logo: logo && dataAddress(logo), path: pathOf(token),
    currency: view.currency, as_of: today(new Date(view.as_of), tx.business.timezone), period_start: view.period_start, period_end: view.period_end,
    allow_download: share.allow_download,
  }
  const title = `${view.title} · ${business.name}`
  if ('slides' in view) return new Page({ title, body: deckPage(head, pickSlides(view)), style: pageStyle, script: pageScript })
  const tiles = view.widgets.map((widget) => ({ title: widget.title, block: widgetBlock(widget), x: widget.x, y: widget.y, w: widget.w, h: widget.h }))
  return new Page({ title, body: boardPage(head, tiles), style: pageStyle + tileStyle(tiles) })
}

export async function takePassword(tx: PublicTx, input: PageInput): Promise<Page | Redirect> {
  const token = tokenOf(input)
  const found = await unlockShare(tx, token, (input.form['password'] ?? '').slice(0, 200))
  if (found instanceof Refusal) return door(found.detail, found.status)
  const seconds = Math.round((Date.parse(found.expires_at) - Date.parse(tx.now)) / 1000)
  const secure = tx.surroundings.public_url.startsWith('https:') ? '; Secure' : ''
  tx.request.reply_headers['set-cookie'] = `${COOKIE}=${found.view_token}; Path=${pathOf(token)}; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`
  return new Redirect(pathOf(token))
}

export const downloadPage = (views: SharedViews): Steps<PublicTx, PageInput, FilePlan, Download, Download> => ({
  async read(tx, input) {
    const found = await opened(views, tx, input)
    if (!found) throw unauthenticated('This page is protected by a password: unlock it first.')
    const format: FileFormat = input.query['format'] === 'pptx' ? 'pptx' : 'pdf'
    return planFile(found, format)
  },
  call: makeFile,
  write: (tx, input, plan, file) => handOut(tx, tokenOf(input), plan, file),
})

/** The picture of an image, by the places of its slide and of its block there. */
export const showPicture = (views: SharedViews): Steps<PublicTx, PageInput, PicturePlan, Pictures, Download> => ({
  async read(tx, input) {
    const found = await opened(views, tx, input)
    const [slide, block] = [Number(input.params['slide']), Number(input.params['block'])]
    const shown = found && pickSlides(found.view)[slide - 1]?.blocks[block - 1]
    return found && shown ? planPictures(found.tx, [shown]) : []
  },
  call: (surroundings, pictures) => readPictures({ pictures, surroundings }),
  async write(_tx, _input, _plan, pictures) {
    const [picture] = [...(pictures ?? new Map<string, Picture>()).values()]
    if (!picture) throw notFound('Share')
    return new Download(picture.content_type, 'picture', picture.content)
  },
})

function door(problem: string | null, status: number): Page {
  return new Page({ title: 'Protected page', body: passwordPage(problem), style: pageStyle, status })
}
