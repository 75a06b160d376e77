// Every job and every subscriber of the program.
import { expiringTokensJob } from '../access/api-tokens/jobs.ts'
import { sweepUserTraces } from '../access/user/jobs.ts'
import { removeDueBusinesses } from '../access/businesses/jobs.ts'
import type { Job, Subscriber } from '../foundation/jobs/job.ts'
import { dropOldAnswersJob } from '../foundation/http/jobs.ts'
import { sendMailJob } from '../foundation/jobs/mail.ts'
import { extendFiscalYears } from '../ledger/accounting-periods/jobs.ts'
import { runDueTemplates } from '../ledger/journal-templates/jobs.ts'
import { findRecurringDue, generateRecurring } from '../processes/recurring/jobs.ts'
import { confirmMessageJob, findInvoicesToRemind, findInvoicesToSend, remindOfInvoices, sendDueInvoices, writeMessage } from '../receivables/invoice-messages/jobs.ts'
import { recordOverdueInvoices } from '../receivables/collections/jobs.ts'
import { readWaitingDocuments } from '../receivables/invoice-reading/jobs.ts'
import { deliverSandboxEvent } from '../receivables/processor-events/jobs.ts'
import { expireCheckout, expireCheckouts, processEvent, readAgain, sendRefund } from '../receivables/processor-flows/jobs.ts'
import { dropTagsOfDeleted } from '../workspace/tags/jobs.ts'
import { recordOverdueTodos, unassignLeavers } from '../workspace/todos/jobs.ts'

export const jobs: Job[] = [readWaitingDocuments, sendMailJob, dropOldAnswersJob, sweepUserTraces, removeDueBusinesses, expiringTokensJob, recordOverdueTodos, recordOverdueInvoices, extendFiscalYears, runDueTemplates, findRecurringDue, generateRecurring, deliverSandboxEvent, processEvent, readAgain, sendRefund, expireCheckouts, expireCheckout, writeMessage, confirmMessageJob, findInvoicesToSend, sendDueInvoices, findInvoicesToRemind, remindOfInvoices]

export const subscribers: Subscriber[] = [unassignLeavers, dropTagsOfDeleted]
