// The floor plan as data: which room stands on which floor, and what belongs in a room. The tidy test reads it.

/** Rooms import downward only; rooms on one floor do not import each other. */
export const FLOORS: Record<string, number> = {
  app: 10,
  advisory: 9,
  insight: 8,
  processes: 7,
  receivables: 6,
  payables: 6,
  banking: 5,
  inventory: 5,
  projects: 5,
  directory: 4,
  ledger: 3,
  workspace: 2,
  access: 1,
  foundation: 0,
}

/** The files of a group, by role; tests stand beside them. */
export const ROLES = ['contract.ts', 'rules.ts', 'store.ts', 'operations.ts', 'routes.ts', 'jobs.ts', 'verifications.ts']

/** Rooms whose folders are groups; `app` and parts of the foundation are machinery and name their files freely. */
export const MACHINERY = ['app', 'foundation/database', 'foundation/http', 'foundation/jobs', 'foundation/postgres', 'foundation/processor', 'foundation/bank', 'foundation/ai', 'foundation/document-text', 'foundation/storage']

export const LONGEST_FILE = 420

/** Tables that are not a tenant's: looked up before the tenant is known, or read across tenants. Each with its reason. */
export const SHARED_TABLES: Record<string, string> = {
  schema_migrations: 'the schema itself',
  users: 'a person belongs to several businesses',
  sessions: 'found by its secret before the tenant is known',
  businesses: 'the tenants themselves',
  memberships: 'says which tenants a person may enter',
  access_stamps: 'asked for before the tenant is known',
  api_tokens: 'may reach several businesses',
  api_token_secrets: 'found by its hash before the tenant is known',
  user_events: 'of a person, not of a business',
  oauth_clients: 'an app is used by people of many businesses',
  oauth_client_secrets: 'of an app',
  oauth_requests: 'between an app and a person',
  oauth_grants: 'may reach several businesses',
  oauth_codes: 'found by its hash before the tenant is known',
  oauth_tokens: 'found by its hash before the tenant is known',
  oauth_activity: 'of a grant, also outside any business',
  mail_tokens: 'found by its hash before anybody is known',
  sign_in_attempts: 'counted before anybody is known',
  two_factor_challenges: 'between password and code, nobody is signed in yet',
  recovery_codes: 'of a person',
  invitations: 'found by its token before the tenant is known',
  outbox: 'read across tenants by the worker',
  webhook_lanes: 'read across tenants by the worker',
  idempotency_keys: 'also for calls outside any business',
  mails: 'also for mail outside any business',
  processor_accounts: 'says which tenant an event of the processor is for',
  sandbox_accounts: 'of the embedded card processor, which knows no tenants',
  sandbox_checkouts: 'of the embedded card processor',
  sandbox_charges: 'of the embedded card processor',
  sandbox_refunds: 'of the embedded card processor',
  sandbox_disputes: 'of the embedded card processor',
  sandbox_payouts: 'of the embedded card processor',
  sandbox_movements: 'of the embedded card processor',
  mail_attachments: 'part of a mail',
  billing_customers: 'says which tenant an event about a plan is for',
  sandbox_plan_customers: 'of the embedded card processor',
  sandbox_plan_sessions: 'of the embedded card processor',
  sandbox_plan_subscriptions: 'of the embedded card processor',
  sandbox_plan_invoices: 'of the embedded card processor',
  sandbox_clock: 'of the whole sandbox',
  document_links: 'found by its hash before the tenant is known',
  notification_feeds: 'of a person',
  notification_holds: 'read across persons by the worker; holds ids only',
  notification_preferences: 'of a person',
  notification_settings: 'of a person',
  notified_user_events: 'of the security logs of persons',
}

/** Tables that cross businesses for one person: under row-level security by person, and by business where a transaction is inside one. */
export const PERSONAL_TABLES: readonly string[] = ['notifications']
