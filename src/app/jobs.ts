// Every job and every subscriber of the program.
import { expiringTokensJob } from '../access/api-tokens/jobs.ts'
import { sweepOauthTraces } from '../access/oauth-authorization/jobs.ts'
import { sweepUserTraces } from '../access/user/jobs.ts'
import { removeDueBusinesses } from '../access/businesses/jobs.ts'
import { applyBillingEvent, deliverSandboxPlanEvent, expireBillingSession, refundBillingSession, turnSandboxPlans } from '../access/billing-events/jobs.ts'
import { tellBillingNews } from '../access/billing/jobs.ts'
import { applyDefaultJob, applyNewDefaults } from '../banking/arrivals/jobs.ts'
import type { Job, Loop, Subscriber } from '../foundation/jobs/job.ts'
import { dropOldAnswersJob } from '../foundation/http/jobs.ts'
import { sendMailJob } from '../foundation/jobs/mail.ts'
import { expireExports } from '../insight/exports/jobs.ts'
import { buildMissingIndexes, followChanges } from '../insight/search-index/jobs.ts'
import { extendFiscalYears } from '../ledger/accounting-periods/jobs.ts'
import { runDueTemplates } from '../ledger/journal-templates/jobs.ts'
import { observeMilestones } from '../processes/activation/jobs.ts'
import { followImportJobs } from '../processes/import-runs/jobs.ts'
import { followSetUp } from '../processes/onboarding/jobs.ts'
import { findRecurringDue, generateRecurring } from '../processes/recurring/jobs.ts'
import { confirmMessageJob, findInvoicesToRemind, findInvoicesToSend, remindOfInvoices, sendDueInvoices, writeMessage } from '../receivables/invoice-messages/jobs.ts'
import { recordOverdueInvoices } from '../receivables/collections/jobs.ts'
import { readWaitingDocuments } from '../receivables/invoice-reading/jobs.ts'
import { deliverSandboxEvent } from '../receivables/processor-events/jobs.ts'
import { expireCheckout, expireCheckouts, processEvent, readAgain, sendRefund } from '../receivables/processor-flows/jobs.ts'
import { longJobRunners } from '../workspace/jobs/jobs.ts'
import { sendDueNotifications } from '../workspace/notification-mail/jobs.ts'
import { tellOfSecurityEvents, tellPeople } from '../workspace/notification-rules/jobs.ts'
import { securityRules } from '../workspace/notification-rules/rules.ts'
import { dropTagsOfDeleted } from '../workspace/tags/jobs.ts'
import { attachDocumentsOfInvoices } from '../processes/document-records/jobs.ts'
import { recordStates } from '../processes/document-records/operations.ts'
import { dropAttachmentsOfDeleted } from '../workspace/document-attachments/jobs.ts'
import { emptyBins } from '../workspace/document-bin/jobs.ts'
import { followDocumentRequests } from '../workspace/document-request-states/jobs.ts'
import { readDocumentJob } from '../workspace/document-reading/jobs.ts'
import { cleanStorage } from '../workspace/documents/jobs.ts'
import { cleanWebhookLog, queueWebhooks, sendWebhooks } from '../workspace/webhook-sending/jobs.ts'
import { recordOverdueTodos, unassignLeavers } from '../workspace/todos/jobs.ts'
import { longJobs } from './long-jobs.ts'
import { notificationRules } from './notification-rules.ts'

export const jobs: Job[] = [sendDueNotifications, tellOfSecurityEvents(securityRules), readDocumentJob, cleanStorage, emptyBins(recordStates), followDocumentRequests, cleanWebhookLog, readWaitingDocuments, sendMailJob, dropOldAnswersJob, sweepUserTraces, sweepOauthTraces, removeDueBusinesses, tellBillingNews, applyBillingEvent, deliverSandboxPlanEvent, expireBillingSession, refundBillingSession, turnSandboxPlans, expiringTokensJob, recordOverdueTodos, recordOverdueInvoices, extendFiscalYears, runDueTemplates, findRecurringDue, generateRecurring, deliverSandboxEvent, processEvent, readAgain, sendRefund, expireCheckouts, expireCheckout, writeMessage, confirmMessageJob, findInvoicesToSend, sendDueInvoices, findInvoicesToRemind, remindOfInvoices, applyDefaultJob, ...longJobRunners(longJobs), buildMissingIndexes, expireExports(recordStates)]

/** Those that the clock runs. */
export const timedJobs: readonly string[] = jobs.filter(({ cron }) => cron !== null).map(({ name }) => name)

export const subscribers: Subscriber[] = [queueWebhooks, unassignLeavers, dropTagsOfDeleted, observeMilestones, followSetUp, dropAttachmentsOfDeleted, attachDocumentsOfInvoices, applyNewDefaults, followImportJobs, followChanges, tellPeople(notificationRules)]

export const loops: Loop[] = [sendWebhooks]
