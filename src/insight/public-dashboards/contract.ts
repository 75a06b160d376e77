// The far side of shares: what whoever has the link of a deck or a dashboard sees of it, without an account. Nothing leads from here into the books.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { boolean, cents, date, id, integer, list, nullable, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { FIGURE_UNITS } from '../bindings/contract.ts'
import { ROW_KINDS } from '../report-shape/contract.ts'
import { MODES, SUBJECT_TYPES, WIDGET_KINDS } from '../shares/contract.ts'
import { BLOCK_KINDS, CHART_KINDS, SLIDE_KINDS } from '../slides/contract.ts'

const figure = {
  row: integer(1, 100_000, { description: 'Figures with the same number stand in one row' }),
  column: integer(1, 100_000, { description: 'or in one column.' }),
  label: Type.String(),
  column_label: Type.String(),
  kind: oneOf(ROW_KINDS),
  depth: integer(0, 20),
  unit: oneOf(FIGURE_UNITS),
  value_cents: nullable(cents()),
  decimal: nullable(Type.String()),
  formatted: Type.String(),
}

export const PublicFigure = shape('PublicFigure', figure)
export type PublicFigure = Static<typeof PublicFigure>

const missing = boolean({ description: 'Its figures could not be had.' })

export const PublicBlock = shape('PublicBlock', {
  kind: oneOf(BLOCK_KINDS), chart: nullable(oneOf(CHART_KINDS)), text: nullable(Type.String()), figures: list(PublicFigure), missing,
  picture: nullable(Type.String({ description: 'Of an image: the picture itself, as a data: address, where one slide is asked for.' })),
})
export type PublicBlock = Static<typeof PublicBlock>

export const PublicSlide = shape('PublicSlide', {
  id: id(), position: integer(1, 60, { description: 'Among those that can be seen.' }), kind: oneOf(SLIDE_KINDS), title: Type.String(), as_of: timestamp(),
  blocks: list(PublicBlock),
})
export type PublicSlide = Static<typeof PublicSlide>

const place = integer(0, 10_000)

export const PublicWidget = shape('PublicWidget', {
  id: id(), kind: oneOf(WIDGET_KINDS), title: Type.String(), x: place, y: place, w: place, h: place,
  text: nullable(Type.String()), figures: list(PublicFigure), missing,
})
export type PublicWidget = Static<typeof PublicWidget>

const kind = oneOf(SUBJECT_TYPES, { description: 'What the link opens.' })
const as_of = timestamp({ description: 'The moment whose books it shows.' })
const mode = oneOf(MODES)
const currency = Type.String()

export const PublicView = shape('PublicView', {
  kind,
  title: Type.String(),
  business_name: Type.String(),
  logo: nullable(Type.String({ description: 'The picture itself, as a data: address.' })),
  as_of,
  currency,
  period_start: nullable(date()),
  period_end: nullable(date()),
  mode,
  expires_at: timestamp(),
  allow_download: boolean(),
  allow_chat: boolean(),
  slides: list(PublicSlide, { description: 'Of a deck.' }),
  widgets: list(PublicWidget, { description: 'Of a dashboard.' }),
})
export type PublicView = Static<typeof PublicView>

export const PublicData = shape('PublicData', {
  kind, as_of, currency, mode,
  figures: list(shape('PublicDatum', {
    slide_id: nullable(id()), widget_id: nullable(id()), block: integer(1, 1_000, { description: 'Of its slide.' }), ...figure,
  })),
})
export type PublicData = Static<typeof PublicData>

const endpoint = endpointsOf('public/dashboards', 'public')
const params = shape('PublicShareParams', { share_token: text(1, 200) })
const open = { permission: null, limit_per_minute: 60, by_link: 'share_token', params } as const

export const FILE_FORMATS = ['pdf', 'pptx'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

export const viewShare = endpoint({
  ...open, id: 'view_public_dashboard', method: 'GET', path: '/{share_token}', summary: 'See what a share opens',
  description: 'A share that is unknown, expired or revoked is a 404; one with a password a 401 until it is unlocked.',
  reply: PublicView,
})

export const unlockShare = endpoint({
  ...open, id: 'unlock_public_dashboard', method: 'POST', path: '/{share_token}/unlock', summary: 'Give the password of a share',
  description: 'The view_token is good for an hour, in the header x-share-access. A wrong password is a 401; after ten of them a 429 for a quarter of an hour.',
  limit_per_minute: 10,
  secret: true,
  body: shape('PublicShareUnlock', { password: text(1, 200) }),
  reply: shape('PublicShareView', { view_token: Type.String(), expires_at: timestamp() }),
  refusals: ['There is no dry run of guessing a password.'],
  example: { password: 'correct horse' },
})

export const shareData = endpoint({
  ...open, id: 'get_public_dashboard_data', method: 'GET', path: '/{share_token}/data', summary: 'Get the figures that a share shows',
  reply: PublicData,
})

export const downloadShare = endpoint({
  ...open, id: 'download_public_dashboard', method: 'GET', path: '/{share_token}/download', summary: 'Download what a share opens',
  description: 'Where downloading is not allowed: 403.',
  query: shape('PublicDownloadQuery', { format: optional(oneOf(FILE_FORMATS, { default: 'pdf' })) }),
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'application/octet-stream' }),
})

export const viewSlide = endpoint({
  ...open, id: 'get_public_slide', method: 'GET', path: '/{share_token}/slides/{slide_id}', summary: 'Get one slide of a shared deck',
  description: 'A slide that is hidden is a 404.',
  params: shape('PublicSlideParams', { share_token: text(1, 200), slide_id: id() }),
  reply: PublicSlide,
})
