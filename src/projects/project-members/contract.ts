// Who works on a project, at which rates from which day on.
import { Type, type Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { date, id, integer, list, nullable, optional, shape } from '../../foundation/shapes.ts'
import { projectParams } from '../projects/contract.ts'

const hourly = (description: string) => nullable(integer(0, undefined, { description: `Integer cents per hour${description}` }))

/** A row of the table. */
export const ProjectMemberRow = Type.Object({
  id: id(),
  business_id: id(),
  project_id: id(),
  user_id: id(),
  from: date({ description: 'The rates hold from this day until the next row of the person.' }),
  rate: hourly('; null: that of the project.'),
  cost_rate: hourly('. Accountants and above see it; for everybody else it is null.'),
})

export const ProjectMember = shape('ProjectMember', { ...ProjectMemberRow.properties, user_name: Type.String() })
const { user_id, from, rate, cost_rate } = ProjectMemberRow.properties
export const ProjectMemberInput = shape('ProjectMemberInput', { user_id, from: optional(from), rate: optional(rate), cost_rate: optional(cost_rate) })

export type ProjectMemberRow = Static<typeof ProjectMemberRow>
export type ProjectMember = Static<typeof ProjectMember>
export type ProjectMemberInput = Static<typeof ProjectMemberInput>

/** What people cost is in its events, so only those who may see that may read them: accountants and above, who alone read the audit trail. */
export const projectMemberResource = resource({
  type: 'project_member', group: 'audit-trail', shape: ProjectMember, table: null, label: 'user_name',
  events: ['project_member.added', 'project_member.changed', 'project_member.removed'],
})

const endpoint = endpointsOf('projects', 'business')

export const listMembers = endpoint({
  id: 'list_project_members', method: 'GET', path: '/{project_id}/members', summary: 'List the people of a project',
  params: projectParams,
  query: listQuery(['from']),
  reply: pageOf(ProjectMember),
})

export const replaceMembers = endpoint({
  id: 'replace_project_members', method: 'PUT', path: '/{project_id}/members', summary: 'Set the people of a project',
  description: 'The whole list. A person may be in it several times, from different days on; from is today unless said. '
    + 'Whoever does not see what people cost leaves that as it is.',
  params: projectParams,
  body: shape('ProjectMembersInput', { members: list(ProjectMemberInput, { maxItems: 200 }) }),
  reply: list(ProjectMember),
  refusals: ['A person is in the list twice from one day on.', 'The project is archived.'],
})
