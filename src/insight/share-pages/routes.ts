// The page of a share: address → operation.
import { outsidePage, page, type PageRoute } from '../../foundation/page.ts'
import type { SharedViews } from '../shares/contract.ts'
import { downloadPage, showPage, showPicture, takePassword } from './operations.ts'

export const sharePages = (views: SharedViews): PageRoute[] => [
  { ...outsidePage('GET', '/share/{token}', showPage(views), 60), by_link: 'token' },
  { ...page('POST', '/share/{token}', takePassword, 10), by_link: 'token' },
  // Those of one page come all at once, so they are counted by themselves.
  { ...outsidePage('GET', '/share/{token}/pictures/{slide}/{block}', showPicture(views), 600), by_link: 'token' },
  { ...outsidePage('GET', '/share/{token}/download', downloadPage(views), 60), by_link: 'token' },
]
