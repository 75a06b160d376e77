// The page of a document request: address → operation.
import { filePage, page, type PageRoute } from '../../foundation/page.ts'
import { handOver, showRequest, takeBack, takeForm } from './operations.ts'

export const documentRequestPages: PageRoute[] = [
  page('GET', '/request/{token}', showRequest, 60),
  filePage('/request/{token}/files', takeForm, 60),
  page('POST', '/request/{token}/remove', takeBack, 60),
  page('POST', '/request/{token}/submit', handOver, 60),
].map((route) => ({ ...route, by_link: 'token' }))
