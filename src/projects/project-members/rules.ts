// Who may see what people cost, and what a list of people must keep to.
import { forbidden, invalid } from '../../foundation/refusal.ts'
import type { ProjectMember, ProjectMemberInput } from './contract.ts'

const ACCOUNTANTS = ['owner', 'admin', 'accountant']

export function seesCost({ role, kind }: { role: string | null; kind: string }): boolean {
  return kind === 'system' || ACCOUNTANTS.includes(role ?? '')
}

export function shownTo(sees: boolean, member: ProjectMember): ProjectMember {
  return sees ? member : { ...member, cost_rate: null }
}

export function requireMayCost(sees: boolean, inputs: readonly ProjectMemberInput[]): void {
  if (!sees && inputs.some(({ cost_rate }) => typeof cost_rate === 'number')) throw forbidden('Only an accountant or above sets what people cost: leave cost_rate out.')
}

export function requireOnce(rows: readonly { user_id: string; from: string }[]): void {
  const keys = rows.map(keyOf)
  const twice = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  const row = rows[twice]
  if (row) throw invalid(`The person ${row.user_id} is in the list twice from ${row.from} on: give each once.`)
}

export function keyOf({ user_id, from }: { user_id: string; from: string }): string {
  return `${user_id} ${from}`
}
