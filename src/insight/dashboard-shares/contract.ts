// Public links of dashboards, as those of decks.
import { endpointsOf, pageOf } from '../../foundation/endpoint.ts'
import { id, shape } from '../../foundation/shapes.ts'
import { NewShare, Share, ShareInput, shareQuery } from '../shares/contract.ts'

const endpoint = endpointsOf('dashboards', 'business')
const params = shape('DashboardShareParams', { dashboard_id: id() })

export const shareDashboard = endpoint({
  id: 'share_dashboard', method: 'POST', path: '/{dashboard_id}/shares', summary: 'Make a public link to a dashboard',
  description: 'A snapshot shows the figures of the moment when it is made, live those of the moment when it is opened. '
    + 'Not where the settings of the business forbid it (security.share_links_allowed), nor by somebody whose e-mail is not verified, '
    + 'who may not share decks, or who may not read all of its figures: 403.',
  secret: true,
  params,
  body: ShareInput,
  reply: NewShare,
  refusals: ['expires_at is past, or more than a year away.'],
  example: { mode: 'snapshot', allow_download: true },
})

export const listDashboardShares = endpoint({
  id: 'list_dashboard_shares', method: 'GET', path: '/{dashboard_id}/shares', summary: 'List the public links of a dashboard',
  description: 'Also those that have expired or were revoked.',
  params,
  query: shareQuery,
  reply: pageOf(Share),
})

export const revokeDashboardShare = endpoint({
  id: 'revoke_dashboard_share', method: 'DELETE', path: '/shares/{share_id}', summary: 'Revoke a public link to a dashboard',
  description: 'By whoever sees the dashboard and may share it; by an admin in any case. What it opened is a 404 from the next request on.',
  params: shape('DashboardShareIdParams', { share_id: id() }),
  reply: Share,
})
