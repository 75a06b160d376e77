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
import { periodRoutes } from '../ledger/accounting-periods/routes.ts'
import { fxRateRoutes } from '../ledger/fx-rates/routes.ts'
import { revaluationRoutes } from '../ledger/revaluation/routes.ts'
import { taxAgencyRoutes } from '../ledger/tax-agencies/routes.ts'
import { taxCalculationRoutes } from '../ledger/tax-calculation/routes.ts'
import { taxCodeRoutes } from '../ledger/tax-codes/routes.ts'
import { taxExemptionRoutes } from '../ledger/tax-exemptions/routes.ts'
import { taxGroupRoutes } from '../ledger/tax-groups/routes.ts'
import { taxRateRoutes } from '../ledger/tax-rates/routes.ts'
import { booksKeeper } from '../ledger/books/operations.ts'
import { dimensionRoutes } from '../ledger/accounting-dimensions/routes.ts'
import { dimensionRuleSetRoutes } from '../ledger/dimension-rule-set/routes.ts'
import { dimensionValueRoutes } from '../ledger/dimension-values/routes.ts'
import { reclassificationRoutes } from '../ledger/reclassifications/routes.ts'
import { managerialKeyRoutes } from '../ledger/managerial-key-mappings/routes.ts'
import { chartRoutes } from '../ledger/charts/routes.ts'
import { ledgerBalanceRoutes } from '../ledger/ledger-balances/routes.ts'
import { ledgerFileRoutes } from '../ledger/ledger-files/routes.ts'
import { ledgerRegisterRoutes } from '../ledger/ledger-register/routes.ts'
import { ledgerRoleRoutes } from '../ledger/ledger-roles/routes.ts'
import { journalEntryRoutes } from '../ledger/journal-entries/routes.ts'
import { journalLineRoutes } from '../ledger/journal-lines/routes.ts'
import { journalTemplateRoutes } from '../ledger/journal-templates/routes.ts'
import { journalImportRoutes } from '../ledger/journal-import/routes.ts'
import { ledgerRoutes } from '../ledger/ledgers/routes.ts'
import { bookExportRoutes } from '../ledger/book-export/routes.ts'
import { bookRoutes } from '../ledger/book-verification/routes.ts'
import { reportRoutes } from '../insight/reports/routes.ts'
import { closeChecks } from './close-checks.ts'
import { founders } from './founders.ts'
import { verifications } from './verifications.ts'

export const routes: Route[] = [
  // Accounting
  ...dimensionRoutes,
  ...dimensionValueRoutes,
  ...dimensionRuleSetRoutes,
  ...reclassificationRoutes,
  ...periodRoutes(closeChecks),
  ...fxRateRoutes,
  ...revaluationRoutes,
  ...taxAgencyRoutes,
  ...taxRateRoutes,
  ...taxGroupRoutes,
  ...taxCodeRoutes,
  ...taxExemptionRoutes,
  ...taxCalculationRoutes,
  ...journalEntryRoutes,
  ...journalImportRoutes,
  ...journalLineRoutes,
  ...journalTemplateRoutes,
  ...ledgerRoutes,
  ...ledgerBalanceRoutes,
  ...ledgerRoleRoutes,
  ...chartRoutes,
  ...ledgerFileRoutes,
  ...ledgerRegisterRoutes,
  ...bookRoutes(verifications),
  ...bookExportRoutes,
  ...reportRoutes({ budgets: null }),
  // Platform
  ...managerialKeyRoutes,
  ...businessRoutes(founders, booksKeeper),
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
