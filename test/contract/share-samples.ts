// Calls of public links of decks that work, from inside and from outside.
import { newId } from '../../src/foundation/ids.ts'
import { client } from '../support/client.ts'
import type { Team } from '../support/people.ts'
import { newReadyDeck } from '../support/ready-deck.ts'
import type { Sample } from './samples.ts'

type Shared = { deck_id: string; slide_id: string; id: string; token: string }

async function newShare(team: Team, body: object = {}): Promise<Shared> {
  const { id: deck_id, slides: [slide_id = ''] } = await newReadyDeck(team)
  const { data } = await team.client.post(`/ai-reporting/decks/${deck_id}/share`, body)
  return { deck_id, slide_id, id: data.id, token: data.token }
}

export const shareIds: Record<string, (team: Team) => Promise<string>> = {
  share_id: async (team) => (await newShare(team)).id,
  share_token: async (team) => (await newShare(team)).token,
  slide_id: async () => newId(),
}

export const shareWithoutTrace = ['unlock_public_dashboard']
export const shareWithoutDryRun = ['unlock_public_dashboard']

const outside = async () => ({ client: client() })

export const shareSamples: Record<string, (team: Team, plain: Sample) => Promise<Partial<Sample>>> = {
  share_deck: async (team) => ({ params: { deck_id: (await newReadyDeck(team)).id } }),
  list_deck_shares: async (team) => ({ params: { deck_id: (await newShare(team)).deck_id } }),
  view_public_dashboard: outside,
  get_public_dashboard_data: outside,
  download_public_dashboard: outside,
  async get_public_slide(team) {
    const { token, slide_id } = await newShare(team)
    return { client: client(), params: { share_token: token, slide_id } }
  },
  unlock_public_dashboard: async (team) => ({ client: client(), params: { share_token: (await newShare(team, { password: 'correct horse' })).token } }),
}
