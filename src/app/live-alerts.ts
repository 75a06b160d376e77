// What is looked into when somebody reads the live alerts of a business.
import { cashAlert, openMonthsAlert, overdueAlert, processorAlert, stockAlert, trialAlert } from '../insight/live-alerts/operations.ts'
import type { LiveAlert } from '../workspace/live-alerts/contract.ts'

export const liveAlerts: LiveAlert[] = [cashAlert, overdueAlert, openMonthsAlert, stockAlert, processorAlert, trialAlert]
