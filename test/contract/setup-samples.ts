// Calls that work for the endpoints around the set-up of a business and its counterparties.
import { newId } from '../../src/foundation/ids.ts'
import { chartOf } from '../support/books.ts'
import type { Team } from '../support/people.ts'
import type { Sample } from './samples.ts'

async function defaultBody(team: Team): Promise<{ counterparty: string; ledger_id: string }> {
  return { counterparty: `Sample ${newId()}`, ledger_id: (await chartOf(team.business_id)).named('Rent') }
}

export const setupIds: Record<string, (team: Team) => Promise<string>> = {
  default_id: async (team) => (await team.client.post('/counterparty-defaults', await defaultBody(team))).data.id,
  step: async () => 'import',
  milestone: async () => 'tour_completed',
}

const withIndustry = async (team: Team) => {
  await team.client.put(`/businesses/${team.business_id}`, { industry: 'retail' })
  return {}
}

export const setupSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  create_counterparty_default: async (team) => ({ body: await defaultBody(team) }),
  finish_onboarding: withIndustry,
  dismiss_onboarding: withIndustry,
  skip_onboarding_step: async () => ({ params: { step: 'team' } }),
}

export const setupWithoutTrace = ['resolve_counterparty_texts', 'apply_counterparty_aliases', 'reopen_onboarding_step']
