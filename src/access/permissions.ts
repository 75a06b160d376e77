// The one permission table: which role may read and write which group, and which powers it has.
import { POWERS, type Permission, type Power } from '../foundation/permission.ts'

export const ROLES = ['owner', 'admin', 'accountant', 'bookkeeper', 'approver', 'viewer'] as const
export type Role = (typeof ROLES)[number]

const admins: readonly Role[] = ['owner', 'admin']
const accountants: readonly Role[] = [...admins, 'accountant']
const daily: readonly Role[] = [...accountants, 'bookkeeper']
const deciders: readonly Role[] = [...daily, 'approver']
const everyone: readonly Role[] = ROLES
const nobody: readonly Role[] = []

type Row = { group: string; words: string; read: readonly Role[]; write: readonly Role[] }

/** A row per group of the API. `words` is what a person reads when asked to consent to a scope. */
export const GROUPS: readonly Row[] = [
  { group: 'accounting-dimensions', words: 'dimensions and their rules', read: everyone, write: accountants },
  { group: 'accounting-periods', words: 'accounting periods', read: everyone, write: accountants },
  { group: 'activation', words: 'how far the business has come', read: everyone, write: everyone },
  { group: 'ai-reporting', words: 'decks and their public links', read: everyone, write: daily },
  { group: 'audit-trail', words: 'the audit trail', read: accountants, write: nobody },
  { group: 'books', words: 'the verification and the export of the books', read: accountants, write: nobody },
  { group: 'businesses', words: 'the business and its settings', read: everyone, write: accountants },
  { group: 'catalog-items', words: 'catalog items', read: everyone, write: daily },
  { group: 'contracts', words: 'contracts with customers', read: everyone, write: daily },
  { group: 'counterparty-aliases', words: 'names of counterparties', read: everyone, write: daily },
  { group: 'counterparty-defaults', words: 'what counterparties usually are', read: everyone, write: daily },
  { group: 'credit-memos', words: 'credit memos, deposits and refunds', read: everyone, write: daily },
  { group: 'customers', words: 'customers', read: everyone, write: daily },
  // Each their own; what a viewer makes stays private.
  { group: 'dashboards', words: 'dashboards and their public links', read: everyone, write: everyone },
  { group: 'document-requests', words: 'requests for documents', read: everyone, write: daily },
  { group: 'documents', words: 'documents', read: everyone, write: deciders },
  { group: 'events', words: 'the event log', read: everyone, write: nobody },
  { group: 'exports', words: 'exports of what the caller may read', read: everyone, write: everyone },
  { group: 'fx-rates', words: 'exchange rates and revaluations', read: everyone, write: accountants },
  { group: 'imports', words: 'imports of files', read: everyone, write: daily },
  { group: 'inventory', words: 'products, locations and stock', read: everyone, write: daily },
  { group: 'invitations', words: 'invitations', read: admins, write: admins },
  { group: 'invoices', words: 'invoices and their payments', read: everyone, write: daily },
  // Who approves needs no right to write: that is the power entries:approve.
  { group: 'journal-entries', words: 'journal entries', read: everyone, write: daily },
  { group: 'jobs', words: 'the progress of long work', read: everyone, write: everyone },
  { group: 'ledgers', words: 'the chart of accounts', read: everyone, write: daily },
  { group: 'managerial-key-mappings', words: 'managerial keys', read: everyone, write: accountants },
  // To write is only to leave; whoever changes others needs the power members:manage.
  { group: 'members', words: 'the people of the business', read: everyone, write: everyone },
  { group: 'notes', words: 'notes', read: everyone, write: everyone },
  { group: 'o2c-webhooks', words: 'webhooks', read: admins, write: admins },
  { group: 'onboarding', words: 'the set-up of the business', read: everyone, write: accountants },
  { group: 'payment-terms', words: 'payment terms', read: everyone, write: daily },
  { group: 'processor', words: 'the card processor: charges, payouts and disputes', read: everyone, write: accountants },
  { group: 'projects', words: 'projects', read: everyone, write: daily },
  { group: 'recurring', words: 'recurring templates', read: everyone, write: daily },
  { group: 'reports', words: 'reports', read: everyone, write: accountants },
  { group: 'search', words: 'the search', read: everyone, write: everyone },
  { group: 'tags', words: 'tags', read: everyone, write: daily },
  { group: 'tax', words: 'tax set-up, calculation and returns', read: everyone, write: accountants },
  { group: 'todos', words: 'tasks', read: everyone, write: deciders },
  { group: 'transactions', words: 'bank transactions', read: everyone, write: daily },
]

/** Groups of the person rather than of a business: a session may use them, a token only with the scope. */
export const PERSONAL_GROUPS: readonly Omit<Row, 'read' | 'write'>[] = [
  { group: 'api-tokens', words: 'API tokens' },
  { group: 'notification-preferences', words: 'what you are told and how' },
  { group: 'notifications', words: 'your notifications' },
  { group: 'oauth', words: 'connected apps' },
  { group: 'user', words: 'your profile' },
]

const POWER_ROWS: Record<Power, { words: string; roles: readonly Role[] }> = {
  'documents:correct': { words: 'void documents, write off, refund and merge', roles: accountants },
  'entries:approve': { words: 'approve and reject journal entries', roles: [...accountants, 'approver'] },
  'periods:override': { words: 'post into soft-closed periods', roles: accountants },
  'tokens:manage': { words: 'see and revoke every token that reaches the business', roles: admins },
  'members:manage': { words: 'invite, change and remove people', roles: admins },
  'billing:manage': { words: 'change the plan', roles: admins },
}

const byRole = new Map(ROLES.map((role) => [role, new Set(permissionsOf(role))]))

/** What a role may do, worked out once. */
export function permissionsFor(role: Role): ReadonlySet<Permission> {
  return byRole.get(role) ?? new Set()
}

/** Every scope that a token can carry, with its meaning in words. */
export function scopeCatalogue(): { scope: Permission; description: string }[] {
  const groups = [...GROUPS, ...PERSONAL_GROUPS].flatMap(({ group, words }): { scope: Permission; description: string }[] => [
    { scope: `${group}:read`, description: `Read ${words}` },
    { scope: `${group}:write`, description: `Change ${words}` },
  ])
  const unwritable = new Set<string>(GROUPS.filter((row) => row.write.length === 0).map((row) => `${row.group}:write`))
  const powers = POWERS.map((scope) => ({ scope, description: capital(POWER_ROWS[scope].words) }))
  return [...groups.filter(({ scope }) => !unwritable.has(scope)), ...powers]
}

/** The roles that stand above or beside another are those that can do everything it can. */
export function outranks(role: Role, other: Role): boolean {
  if (other === 'owner') return role === 'owner'
  return [...permissionsFor(other)].every((permission) => permissionsFor(role).has(permission))
}

export const isPersonal = (permission: Permission): boolean => PERSONAL_GROUPS.some(({ group }) => permission.startsWith(`${group}:`))

function permissionsOf(role: Role): Permission[] {
  const groups = GROUPS.flatMap(({ group, read, write }): Permission[] => [
    ...(read.includes(role) ? [`${group}:read` as const] : []),
    ...(write.includes(role) ? [`${group}:write` as const] : []),
  ])
  return [...groups, ...POWERS.filter((power) => POWER_ROWS[power].roles.includes(role))]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
