// Onboarding over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const onboardingRoutes = [
  on(contract.getOnboarding, (tx) => operations.getOnboarding(tx)),
  on(contract.updateOnboarding, (tx, { body }) => operations.updateAnswers(tx, body.answers)),
  on(contract.completeStep, (tx, { params }) => operations.completeStep(tx, params.step)),
  on(contract.skipStep, (tx, { params }) => operations.skipStep(tx, params.step)),
  on(contract.reopenStep, (tx, { params }) => operations.reopenStep(tx, params.step)),
  on(contract.finishOnboarding, (tx) => operations.finishOnboarding(tx)),
  on(contract.dismissOnboarding, (tx) => operations.dismissOnboarding(tx)),
  on(contract.listIndustries, (tx) => operations.listIndustries(tx)),
  on(contract.listChartTemplates, (tx, { query }) => operations.listChartTemplates(tx, query)),
  on(contract.chooseChartTemplate, (tx, { body }) => operations.chooseChartTemplate(tx, body.industry)),
]
