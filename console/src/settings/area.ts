// Settings: of the business, of the programs that reach it, and of the own account.
import { area } from '../area.ts'

export const settings = area({
  title: 'Business',
  entries: [
    { path: '/settings', load: () => import('./business.tsx'), name: 'BusinessPage', menu: 'Settings' },
    { path: '/settings/preferences', load: () => import('./preferences.tsx'), name: 'PreferencesPage' },
    { path: '/settings/numbering', load: () => import('./numbering.tsx'), name: 'NumberingPage' },
    { path: '/settings/members', load: () => import('./members.tsx'), name: 'MembersPage' },
    { path: '/settings/plan', load: () => import('./plan.tsx'), name: 'PlanPage' },
    { path: '/settings/webhooks', load: () => import('./webhooks.tsx'), name: 'WebhooksPage' },
    { path: '/settings/webhooks/$webhook_id', load: () => import('./webhook.tsx'), name: 'WebhookPage' },
    { path: '/settings/audit', load: () => import('./audit.tsx'), name: 'AuditPage' },
    { path: '/settings/audit/$entry_id', load: () => import('./audit-entry.tsx'), name: 'AuditEntryPage' },
    { path: '/settings/tokens', load: () => import('./tokens.tsx'), name: 'TokensPage' },
    { path: '/settings/tokens/new', load: () => import('./token-form.tsx'), name: 'NewTokenPage' },
    { path: '/settings/tokens/$token_id', load: () => import('./token.tsx'), name: 'TokenPage' },
    { path: '/settings/apps', load: () => import('./apps.tsx'), name: 'AppsPage' },
    { path: '/settings/apps/$grant_id', load: () => import('./app.tsx'), name: 'AppPage' },
    { path: '/settings/clients', load: () => import('./clients.tsx'), name: 'ClientsPage' },
    { path: '/settings/clients/$client_id', load: () => import('./client.tsx'), name: 'ClientPage' },
    { path: '/settings/notifications', load: () => import('./notifications.tsx'), name: 'NotificationsPage' },
    { path: '/settings/account', load: () => import('./account.tsx'), name: 'AccountPage' },
    { path: '/settings/security', load: () => import('./security.tsx'), name: 'SecurityPage' },
  ],
})
