// Tags: free labels on records, without any effect on the books.
import type { Static } from 'typebox'
import { endpointsOf, listQuery, pageOf } from '../../foundation/endpoint.ts'
import { resource } from '../../foundation/resource.ts'
import { boolean, id, integer, list, nullable, oneOf, optional, partial, record, shape, text, timestamp } from '../../foundation/shapes.ts'

const fields = {
  name: text(1, 50, { pattern: '\\S', description: 'Unique in the business, ignoring case.' }),
  color: nullable(text(7, 7, { pattern: '^#[0-9a-fA-F]{6}$', description: '#rrggbb.' })),
  group_name: nullable(text(1, 50, { pattern: '\\S', description: 'A record has at most one tag of a group.' })),
}

export const Tag = shape('Tag', {
  ...record,
  ...fields,
  usage_count: integer(0, undefined, { description: 'How many records carry it.' }),
  archived: boolean(),
})
export const TagInput = shape('TagInput', { ...partial('TagFields', fields).properties, name: fields.name })
export const TagUpdate = partial('TagUpdate', fields)

export const TagRecord = shape('TagRecord', {
  resource_type: text(1, 50),
  resource_id: id(),
  created_at: timestamp({ description: 'When it was given the tag.' }),
})

export const TagAssignment = shape('TagAssignment', {
  tag_ids: list(id(), { minItems: 1, maxItems: 50 }),
  resource_type: text(1, 50),
  resource_ids: list(id(), { minItems: 1, maxItems: 1000 }),
})
export const TagAssignmentResult = shape('TagAssignmentResult', {
  changed: integer(0, undefined, { description: 'How many labels were put on or taken off; those that were so already are not counted.' }),
})

export type Tag = Static<typeof Tag>
export type TagInput = Static<typeof TagInput>
export type TagUpdate = Static<typeof TagUpdate>
export type TagAssignment = Static<typeof TagAssignment>

export const tagResource = resource({
  type: 'tag', group: 'tags', shape: Tag, table: 'tags', label: 'name',
  events: ['tag.created', 'tag.updated', 'tag.archived', 'tag.restored', 'tag.merged', 'tag.deleted', 'tag.assigned', 'tag.unassigned'],
})

const endpoint = endpointsOf('tags', 'business')
const params = shape('TagParams', { tag_id: id() })

export const listTags = endpoint({
  id: 'list_tags', method: 'GET', path: '', summary: 'List tags',
  query: listQuery(['name', 'usage_count'], {
    group_name: optional(text(1, 50)),
    resource_type: optional(text(1, 50, { description: 'Only tags that a record of this type carries.' })),
    archived: optional(oneOf(['false', 'true', 'all'], { default: 'false' })),
    q: optional(text(1, 50, { description: 'Part of the name.' })),
  }),
  reply: pageOf(Tag),
})

export const createTag = endpoint({
  id: 'create_tag', method: 'POST', path: '', summary: 'Create a tag',
  body: TagInput,
  reply: Tag,
  refusals: ['A tag of this name exists.'],
  example: { name: 'Renovation', color: '#2f6f4e' },
})

export const getTag = endpoint({
  id: 'get_tag', method: 'GET', path: '/{tag_id}', summary: 'Get a tag',
  params,
  reply: Tag,
})

export const updateTag = endpoint({
  id: 'update_tag', method: 'PUT', path: '/{tag_id}', summary: 'Rename or regroup a tag',
  params,
  body: TagUpdate,
  reply: Tag,
  refusals: ['A tag of this name exists.', 'A record that carries it has another tag of the new group.'],
  example: { color: '#b3541e' },
})

export const deleteTag = endpoint({
  id: 'delete_tag', method: 'DELETE', path: '/{tag_id}', summary: 'Delete a tag',
  description: 'Takes the label off every record.',
  params,
  query: shape('TagDeleteQuery', { force: optional(boolean({ description: 'Also while records carry it.' })) }),
  reply: Tag,
  refusals: ['Records carry it and force is not true.'],
})

export const archiveTag = endpoint({
  id: 'archive_tag', method: 'PUT', path: '/{tag_id}/archive', summary: 'Archive a tag',
  description: 'Records keep it; it cannot be given to others.',
  params,
  reply: Tag,
})

export const restoreTag = endpoint({
  id: 'restore_tag', method: 'PUT', path: '/{tag_id}/restore', summary: 'Restore an archived tag',
  params,
  reply: Tag,
})

export const mergeTag = endpoint({
  id: 'merge_tag', method: 'PUT', path: '/{tag_id}/merge', summary: 'Merge a tag into another',
  description: 'Its records get the other tag, those that have both keep one label, and it is gone. Answers the other tag.',
  params,
  body: shape('TagMerge', { into_id: id() }),
  reply: Tag,
  refusals: ['Both are the same tag.', 'The other tag is archived.', 'A record that carries it has a third tag of the other one\'s group.'],
})

export const listTagRecords = endpoint({
  id: 'list_tag_records', method: 'GET', path: '/{tag_id}/records', summary: 'List what carries a tag',
  params,
  query: listQuery(['created_at'], { resource_type: optional(text(1, 50)) }),
  reply: pageOf(TagRecord),
})

export const assignTags = endpoint({
  id: 'assign_tags', method: 'POST', path: '/assign', summary: 'Put tags on records',
  description: 'Every tag on every record, all or nothing. Those that have it already are left as they are.',
  body: TagAssignment,
  reply: TagAssignmentResult,
  refusals: ['A tag is archived.', 'A record would have two tags of one group.'],
})

export const unassignTags = endpoint({
  id: 'unassign_tags', method: 'POST', path: '/unassign', summary: 'Take tags off records',
  body: TagAssignment,
  reply: TagAssignmentResult,
})
