// Every group of the API, area by area: the whole HTTP surface on one page.
import type { Route } from '../foundation/endpoint.ts'
import { noteRoutes } from '../workspace/notes/routes.ts'
import { tagRoutes } from '../workspace/tags/routes.ts'
import { todoRoutes } from '../workspace/todos/routes.ts'
import { apiTokenRoutes } from '../access/api-tokens/routes.ts'
import { auditTrailRoutes } from '../foundation/audit-trail/routes.ts'
import { eventRoutes } from '../foundation/events/routes.ts'
import { sandboxMailRoutes } from '../access/sandbox-mail/routes.ts'
import { userRoutes } from '../access/user/routes.ts'
import { invitationRoutes } from '../access/invitations/routes.ts'
import { businessRoutes } from '../access/businesses/routes.ts'
import { businessSettingsRoutes } from '../access/business-settings/routes.ts'
import { memberRoutes } from '../access/members/routes.ts'
import { numberingRoutes } from '../access/numbering/routes.ts'
import { founders } from './founders.ts'

export const routes: Route[] = [
  // Platform
  ...businessRoutes(founders),
  ...businessSettingsRoutes,
  ...numberingRoutes,
  ...memberRoutes,
  ...noteRoutes,
  ...todoRoutes,
  ...tagRoutes,
  ...apiTokenRoutes,
  ...auditTrailRoutes,
  ...eventRoutes,
  ...sandboxMailRoutes,
  ...userRoutes,
  ...invitationRoutes,
]
