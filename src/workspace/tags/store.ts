// The SQL of tags and of what carries them.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { deletion, insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Tag, TagRecord } from './contract.ts'

constraintMeans('tags_name', 'A tag of this name exists already: use it, or choose another name.')
constraintMeans('tag_assignments_group', 'A record can have only one tag of a group: take the other one off first.')

export const insertTag = insertion('tags', Tag)
export const updateTag = updating('tags', 'name', 'color', 'group_name', 'usage_count', 'archived')
/** Its assignments go with it. */
export const deleteTag = deletion('tags')
export const findTag = selectionById('tags', Tag)
export const lockTag = selectionById('tags', Tag, true)
/** In the order of ids, so that two calls with the same tags never wait for each other. */
export const lockTags = statement(Tag, `select ${columns(Tag)} from tags where business_id = :business_id and id = any(:ids) order by id for update`)

export const tags = list({
  item: Tag,
  from: 'tags t',
  where: 't.business_id = :business_id',
  sorts: {
    name: { column: 't.name_key', type: 'text' },
    usage_count: { column: 't.usage_count', type: 'integer' },
  },
  filters: {
    group_name: 't.group_name = :group_name',
    resource_type: `exists (select from tag_assignments a where a.business_id = :business_id and a.tag_id = t.id and a.resource_type = :resource_type)`,
    archived: `:archived in ('all', t.archived::text)`,
    q: 'position(lower(:q) in t.name_key) > 0',
  },
})

/** A record carries a tag once, so its own id is as good as one of the assignment. */
export const tagRecords = list({
  item: TagRecord,
  from: '(select business_id, tag_id, resource_type, resource_id, resource_id as id, created_at from tag_assignments) t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { tag_id: 't.tag_id = :tag_id', resource_type: 't.resource_type = :resource_type' },
})

/** The tags that changed, with the records they were put on or taken off. The count counts as a change of the tag: its ETag covers it. */
const Changed = Type.Object({ ...Tag.properties, resource_ids: Type.Array(id()) })
const recounted = (sign: '+' | '-') => `
  update tags t set usage_count = usage_count ${sign} cardinality(resource_ids), updated_at = :now, version = version + 1
  from (select tag_id, array_agg(resource_id) as resource_ids from touched group by tag_id) as counted
  where t.business_id = :business_id and t.id = counted.tag_id returning ${columns(Tag, 't')}, resource_ids`

export const assign = statement(
  Changed,
  `with touched as (
     insert into tag_assignments (business_id, tag_id, resource_type, resource_id, group_name, created_at)
     select t.business_id, t.id, :resource_type, resource_id, t.group_name, :now from tags t cross join unnest(:resource_ids::uuid[]) as resource_id
     where t.business_id = :business_id and t.id = any(:tag_ids)
     on conflict (business_id, tag_id, resource_type, resource_id) do nothing
     returning tag_id, resource_id)
   ${recounted('+')}`,
)

export const unassign = statement(
  Changed,
  `with touched as (
     delete from tag_assignments
     where business_id = :business_id and tag_id = any(:tag_ids) and resource_type = :resource_type and resource_id = any(:resource_ids)
     returning tag_id, resource_id)
   ${recounted('-')}`,
)

/** Which of these records carry which tags. */
export const assignmentsOf = statement(
  Type.Object({ tag_id: id(), resource_id: id() }),
  `select tag_id, resource_id from tag_assignments
   where business_id = :business_id and resource_type = :resource_type and resource_id = any(:resource_ids) order by resource_id, tag_id`,
)

const pairs = 'unnest(:tag_ids::uuid[], :resource_ids::uuid[]) as pair (tag_id, resource_id)'

export const assignPairs = statement(
  Changed,
  `with touched as (
     insert into tag_assignments (business_id, tag_id, resource_type, resource_id, group_name, created_at)
     select t.business_id, t.id, :resource_type, pair.resource_id, t.group_name, :now
     from ${pairs} join tags t on t.business_id = :business_id and t.id = pair.tag_id
     on conflict (business_id, tag_id, resource_type, resource_id) do nothing
     returning tag_id, resource_id)
   ${recounted('+')}`,
)

export const unassignPairs = statement(
  Changed,
  `with touched as (
     delete from tag_assignments a using ${pairs}
     where a.business_id = :business_id and a.tag_id = pair.tag_id and a.resource_type = :resource_type and a.resource_id = pair.resource_id
     returning a.tag_id, a.resource_id)
   ${recounted('-')}`,
)

export const unassignAll = statement(
  Changed,
  `with touched as (
     delete from tag_assignments where business_id = :business_id and resource_type = :resource_type and resource_id = :resource_id
     returning tag_id, resource_id)
   ${recounted('-')}`,
)

/** A record on which a tag of the group stands in the way of another one. */
const Clash = Type.Object({ resource_id: id(), name: Type.String() })

export const clashOfRecords = statement(
  Type.Object({ ...Clash.properties, wanted: Type.String() }),
  `select a.resource_id, t.name, w.name as wanted from tags w
   join tag_assignments a on a.business_id = w.business_id and a.group_name = w.group_name and a.tag_id <> w.id
   join tags t on t.business_id = a.business_id and t.id = a.tag_id
   where w.business_id = :business_id and w.id = any(:tag_ids) and a.resource_type = :resource_type and a.resource_id = any(:resource_ids)
   limit 1`,
)

export const clashOfGroup = statement(
  Clash,
  `select o.resource_id, t.name from tag_assignments a
   join tag_assignments o on o.business_id = a.business_id and o.resource_type = a.resource_type and o.resource_id = a.resource_id
   join tags t on t.business_id = o.business_id and t.id = o.tag_id
   where a.business_id = :business_id and a.tag_id = :tag_id and o.group_name = :group_name and o.tag_id <> all(:apart_from)
   limit 1`,
)

export const regroup = command('update tag_assignments set group_name = :group_name where business_id = :business_id and tag_id = :id')

/** Records that have the other tag already are left behind, and go with the tag. */
export const moveAssignments = command(
  `update tag_assignments a set tag_id = :into_id, group_name = :group_name
   where a.business_id = :business_id and a.tag_id = :id and not exists (
     select from tag_assignments o
     where o.business_id = a.business_id and o.tag_id = :into_id and o.resource_type = a.resource_type and o.resource_id = a.resource_id)`,
)
