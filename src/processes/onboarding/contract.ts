// Onboarding: the guided set-up of one business.
import { Type, type Static } from 'typebox'
import { endpointsOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'
import { LedgerTemplate } from '../../ledger/charts/contract.ts'
import { INDUSTRIES } from '../../ledger/charts/rules.ts'

export const STEPS = [
  'profile', 'chart', 'fiscal_year', 'opening_balances', 'bank', 'import', 'tax', 'payments', 'team', 'first_invoice', 'first_bill',
] as const
export type Step = (typeof STEPS)[number]

export const ONBOARDING_STATUSES = ['not_started', 'in_progress', 'finished', 'dismissed'] as const

const answers = {
  revenue_model: nullable(oneOf(['services', 'products', 'subscriptions', 'projects', 'donations', 'mixed'])),
  has_inventory: nullable(boolean()),
  has_employees: nullable(boolean()),
  sales_tax: nullable(boolean({ description: 'false: the step tax does not apply.' })),
  previous_system: nullable(oneOf(['none', 'spreadsheet', 'quickbooks', 'xero', 'other'], { description: 'none: the steps opening_balances and import do not apply.' })),
  team_size: nullable(integer(1, 100_000, { description: '1: the step team does not apply.' })),
}
export const OnboardingAnswers = shape('OnboardingAnswers', answers)
export type OnboardingAnswers = Static<typeof OnboardingAnswers>

const StepState = shape('OnboardingStep', {
  step: oneOf(STEPS),
  status: oneOf(['todo', 'done', 'skipped']),
  done_at: nullable(timestamp()),
  derived: boolean({ description: 'Follows from a fact and is not ticked off by hand.' }),
  blocking: boolean({ description: 'The set-up cannot end before it is done.' }),
})
export type StepState = Static<typeof StepState>

export const Onboarding = shape('Onboarding', {
  status: oneOf(ONBOARDING_STATUSES),
  answers: OnboardingAnswers,
  steps: list(StepState, { description: 'Those that apply, in their order.' }),
  percent: integer(0, 100, { description: 'How many of the steps are done or skipped.' }),
  next_step: nullable(oneOf(STEPS)),
  ended_at: nullable(timestamp()),
})
export type Onboarding = Static<typeof Onboarding>

const Mark = Type.Object({ status: oneOf(['done', 'skipped']), at: timestamp() })
export type Marks = Partial<Record<Step, Static<typeof Mark>>>

/** A row of the table. */
export const OnboardingRow = Type.Object({
  ...record,
  answers: OnboardingAnswers,
  steps: Type.Unsafe<Marks>({ type: 'object' }),
  told: list(oneOf(STEPS)),
  status: oneOf(['in_progress', 'finished', 'dismissed']),
  ended_at: nullable(timestamp()),
})
export type OnboardingRow = Static<typeof OnboardingRow>

export const onboardingResource = resource({
  type: 'onboarding', group: 'onboarding', table: null, label: 'status', shape: shape('OnboardingRecord', { ...OnboardingRow.properties, step: optional(oneOf(STEPS)) }),
  events: ['onboarding.updated', 'onboarding.step_done', 'onboarding.finished', 'onboarding.dismissed'],
})

const endpoint = endpointsOf('onboarding', 'business')
const params = shape('OnboardingStepParams', { step: oneOf(STEPS) })

export const getOnboarding = endpoint({
  id: 'get_onboarding', method: 'GET', path: '', summary: 'Where the set-up of the business stands',
  reply: Onboarding,
})

export const updateOnboarding = endpoint({
  id: 'update_onboarding', method: 'PUT', path: '', summary: 'Answer the questions of the set-up',
  description: 'The answers say which steps apply. What was done stays done.',
  body: shape('OnboardingUpdate', { answers: partial('OnboardingAnswersUpdate', answers) }),
  reply: Onboarding,
  example: { answers: { revenue_model: 'services', sales_tax: true, team_size: 3 } },
})

const stepRefusals = ['The step does not apply by the answers that were given.']

export const completeStep = endpoint({
  id: 'complete_onboarding_step', method: 'PUT', path: '/steps/{step}/complete', summary: 'Tick off a step',
  params,
  reply: Onboarding,
  refusals: [...stepRefusals, 'The step follows from a fact that is absent; the answer says what is missing.', 'It is skipped: reopen it first.'],
})

export const skipStep = endpoint({
  id: 'skip_onboarding_step', method: 'PUT', path: '/steps/{step}/skip', summary: 'Pass over a step',
  params,
  reply: Onboarding,
  refusals: [...stepRefusals, 'It is done already.', 'The set-up cannot end without it.'],
})

export const reopenStep = endpoint({
  id: 'reopen_onboarding_step', method: 'PUT', path: '/steps/{step}/reopen', summary: 'Take a step up again',
  params,
  reply: Onboarding,
  refusals: [...stepRefusals, 'It follows from a fact, which stands.'],
})

export const finishOnboarding = endpoint({
  id: 'finish_onboarding', method: 'PUT', path: '/finish', summary: 'End the set-up',
  reply: Onboarding,
  refusals: ['A step that the set-up cannot end without is still to be done.', 'It was dismissed.'],
})

export const dismissOnboarding = endpoint({
  id: 'dismiss_onboarding', method: 'PUT', path: '/dismiss', summary: 'Put the set-up away',
  reply: Onboarding,
  refusals: ['A step that the set-up cannot end without is still to be done.', 'It was finished.'],
})

export const listIndustries = endpoint({
  id: 'list_industries', method: 'GET', path: '/industries', summary: 'List the industries that have a chart of their own',
  reply: list(shape('Industry', { code: oneOf(INDUSTRIES), name: Type.String(), description: Type.String() })),
})

export const ChartTemplate = shape('ChartTemplate', {
  industry: oneOf(INDUSTRIES),
  country: nullable(text(2, 2, { description: 'null: for any country.' })),
  name: LedgerTemplate.properties.name,
  description: LedgerTemplate.properties.description,
  ledgers: LedgerTemplate.properties.ledgers,
})
export type ChartTemplate = Static<typeof ChartTemplate>

export const listChartTemplates = endpoint({
  id: 'list_chart_templates', method: 'GET', path: '/chart-templates', summary: 'List charts of accounts by industry',
  query: shape('ChartTemplatesQuery', {
    industry: optional(oneOf(INDUSTRIES)),
    country: optional(text(2, 2, { pattern: '^[A-Z]{2}$', description: 'Charts for this country, and those for any.' })),
  }),
  reply: list(ChartTemplate),
})

export const ChartTemplateResult = shape('ChartTemplateResult', {
  industry: oneOf(INDUSTRIES),
  mode: oneOf(['replaced', 'added'], { description: 'replaced: nothing is posted yet, so the unused default chart gave way. added: only what was missing.' }),
  added: integer(0),
  renamed: integer(0),
  removed: integer(0),
  kept: integer(0, undefined, { description: 'Ledgers outside the template that stay: somebody made, changed or named them.' }),
})
export type ChartTemplateResult = Static<typeof ChartTemplateResult>

export const chooseChartTemplate = endpoint({
  id: 'choose_chart_template', method: 'POST', path: '/chart-template', summary: 'Take the chart of an industry',
  description: [
    'Before anything is posted it takes the place of the default chart: ledgers that nobody has changed and nothing names are renamed or removed.',
    'Afterwards it only adds what is missing. `?dry_run=true` says what it would do.',
  ].join(' '),
  body: shape('ChartTemplateChoice', { industry: oneOf(INDUSTRIES) }),
  reply: ChartTemplateResult,
  example: { industry: 'restaurant' },
})

/** When each fact came about; null where it is absent. */
export const Facts = Type.Object({
  profile: nullable(timestamp()), chart: nullable(timestamp()), fiscal_year: nullable(timestamp()), opening_balances: nullable(timestamp()),
  bank: nullable(timestamp()), tax: nullable(timestamp()), payments: nullable(timestamp()), team: nullable(timestamp()), first_invoice: nullable(timestamp()),
})
export type Facts = Static<typeof Facts>
