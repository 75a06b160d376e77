// Every group of the API, area by area: the whole HTTP surface on one page.
import type { Route } from '../foundation/endpoint.ts'
import type { PageRoute } from '../foundation/page.ts'
import { sandboxPages } from '../foundation/processor/sandbox-page.ts'
import { sandboxPlanPages } from '../foundation/processor/sandbox-plan-page.ts'
import { jobRoutes } from '../workspace/jobs/routes.ts'
import { documentRoutes } from '../workspace/documents/routes.ts'
import { documentAttachmentRoutes } from '../workspace/document-attachments/routes.ts'
import { documentBinRoutes } from '../workspace/document-bin/routes.ts'
import { documentDownloadRoutes } from '../workspace/document-downloads/routes.ts'
import { documentInboxRoutes } from '../workspace/document-inbox/routes.ts'
import { documentReadingRoutes } from '../workspace/document-reading/routes.ts'
import { documentRequestDraftRoutes } from '../workspace/document-request-drafts/routes.ts'
import { documentRequestFileRoutes } from '../workspace/document-request-files/routes.ts'
import { documentRequestItemRoutes } from '../workspace/document-request-items/routes.ts'
import { documentRequestPages } from '../workspace/document-request-pages/routes.ts'
import { documentRequestStateRoutes } from '../workspace/document-request-states/routes.ts'
import { documentRequestTemplateRoutes } from '../workspace/document-request-templates/routes.ts'
import { documentRequestRoutes } from '../workspace/document-requests/routes.ts'
import { documentShareRoutes } from '../workspace/document-shares/routes.ts'
import { documentUploadRoutes } from '../workspace/document-uploads/routes.ts'
import { publicDocumentPages, publicDocumentRoutes } from '../workspace/public-documents/routes.ts'
import { recordStates } from '../processes/document-records/operations.ts'
import { noteRoutes } from '../workspace/notes/routes.ts'
import { tagRoutes } from '../workspace/tags/routes.ts'
import { todoRoutes } from '../workspace/todos/routes.ts'
import { webhookDeliveryRoutes } from '../workspace/webhook-deliveries/routes.ts'
import { webhookRoutes } from '../workspace/webhooks/routes.ts'
import { discoveryPages } from '../access/oauth-discovery/routes.ts'
import { oauthAuthorizationRoutes } from '../access/oauth-authorization/routes.ts'
import { oauthClientRoutes } from '../access/oauth-clients/routes.ts'
import { oauthGrantRoutes } from '../access/oauth-grants/routes.ts'
import { oauthPages } from '../access/oauth-pages/routes.ts'
import { oauthTokenRoutes } from '../access/oauth-tokens/routes.ts'
import { billingCheckoutRoutes } from '../access/billing-checkouts/routes.ts'
import { billingEventRoutes } from '../access/billing-events/routes.ts'
import { billingInvoiceRoutes } from '../access/billing-invoices/routes.ts'
import { billingPlanRoutes } from '../access/billing-plans/routes.ts'
import { billingRoutes } from '../access/billing/routes.ts'
import { sandboxClockRoutes } from '../access/sandbox-clock/routes.ts'
import { sandboxPlanRoutes } from '../access/sandbox-plan/routes.ts'
import { apiTokenRoutes } from '../access/api-tokens/routes.ts'
import { auditTrailRoutes } from '../foundation/audit-trail/routes.ts'
import { eventRoutes } from '../foundation/events/routes.ts'
import { sandboxMailRoutes } from '../access/sandbox-mail/routes.ts'
import { userRoutes } from '../access/user/routes.ts'
import { invitationRoutes } from '../access/invitations/routes.ts'
import { businessRoutes } from '../access/businesses/routes.ts'
import { businessLogoRoutes } from '../access/business-logo/routes.ts'
import { businessSettingsRoutes } from '../access/business-settings/routes.ts'
import { memberRoutes } from '../access/members/routes.ts'
import { numberingRoutes } from '../access/numbering/routes.ts'
import { sandboxBankRoutes } from '../banking/sandbox-bank/routes.ts'
import { transactionReviewRoutes } from '../banking/transaction-reviews/routes.ts'
import { transactionRoutes } from '../banking/transactions/routes.ts'
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
import { creditApplicationRoutes } from '../receivables/credit-applications/routes.ts'
import { creditDraftRoutes } from '../receivables/credit-drafts/routes.ts'
import { creditIntakeRoutes } from '../receivables/credit-intake/routes.ts'
import { creditMemoRoutes } from '../receivables/credit-memos/routes.ts'
import { creditPostingRoutes } from '../receivables/credit-postings/routes.ts'
import { creditRefundRoutes } from '../receivables/credit-refunds/routes.ts'
import { earlyPaymentRoutes } from '../receivables/early-payments/routes.ts'
import { cashReceiptRoutes } from '../receivables/cash-receipts/routes.ts'
import { depositCandidateRoutes } from '../receivables/deposit-candidates/routes.ts'
import { paymentSuggestionRoutes } from '../receivables/payment-suggestions/routes.ts'
import { invoiceDeliveryRoutes } from '../receivables/invoice-delivery/routes.ts'
import { invoiceDraftRoutes } from '../receivables/invoice-drafts/routes.ts'
import { invoiceFeedRoutes } from '../receivables/invoice-feed/routes.ts'
import { invoiceIntakeRoutes } from '../receivables/invoice-intake/routes.ts'
import { invoicePaymentRoutes } from '../receivables/invoice-payments/routes.ts'
import { invoicePostingRoutes } from '../receivables/invoice-postings/routes.ts'
import { invoiceUpdateRoutes } from '../receivables/invoice-updates/routes.ts'
import { invoiceRoutes } from '../receivables/invoices/routes.ts'
import { collectionRoutes } from '../receivables/collections/routes.ts'
import { keepPromise } from '../receivables/collections/operations.ts'
import { invoiceMetricsRoutes } from '../receivables/invoice-metrics/routes.ts'
import { receivableAgingRoutes } from '../receivables/receivable-aging/routes.ts'
import { processorChargeRoutes } from '../receivables/processor-charges/routes.ts'
import { processorCheckoutRoutes } from '../receivables/processor-checkouts/routes.ts'
import { processorConnectionRoutes } from '../receivables/processor-connections/routes.ts'
import { processorDisputeRoutes } from '../receivables/processor-disputes/routes.ts'
import { processorEventRoutes } from '../receivables/processor-events/routes.ts'
import { processorLinkRoutes } from '../receivables/processor-links/routes.ts'
import { processorPayoutRoutes } from '../receivables/processor-payouts/routes.ts'
import { processorReconciliationRoutes } from '../receivables/processor-reconciliation/routes.ts'
import { processorRefundRoutes } from '../receivables/processor-refunds/routes.ts'
import { processorSandboxRoutes } from '../receivables/processor-sandbox/routes.ts'
import { dashboardEditingRoutes } from '../insight/dashboard-editing/routes.ts'
import { dashboardExportRoutes } from '../insight/dashboard-exports/routes.ts'
import { dashboardFigureRoutes } from '../insight/dashboard-figures/routes.ts'
import { dashboardShareRoutes } from '../insight/dashboard-shares/routes.ts'
import { dashboardRoutes } from '../insight/dashboards/routes.ts'
import { deckExportRoutes } from '../insight/deck-exports/routes.ts'
import { deckMakingRoutes } from '../insight/deck-making/routes.ts'
import { deckRoutes } from '../insight/decks/routes.ts'
import { deckView } from '../insight/decks/operations.ts'
import { publicDashboardRoutes } from '../insight/public-dashboards/routes.ts'
import { shareLinkRoutes } from '../insight/share-links/routes.ts'
import { sharePages } from '../insight/share-pages/routes.ts'
import { deckShareRoutes } from '../insight/shares/routes.ts'
import { slideRoutes } from '../insight/slide-editing/routes.ts'
import { reportRoutes } from '../insight/reports/routes.ts'
import { exportRoutes } from '../insight/exports/routes.ts'
import { savedSearchRoutes } from '../insight/saved-searches/routes.ts'
import { searchRecentRoutes } from '../insight/search-recent/routes.ts'
import { searchRoutes } from '../insight/search/routes.ts'
import { collectionActivityRoutes } from '../directory/collection-activities/routes.ts'
import { customerActivityRoutes } from '../directory/customer-activity/routes.ts'
import { customerContactRoutes } from '../directory/customer-contacts/routes.ts'
import { customerMergeRoutes } from '../directory/customer-merges/routes.ts'
import { customerRoutes } from '../directory/customers/routes.ts'
import { paymentTermRoutes } from '../directory/payment-terms/routes.ts'
import { catalogItemRoutes } from '../directory/catalog-items/routes.ts'
import { counterpartyAliasRoutes } from '../directory/counterparty-aliases/routes.ts'
import { counterpartyDefaultRoutes } from '../directory/counterparty-defaults/routes.ts'
import { recurringTemplateRoutes } from '../directory/recurring-templates/routes.ts'
import { activationRoutes } from '../processes/activation/routes.ts'
import { importErrorRoutes } from '../processes/import-errors/routes.ts'
import { importRunRoutes } from '../processes/import-runs/routes.ts'
import { importRoutes } from '../processes/imports/routes.ts'
import { onboardingRoutes } from '../processes/onboarding/routes.ts'
import { recurringRoutes } from '../processes/recurring/routes.ts'
import { invoiceDocumentPages, invoiceDocumentRoutes } from '../receivables/invoice-documents/routes.ts'
import { invoiceMessageRoutes } from '../receivables/invoice-messages/routes.ts'
import { invoicePages } from '../receivables/invoice-pages/routes.ts'
import { scheduledInvoiceRoutes } from '../receivables/scheduled-invoices/routes.ts'
import { milestoneRoutes } from '../projects/contract-milestones/routes.ts'
import { contractRoutes } from '../projects/contracts/routes.ts'
import { projectMemberRoutes } from '../projects/project-members/routes.ts'
import { projectTaskRoutes } from '../projects/project-tasks/routes.ts'
import { projectRoutes } from '../projects/projects/routes.ts'
import { locationRoutes } from '../inventory/locations/routes.ts'
import { productRoutes } from '../inventory/products/routes.ts'
import { variantRoutes } from '../inventory/variants/routes.ts'
import { adjustmentRoutes } from '../inventory/adjustments/routes.ts'
import { kitComponentRoutes } from '../inventory/kit-components/routes.ts'
import { stockLevelRoutes } from '../inventory/stock-levels/routes.ts'
import { stockMovementRoutes } from '../inventory/stock-movements/routes.ts'
import { valuationRoutes } from '../inventory/valuation/routes.ts'
import { priceChangeRoutes } from '../inventory/price-changes/routes.ts'
import { productUpsertRoutes } from '../inventory/product-upserts/routes.ts'
import { invoiceReadingRoutes } from '../receivables/invoice-reading/routes.ts'
import { notificationRoutes } from '../workspace/notifications/routes.ts'
import { notificationStateRoutes } from '../workspace/notification-states/routes.ts'
import { notificationPreferencePages, notificationPreferenceRoutes } from '../workspace/notification-preferences/routes.ts'
import { closeChecks } from './close-checks.ts'
import { liveAlerts } from './live-alerts.ts'
import { exportKinds, reports } from './exports.ts'
import { founders } from './founders.ts'
import { timedJobs } from './jobs.ts'
import { sharedViews } from './shared-views.ts'
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
  ...transactionReviewRoutes,
  ...transactionRoutes,
  ...counterpartyAliasRoutes,
  ...counterpartyDefaultRoutes,
  ...bookRoutes(verifications),
  ...bookExportRoutes,
  ...reportRoutes(reports),
  ...exportRoutes(exportKinds),
  // Receivables
  ...receivableAgingRoutes,
  ...collectionRoutes,
  ...invoiceMetricsRoutes,
  ...invoiceFeedRoutes,
  ...depositCandidateRoutes,
  ...paymentSuggestionRoutes,
  ...cashReceiptRoutes,
  ...invoiceIntakeRoutes,
  ...invoiceRoutes,
  ...invoiceUpdateRoutes,
  ...invoiceDraftRoutes,
  ...invoicePostingRoutes,
  ...invoicePaymentRoutes,
  ...earlyPaymentRoutes,
  ...invoiceDeliveryRoutes,
  ...creditMemoRoutes,
  ...creditIntakeRoutes,
  ...creditDraftRoutes,
  ...creditPostingRoutes,
  ...creditApplicationRoutes,
  ...creditRefundRoutes,
  ...customerRoutes,
  ...customerMergeRoutes,
  ...customerActivityRoutes,
  ...customerContactRoutes,
  ...collectionActivityRoutes(keepPromise),
  ...paymentTermRoutes,
  ...recurringTemplateRoutes,
  ...recurringRoutes,
  ...scheduledInvoiceRoutes,
  ...invoiceDocumentRoutes,
  ...invoiceMessageRoutes,
  ...catalogItemRoutes,
  ...contractRoutes,
  ...milestoneRoutes,
  ...projectRoutes,
  ...projectTaskRoutes,
  ...projectMemberRoutes,
  ...invoiceReadingRoutes,
  ...processorConnectionRoutes,
  ...processorChargeRoutes,
  ...processorRefundRoutes,
  ...processorDisputeRoutes,
  ...processorPayoutRoutes,
  ...processorReconciliationRoutes,
  ...processorEventRoutes,
  ...processorCheckoutRoutes,
  ...processorLinkRoutes,
  ...processorSandboxRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  // Inventory
  ...variantRoutes,
  ...productRoutes,
  ...productUpsertRoutes,
  ...priceChangeRoutes,
  ...kitComponentRoutes,
  ...locationRoutes,
  ...stockLevelRoutes,
  ...adjustmentRoutes,
  ...stockMovementRoutes,
  ...valuationRoutes,
  // Platform
  ...importRoutes,
  ...importRunRoutes,
  ...importErrorRoutes,
  ...onboardingRoutes,
  ...activationRoutes(founders),
  ...managerialKeyRoutes,
  ...businessRoutes(founders, booksKeeper),
  ...businessSettingsRoutes,
  ...businessLogoRoutes,
  ...numberingRoutes,
  ...memberRoutes,
  ...jobRoutes,
  ...searchRoutes,
  ...searchRecentRoutes,
  ...savedSearchRoutes,
  ...dashboardFigureRoutes,
  ...dashboardShareRoutes,
  ...dashboardRoutes,
  ...dashboardEditingRoutes,
  ...dashboardExportRoutes,
  ...deckRoutes,
  ...deckMakingRoutes,
  ...deckExportRoutes,
  ...deckShareRoutes(deckView),
  ...publicDashboardRoutes(sharedViews),
  ...shareLinkRoutes,
  ...slideRoutes,
  ...documentRoutes,
  ...documentUploadRoutes(recordStates),
  ...documentBinRoutes(recordStates),
  ...documentDownloadRoutes,
  ...documentReadingRoutes,
  ...documentAttachmentRoutes(recordStates),
  ...documentShareRoutes,
  ...documentInboxRoutes,
  ...documentRequestRoutes,
  ...documentRequestDraftRoutes,
  ...documentRequestTemplateRoutes,
  ...documentRequestStateRoutes,
  ...documentRequestItemRoutes,
  ...documentRequestFileRoutes,
  ...publicDocumentRoutes,
  ...notificationRoutes(liveAlerts),
  ...notificationStateRoutes,
  ...notificationPreferenceRoutes,
  ...noteRoutes,
  ...todoRoutes,
  ...tagRoutes,
  ...apiTokenRoutes,
  ...oauthClientRoutes,
  ...oauthAuthorizationRoutes,
  ...oauthTokenRoutes,
  ...oauthGrantRoutes,
  ...auditTrailRoutes,
  ...eventRoutes,
  ...billingRoutes,
  ...billingPlanRoutes,
  ...billingCheckoutRoutes,
  ...billingInvoiceRoutes,
  ...billingEventRoutes,
  ...sandboxClockRoutes(timedJobs),
  ...sandboxPlanRoutes,
  ...sandboxMailRoutes,
  ...sandboxBankRoutes,
  ...userRoutes,
  ...invitationRoutes,
]

/** Pages for people, outside the API. */
export const pages: PageRoute[] = [
  ...sandboxPages,
  ...sandboxPlanPages,
  ...discoveryPages,
  ...oauthPages,
  ...invoicePages,
  ...invoiceDocumentPages,
  ...notificationPreferencePages,
  ...publicDocumentPages,
  ...sharePages(sharedViews),
  ...documentRequestPages,
]
