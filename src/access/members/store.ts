// The SQL of members.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { Member } from './contract.ts'

const selected = `m.user_id as id, m.business_id, m.user_id, u.email, u.name, m.role, m.status, m.source, m.firm_id, u.two_factor_enabled,
  m.last_seen_at, m.created_at, m.updated_at, m.version`
const joined = 'memberships m join users u on u.id = m.user_id'

export const members = list({
  item: Member,
  from: `(select ${selected} from ${joined}) t`,
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    name: { column: 't.name', type: 'text' },
    email: { column: 't.email', type: 'text' },
    last_seen_at: { column: 't.last_seen_at', type: 'timestamptz', nullable: true },
  },
  filters: {
    role: 't.role = :role',
    status: 't.status = :status',
    source: 't.source = :source',
    q: `strpos(lower(t.name || ' ' || t.email), lower(:q)) > 0`,
  },
})

export const findMember = statement(Member, `select ${selected} from ${joined} where m.business_id = :business_id and m.user_id = :user_id`)

/** Every owner and these users besides, always in the same order, so that two who change each other do not deadlock. */
export const lockPeople = statement(
  Member,
  `select ${selected} from ${joined}
   where m.business_id = :business_id and (m.role = 'owner' or m.user_id = any(:user_ids::uuid[]))
   order by m.user_id for update of m`)

export const updateMember = command(
  `update memberships set role = :role, status = :status, updated_at = :updated_at, version = :version
   where business_id = :business_id and user_id = :user_id`)

export const deleteMember = command('delete from memberships where business_id = :business_id and user_id = :user_id')

export const countOwners = statement(
  Type.Object({ members: Type.Integer(), owners: Type.Integer() }),
  `select count(*) as members, count(*) filter (where role = 'owner' and status = 'active') as owners from memberships where business_id = :business_id`)
