// What can be done with the set-up of a business, and what it tells of by itself.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { changed } from '../../foundation/database/rows.ts'
import { newId } from '../../foundation/ids.ts'
import { applyTemplate, listTemplates } from '../../ledger/charts/operations.ts'
import { templateOf, type Industry } from '../../ledger/charts/rules.ts'
import { ROLE_NAMES } from '../../ledger/ledgers/contract.ts'
import { lockJournal } from '../../ledger/books/operations.ts'
import { lockChart, removeLedgers, saveProposals } from '../../ledger/ledgers/operations.ts'
import { differs } from '../../ledger/tax-agencies/rules.ts'
import { onboardingResource, type ChartTemplate, type ChartTemplateResult, type Facts, type Onboarding, type OnboardingAnswers, type OnboardingRow, type Step } from './contract.ts'
import {
  givingWay, NO_ANSWERS, onboardingOf, requireCompletable, requireEnding, requireReopenable, requireSkippable, requireStep, statesOf, untold,
} from './rules.ts'
import * as store from './store.ts'

export async function getOnboarding(tx: BusinessTx): Promise<Onboarding> {
  const [row, facts] = await Promise.all([tx.find(store.findOnboarding), readFacts(tx)])
  return onboardingOf(row ?? { status: 'not_started', answers: NO_ANSWERS, steps: {}, ended_at: null }, facts)
}

export async function updateAnswers(tx: BusinessTx, given: Partial<OnboardingAnswers>): Promise<Onboarding> {
  const begun = await begin(tx)
  const { row, facts } = begun
  const answers = { ...row.answers, ...given }
  return differs(row.answers, given) ? save(tx, begun, { answers }) : onboardingOf(row, facts)
}

export async function completeStep(tx: BusinessTx, step: Step): Promise<Onboarding> {
  const begun = await begin(tx)
  const { row, facts } = begun
  const needed = requireCompletable(requireStep(statesOf(row.answers, row.steps, facts), step))
  return needed ? save(tx, begun, { steps: { ...row.steps, [step]: { status: 'done', at: tx.now } } }) : onboardingOf(row, facts)
}

export async function skipStep(tx: BusinessTx, step: Step): Promise<Onboarding> {
  const begun = await begin(tx)
  const { row, facts } = begun
  const needed = requireSkippable(requireStep(statesOf(row.answers, row.steps, facts), step))
  return needed ? save(tx, begun, { steps: { ...row.steps, [step]: { status: 'skipped', at: tx.now } } }) : onboardingOf(row, facts)
}

export async function reopenStep(tx: BusinessTx, step: Step): Promise<Onboarding> {
  const begun = await begin(tx)
  const { row, facts } = begun
  const needed = requireReopenable(requireStep(statesOf(row.answers, row.steps, facts), step))
  const { [step]: _mark, ...steps } = row.steps
  // Once it is done again, that is told again.
  return needed ? save(tx, begun, { steps, told: row.told.filter((one) => one !== step) }) : onboardingOf(row, facts)
}

export function finishOnboarding(tx: BusinessTx): Promise<Onboarding> {
  return end(tx, 'finished')
}

export function dismissOnboarding(tx: BusinessTx): Promise<Onboarding> {
  return end(tx, 'dismissed')
}

/** After something happened that a step may follow from: whatever is newly done is told, while the set-up goes on. */
export async function tellOfSteps(tx: BusinessTx): Promise<void> {
  const row = await tx.find(store.lockOnboarding)
  if (row?.status !== 'in_progress') return
  const facts = await readFacts(tx)
  if (untold(statesOf(row.answers, row.steps, facts), row.told).length > 0) save(tx, { row, facts, fresh: false }, {})
}

export async function listIndustries(tx: BusinessTx) {
  return (await listTemplates(tx)).map(({ key, name, description }) => ({ code: key, name, description }))
}

/** Every chart is for any country, so a country leaves none out. */
export async function listChartTemplates(tx: BusinessTx, { industry }: { industry?: Industry }): Promise<ChartTemplate[]> {
  const templates = await listTemplates(tx)
  return templates.filter(({ key }) => industry === undefined || key === industry)
    .map(({ key, name, description, ledgers }) => ({ industry: key, country: null, name, description, ledgers }))
}

export async function chooseChartTemplate(tx: BusinessTx, industry: Industry): Promise<ChartTemplateResult> {
  const { head } = await lockJournal(tx)
  const change = head.number === 0 ? await giveWay(tx, industry) : null
  const { added } = await applyTemplate(tx, { template: industry })
  const { renamed = 0, removed = 0, kept = 0 } = change ?? {}
  return { industry, mode: change ? 'replaced' : 'added', added: added.length, renamed, removed, kept }
}

async function giveWay(tx: BusinessTx, industry: Industry): Promise<{ renamed: number; removed: number; kept: number }> {
  const { chart } = await lockChart(tx)
  const free = new Set((await tx.many(store.unnamedLedgers)).map(({ id }) => id))
  const { renamed, removed, kept } = givingWay([...chart.ledgers.values()], templateOf(industry), free)
  removeLedgers(tx, chart, removed)
  saveProposals(tx, renamed.map(({ ledger, name }) => ({ before: ledger, after: changed(ledger, { name }, tx.now) })))
  return { renamed: renamed.length, removed: removed.length, kept: kept.length }
}

async function end(tx: BusinessTx, status: 'finished' | 'dismissed'): Promise<Onboarding> {
  const begun = await begin(tx)
  const { row, facts } = begun
  if (!requireEnding(onboardingOf(row, facts), status)) return onboardingOf(row, facts)
  const ended = save(tx, begun, { status, ended_at: tx.now })
  const after = { ...row, status, ended_at: tx.now }
  tx.record(onboardingResource, `onboarding.${status}`, { before: begun.fresh ? null : row, after })
  return ended
}

type Begun = { row: OnboardingRow; facts: Facts; fresh: boolean }

/** The row of the set-up, locked; the first who changes anything begins it. */
async function begin(tx: BusinessTx): Promise<Begun> {
  await tx.exclusive(`onboarding of ${tx.business_id}`)
  const [found, facts] = await Promise.all([tx.find(store.lockOnboarding), readFacts(tx)])
  const row = found ?? {
    id: newId(), business_id: tx.business_id, answers: NO_ANSWERS, steps: {}, told: [], status: 'in_progress' as const, ended_at: null,
    created_at: tx.now, updated_at: tx.now, version: 1,
  }
  return { row, facts, fresh: found === null }
}

function save(tx: BusinessTx, { row, facts, fresh }: Begun, changes: Partial<OnboardingRow>): Onboarding {
  const before = fresh ? null : row
  const proposal = fresh ? { ...row, ...changes } : changed(row, changes, tx.now)
  const done = untold(statesOf(proposal.answers, proposal.steps, facts), proposal.told)
  const after = { ...proposal, told: [...proposal.told, ...done] }
  tx.queue(fresh ? store.insertOnboarding : store.updateOnboarding, after)
  if (changes.answers || changes.steps) tx.record(onboardingResource, 'onboarding.updated', { before, after })
  for (const step of done) tx.record(onboardingResource, 'onboarding.step_done', { before, after: { ...after, step } })
  return onboardingOf(after, facts)
}

function readFacts(tx: BusinessTx): Promise<Facts> {
  return tx.get(store.facts, { roles: ROLE_NAMES }, 'Business')
}
