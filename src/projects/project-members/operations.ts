// What can be done with the people of a project.
import type { Page, PageQuery } from '../../foundation/database/list.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { differs } from '../projects/rules.ts'
import { projectMemberResource, type ProjectMember, type ProjectMemberInput } from './contract.ts'
import { keyOf, requireMayCost, requireOnce, seesCost, shownTo } from './rules.ts'
import * as store from './store.ts'

export async function listMembers(tx: BusinessTx, project_id: string, query: PageQuery): Promise<Page<ProjectMember>> {
  const asked = { ...query, project_id }
  const [, page] = await Promise.all([tx.get(store.findProject, { project_id }, 'Project'), tx.page(store.members, asked)])
  return { ...page, items: page.items.map((member) => shownTo(seesCost(tx.actor), member)) }
}

export async function replaceMembers(tx: BusinessTx, project_id: string, inputs: readonly ProjectMemberInput[]): Promise<ProjectMember[]> {
  const sees = seesCost(tx.actor)
  requireMayCost(sees, inputs)
  const project = await tx.lock(store.lockProject, { project_id }, 'Project')
  const user_ids = [...new Set(inputs.map(({ user_id }) => user_id))]
  const [known, people] = await Promise.all([tx.many(store.membersOf, { project_id }), tx.many(store.people, { user_ids })])
  const names = new Map([...known, ...people].map(({ user_id, user_name }) => [user_id, user_name]))
  const stranger = user_ids.find((user_id) => !names.has(user_id))
  if (stranger) throw notFound(`Person ${stranger} of user_id`)
  if (project.status === 'archived') throw invalid(`The project ${project.code} is archived: its people stay.`)
  const before = new Map(known.map((member) => [keyOf(member), member]))
  const after = inputs.map((input): ProjectMember => {
    const from = input.from ?? tx.today
    const old = before.get(keyOf({ user_id: input.user_id, from }))
    const cost_rate = sees && input.cost_rate !== undefined ? input.cost_rate : old?.cost_rate ?? null
    return {
      id: old?.id ?? newId(), business_id: tx.business_id, project_id, user_id: input.user_id, from, rate: input.rate ?? null, cost_rate,
      user_name: names.get(input.user_id) ?? '',
    }
  })
  requireOnce(after)
  if (recordChanges(tx, known, after)) tx.queue(store.replaceMembers, { project_id, rows: JSON.stringify(after) })
  return after.map((member) => shownTo(sees, member))
}

/** Whether there is a change at all. */
function recordChanges(tx: BusinessTx, before: readonly ProjectMember[], after: readonly ProjectMember[]): boolean {
  const old = new Map(before.map((member) => [member.id, member]))
  const kept = new Set(after.map(({ id }) => id))
  const removed = before.filter(({ id }) => !kept.has(id))
  const rest = after.flatMap((member) => {
    const known = old.get(member.id) ?? null
    return known === null || differs(known, member) ? [{ known, member }] : []
  })
  for (const member of removed) tx.record(projectMemberResource, 'project_member.removed', { before: member, after: null })
  for (const { known, member } of rest) tx.record(projectMemberResource, known ? 'project_member.changed' : 'project_member.added', { before: known, after: member })
  return removed.length + rest.length > 0
}
