// The logo of a business: the picture on its documents and on the pages that its customers see.
import { Type, type Static } from 'typebox'
import { endpoint } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, oneOf, optional, shape, text, timestamp } from '../../foundation/shapes.ts'
import { businessParams } from '../businesses/contract.ts'

export const MOST_BYTES = 524_288

export const BusinessLogo = shape('BusinessLogo', {
  id: id({ description: 'That of the business.' }),
  content_type: oneOf(['image/png', 'image/jpeg']),
  width: integer(1, undefined, { description: 'In pixels.' }),
  height: integer(1),
  size: integer(1, undefined, { description: 'In bytes, as it is kept.' }),
  updated_at: timestamp(),
})
export type BusinessLogo = Static<typeof BusinessLogo>

export const LogoInput = shape('BusinessLogoInput', {
  file_name: optional(text(1, 255)),
  content_base64: text(1, Math.ceil(MOST_BYTES / 3) * 4 + 4, { description: `A PNG or JPEG of at most ${MOST_BYTES / 1024} KiB, in base64.` }),
})

export const logoResource = resource({
  type: 'business_logo', group: 'businesses', shape: BusinessLogo, table: null, label: 'content_type', events: ['business_logo.changed', 'business_logo.removed'],
})

const inside = { scope: 'business', params: businessParams } as const

/** One pixel, so that the example is a whole picture. */
export const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGOQi+oBAAGeAQUPLwv6AAAAAElFTkSuQmCC'

export const setLogo = endpoint({
  ...inside, id: 'set_business_logo', method: 'PUT', path: '/businesses/{business_id}/logo', summary: 'Set the logo of a business', permission: 'businesses:write',
  description: 'Shown on documents, in mail and on the pages that customers see. What can be seen through becomes white, and what programs write about a picture is left out.',
  body: LogoInput,
  reply: BusinessLogo,
  refusals: ['The file is neither a PNG nor a JPEG picture, or is damaged.', 'The PNG is interlaced, or the JPEG is for print.', 'The file or the picture is too large.'],
  example: { file_name: 'dot.png', content_base64: DOT },
})

export const getLogo = endpoint({
  ...inside, id: 'get_business_logo', method: 'GET', path: '/businesses/{business_id}/logo', summary: 'Download the logo of a business', permission: 'businesses:read',
  description: 'The picture itself, PNG or JPEG; 404 where there is none.',
  reply: Type.Unsafe<never>({ type: 'string', contentMediaType: 'image/png' }),
})

export const removeLogo = endpoint({
  ...inside, id: 'remove_business_logo', method: 'DELETE', path: '/businesses/{business_id}/logo', summary: 'Remove the logo of a business', permission: 'businesses:write',
  reply: shape('BusinessLogoRemoved', { removed: boolean({ description: 'false: there was none.' }) }),
})
