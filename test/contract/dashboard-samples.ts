// Calls of dashboards, their widgets and their public links that work.
import type { Team } from '../support/people.ts'
import type { Sample } from './samples.ts'

type Board = { id: string; widgets: { id: string; x: number; y: number; w: number; h: number }[] }

async function newBoard(team: Team): Promise<Board> {
  const widgets = [{ kind: 'metric', query: { metric: 'revenue' } }, { kind: 'text', text: 'Words' }]
  return (await team.client.post('/dashboards', { name: 'Sample', widgets })).data
}

export const dashboardIds: Record<string, (team: Team) => Promise<string>> = {
  dashboard_id: async (team) => (await newBoard(team)).id,
  widget_id: async () => '',
}

export const dashboardWithoutTrace = ['query_metric']

type Made = (team: Team, plain: Sample) => Promise<Partial<Sample>>

const onWidget: Made = async (team) => {
  const { id: dashboard_id, widgets } = await newBoard(team)
  return { params: { dashboard_id, widget_id: widgets[0]!.id } }
}

export const dashboardSamples: Record<string, Made> = {
  get_widget: onWidget,
  update_widget: onWidget,
  remove_widget: onWidget,
  async set_dashboard_layout(team) {
    const { id: dashboard_id, widgets } = await newBoard(team)
    return { params: { dashboard_id }, body: { widgets: widgets.map(({ id, w, h }, index) => ({ id, w, h, x: 0, y: 40 - index * 20 })) } }
  },
  async revoke_dashboard_share(team) {
    const { data } = await team.client.post(`/dashboards/${(await newBoard(team)).id}/shares`, {})
    return { params: { share_id: data.id } }
  },
}
