// The SQL of the people of projects.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { ProjectMember } from './contract.ts'

const selected = 't.id, t.business_id, t.project_id, t.user_id, t."from", t.rate, t.cost_rate, u.name as user_name'
const joined = 'project_members t join users u on u.id = t.user_id'

export const members = list({
  item: ProjectMember,
  select: selected,
  from: joined,
  where: 't.business_id = :business_id',
  sorts: { from: { column: 't."from"', type: 'date' } },
  filters: { project_id: 't.project_id = :project_id' },
})

export const membersOf = statement(ProjectMember, `select ${selected} from ${joined} where t.business_id = :business_id and t.project_id = :project_id order by t."from", t.id`)

const rows = 'jsonb_populate_recordset(null::project_members, :rows::jsonb)'

/** The project has these people and no others. */
export const replaceMembers = command(
  `with gone as (
     delete from project_members t where t.business_id = :business_id and t.project_id = :project_id and not exists (select from ${rows} r where r.id = t.id)
   )
   insert into project_members as t (business_id, id, project_id, user_id, "from", rate, cost_rate)
   select business_id, id, project_id, user_id, "from", rate, cost_rate from ${rows} where business_id = :business_id
   on conflict (business_id, id) do update set rate = excluded.rate, cost_rate = excluded.cost_rate
   where (t.rate, t.cost_rate) is distinct from (excluded.rate, excluded.cost_rate)`)

const project = 'select id, code, status, version from projects where business_id = :business_id and id = :project_id'
const Project = Type.Object({ id: id(), code: Type.String(), status: Type.String(), version: Type.Integer() })
export const findProject = statement(Project, project)
export const lockProject = statement(Project, `${project} for update`)

export const people = statement(
  Type.Object({ user_id: id(), user_name: Type.String() }),
  `select m.user_id, u.name as user_name from memberships m join users u on u.id = m.user_id
   where m.business_id = :business_id and m.user_id = any(:user_ids) and m.status = 'active'`)
