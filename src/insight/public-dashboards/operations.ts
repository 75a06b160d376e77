// What a share shows to whoever has its link. It is read in one state of the books, then the look is counted, and only then answered.
import { findLogo } from '../../access/business-logo/operations.ts'
import type { Surroundings } from '../../foundation/database/context.ts'
import type { PublicTx } from '../../foundation/database/transaction.ts'
import { Download, type Steps } from '../../foundation/endpoint.ts'
import type { Picture } from '../../foundation/pictures.ts'
import { forbidden, notFound } from '../../foundation/refusal.ts'
import { planPictures, readPictures, type ExportMaterial } from '../deck-exports/operations.ts'
import { pdfOf, pptxOf } from '../deck-files/rules.ts'
import type { DeckFileOptions, DeckHead } from '../deck-files/contract.ts'
import type { SharedBoard, SharedDeck, SharedViews } from '../shares/contract.ts'
import { countView, openShare, shownThrough, type OpenShare } from '../shares/operations.ts'
import type { Slide } from '../slides/contract.ts'
import type { FileFormat, PublicData, PublicSlide, PublicView } from './contract.ts'
import { dataAddress, dataOf, fileNameOf, pickSlides, publicSlide, publicWidget } from './rules.ts'

type Params = { share_token: string }
type Reading<I, Shown> = Steps<PublicTx, I, Shown, null, Shown>

/** Reads, then counts. */
function counted<I extends { params: Params }, Shown>(whole: boolean, read: (tx: PublicTx, input: I) => Promise<Shown>): Reading<I, Shown> {
  return {
    read,
    call: () => Promise.resolve(null),
    async write(tx, { params }, shown) {
      await countView(tx, params.share_token, { whole })
      return shown
    },
  }
}

export type Opened = OpenShare & { view: SharedDeck | SharedBoard }

async function opened(views: SharedViews, tx: PublicTx, { share_token }: Params): Promise<Opened> {
  const open = await openShare(tx, share_token, tx.request.share_access)
  return { ...open, view: await shownThrough(views, open) }
}

export const viewShare = (views: SharedViews) => counted(true, async (tx, { params }: { params: Params }) => publicView(await opened(views, tx, params)))

async function publicView({ tx, share, business, view }: Opened): Promise<PublicView> {
  const { mode, expires_at, allow_download, allow_chat, subject_type } = share
  const { title, as_of, currency, period_start, period_end } = view
  const logo = await findLogo(tx)
  return {
    kind: subject_type, title, business_name: business.name, logo: logo && dataAddress(logo),
    as_of, currency, period_start, period_end, mode, expires_at, allow_download, allow_chat,
    slides: 'slides' in view ? pickSlides(view).map((slide) => publicSlide(slide)) : [],
    widgets: 'widgets' in view ? view.widgets.map(publicWidget) : [],
  }
}

export const shareData = (views: SharedViews) => counted(false, async (tx, { params }: { params: Params }): Promise<PublicData> => {
  const { share, view } = await opened(views, tx, params)
  return { kind: share.subject_type, as_of: view.as_of, currency: view.currency, mode: share.mode, figures: dataOf(view) }
})

type SlideInput = { params: Params & { slide_id: string } }
type SlidePlan = { slide: Slide; pictures: PicturePlan }

export const viewSlide = (views: SharedViews): Steps<PublicTx, SlideInput, SlidePlan, Pictures, PublicSlide> => ({
  async read(tx, { params }) {
    const { tx: inside, view } = await opened(views, tx, params)
    const slide = 'slides' in view ? pickSlides(view).find(({ id }) => id === params.slide_id) : undefined
    if (!slide) throw notFound('Slide')
    return { slide, pictures: await planPictures(inside, slide.blocks) }
  },
  call: (surroundings, { pictures }) => readPictures({ pictures, surroundings }),
  async write(tx, { params }, { slide }, pictures) {
    await countView(tx, params.share_token, { whole: false })
    return publicSlide(slide, pictures ?? new Map())
  },
})

export type PicturePlan = ExportMaterial['pictures']
export type Pictures = Map<string, Picture>

export type FilePlan = { format: FileFormat; head: DeckHead; slides: Slide[]; options: DeckFileOptions; pictures: PicturePlan }

export async function planFile({ tx, share, business, view }: Opened, format: FileFormat): Promise<FilePlan> {
  if (!share.allow_download) throw forbidden('This may be looked at, but not downloaded.')
  const { title, as_of, currency } = view
  const day = as_of.slice(0, 10)
  const period = { period_start: view.period_start ?? day, period_end: view.period_end ?? day }
  const head = { title, ...period, basis: 'basis' in view ? view.basis : 'accrual', data_as_of: as_of }
  const options = { business: { name: business.name, currency, country: business.country }, include_hidden: false, include_notes: false }
  const slides = pickSlides(view)
  return { format, head, slides, options, pictures: await planPictures(tx, slides.flatMap(({ blocks }) => blocks)) }
}

const TYPES: Record<FileFormat, string> = {
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

export async function makeFile(surroundings: Surroundings, { format, head, slides, options, pictures }: FilePlan): Promise<Download> {
  const bytes = await (format === 'pdf' ? pdfOf : pptxOf)(head, slides, { ...options, pictures: await readPictures({ pictures, surroundings }) })
  return new Download(TYPES[format], fileNameOf(head.title, format), bytes)
}

type DownloadInput = { params: Params; query: { format?: FileFormat } }

export const downloadShare = (views: SharedViews): Steps<PublicTx, DownloadInput, FilePlan, Download, Download> => ({
  read: async (tx, { params, query }) => planFile(await opened(views, tx, params), query.format ?? 'pdf'),
  call: makeFile,
  write: (tx, { params }, plan, file) => handOut(tx, params.share_token, plan, file),
})

/** What was made, and that it was taken. */
export async function handOut(tx: PublicTx, token: string, { format }: FilePlan, file: Download | null): Promise<Download> {
  await countView(tx, token, { whole: true, reason: `Downloaded as ${format}.` })
  if (!file) throw notFound('Share')
  return file
}
