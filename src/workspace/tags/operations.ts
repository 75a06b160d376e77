// What can be done with tags.
import type { PageQuery } from '../../foundation/database/list.ts'
import { changed } from '../../foundation/database/rows.ts'
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { newId } from '../../foundation/ids.ts'
import { requireRecords } from '../../foundation/records.ts'
import { invalid, notFound } from '../../foundation/refusal.ts'
import { tagResource, type Tag, type TagAssignment, type TagInput, type TagUpdate } from './contract.ts'
import { requireDifferentGroups, requireUnused, requireUsable, tidy } from './rules.ts'
import * as store from './store.ts'

export function listTags(tx: BusinessTx, query: PageQuery) {
  const asked = { archived: 'false', ...query }
  return tx.page(store.tags, asked)
}

export function getTag(tx: BusinessTx, tag_id: string): Promise<Tag> {
  return tx.get(store.findTag, { id: tag_id }, 'Tag')
}

export async function createTag(tx: BusinessTx, input: TagInput): Promise<Tag> {
  const { name, color = null, group_name = null } = tidy(input)
  const tag: Tag = {
    id: newId(),
    business_id: tx.business_id,
    name,
    color,
    group_name,
    usage_count: 0,
    archived: false,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  }
  tx.queue(store.insertTag, tag)
  tx.record(tagResource, 'tag.created', { before: null, after: tag })
  return tag
}

export async function updateTag(tx: BusinessTx, tag_id: string, input: TagUpdate): Promise<Tag> {
  const tag = await tx.lock(store.lockTag, { id: tag_id }, 'Tag')
  const changes = tidy(input)
  const { group_name = tag.group_name } = changes
  if (group_name !== tag.group_name) {
    await requireNoClash(tx, tag, group_name, [tag_id])
    tx.queue(store.regroup, { id: tag_id, group_name })
  }
  return save(tx, 'tag.updated', tag, changes)
}

export async function deleteTag(tx: BusinessTx, tag_id: string, { force }: { force?: boolean }): Promise<Tag> {
  const tag = await tx.lock(store.lockTag, { id: tag_id }, 'Tag')
  if (!force) requireUnused(tag)
  tx.queue(store.deleteTag, tag)
  tx.record(tagResource, 'tag.deleted', { before: tag, after: null })
  return tag
}

export async function archiveTag(tx: BusinessTx, tag_id: string): Promise<Tag> {
  const tag = await tx.lock(store.lockTag, { id: tag_id }, 'Tag')
  return tag.archived ? tag : save(tx, 'tag.archived', tag, { archived: true })
}

export async function restoreTag(tx: BusinessTx, tag_id: string): Promise<Tag> {
  const tag = await tx.lock(store.lockTag, { id: tag_id }, 'Tag')
  return tag.archived ? save(tx, 'tag.restored', tag, { archived: false }) : tag
}

export async function mergeTag(tx: BusinessTx, tag_id: string, into_id: string): Promise<Tag> {
  const [tag, into] = await lockTags(tx, [tag_id, into_id])
  tx.checkMatch(tag.version)
  if (tag_id === into_id) throw invalid('A tag cannot be merged into itself.')
  requireUsable(into)
  await requireNoClash(tx, tag, into.group_name, [tag_id, into_id])
  const moved = await tx.run(store.moveAssignments, { id: tag_id, into_id, group_name: into.group_name })
  tx.queue(store.deleteTag, tag)
  tx.record(tagResource, 'tag.merged', { before: tag, after: { ...tag, merged_into: into_id } })
  return save(tx, 'tag.updated', into, { usage_count: into.usage_count + moved })
}

export async function listTagRecords(tx: BusinessTx, tag_id: string, query: PageQuery) {
  await getTag(tx, tag_id)
  const asked = { ...query, tag_id }
  return tx.page(store.tagRecords, asked)
}

export async function assignTags(tx: BusinessTx, input: TagAssignment): Promise<{ changed: number }> {
  const tags = await lockTags(tx, [...new Set(input.tag_ids)])
  await requireRecords(tx, input.resource_type, input.resource_ids)
  tags.forEach(requireUsable)
  requireDifferentGroups(tags)
  const clash = await tx.find(store.clashOfRecords, input)
  if (clash) throw invalid(`${clash.resource_id} has the tag “${clash.name}”, of the same group as “${clash.wanted}”: take that off first.`)
  const assigned = await tx.many(store.assign, input)
  for (const tag of assigned) recordUse(tx, 'tag.assigned', tag, input.resource_type, tag.usage_count - tag.resource_ids.length)
  return { changed: sizeOf(assigned) }
}

export async function unassignTags(tx: BusinessTx, input: TagAssignment): Promise<{ changed: number }> {
  await lockTags(tx, [...new Set(input.tag_ids)])
  const unassigned = await tx.many(store.unassign, input)
  for (const tag of unassigned) recordUse(tx, 'tag.unassigned', tag, input.resource_type, tag.usage_count + tag.resource_ids.length)
  return { changed: sizeOf(unassigned) }
}

/** The tags of these records, for groups that show them as a member of their own. */
export async function tagsOf(tx: BusinessTx, resource_type: string, resource_ids: readonly string[]): Promise<Map<string, string[]>> {
  if (resource_ids.length === 0) return new Map()
  const carried = await tx.many(store.assignmentsOf, { resource_type, resource_ids })
  const byRecord = Map.groupBy(carried, ({ resource_id }) => resource_id)
  return new Map([...byRecord].map(([id, rows]) => [id, rows.map(({ tag_id }) => tag_id)]))
}

/** Gives each record exactly these tags. Those it keeps may be archived, those it gets may not. */
export async function setTags(tx: BusinessTx, resource_type: string, wanted: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const carried = await tagsOf(tx, resource_type, [...wanted.keys()])
  const more = pairsOf(wanted, (id, tag_id) => !carried.get(id)?.includes(tag_id))
  const fewer = pairsOf(carried, (id, tag_id) => !wanted.get(id)?.includes(tag_id))
  if (more.tag_ids.length + fewer.tag_ids.length === 0) return
  const tags = await lockTags(tx, [...new Set([...[...wanted.values()].flat(), ...fewer.tag_ids])])
  const byId = new Map(tags.map((tag) => [tag.id, tag]))
  const named = (ids: readonly string[]) => [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
  named(more.tag_ids).forEach(requireUsable)
  for (const ids of wanted.values()) requireDifferentGroups(named(ids))
  // First off, then on: another tag of the same group may take the place of one.
  const unassigned = fewer.tag_ids.length > 0 ? await tx.many(store.unassignPairs, { resource_type, ...fewer }) : []
  for (const tag of unassigned) recordUse(tx, 'tag.unassigned', tag, resource_type, tag.usage_count + tag.resource_ids.length)
  const assigned = more.tag_ids.length > 0 ? await tx.many(store.assignPairs, { resource_type, ...more }) : []
  for (const tag of assigned) recordUse(tx, 'tag.assigned', tag, resource_type, tag.usage_count - tag.resource_ids.length)
}

function pairsOf(tags: ReadonlyMap<string, readonly string[]>, counts: (resource_id: string, tag_id: string) => boolean) {
  const pairs = [...tags].flatMap(([resource_id, ids]) =>
    [...new Set(ids)].filter((tag_id) => counts(resource_id, tag_id)).map((tag_id) => ({ resource_id, tag_id })))
  return { tag_ids: pairs.map(({ tag_id }) => tag_id), resource_ids: pairs.map(({ resource_id }) => resource_id) }
}

/** After a record is gone, nothing is left to carry its tags. */
export async function dropTags(tx: BusinessTx, record: { resource_type: string; resource_id: string }): Promise<void> {
  const unassigned = await tx.many(store.unassignAll, record)
  for (const tag of unassigned) recordUse(tx, 'tag.unassigned', tag, record.resource_type, tag.usage_count + 1)
}

type TagEvent = (typeof tagResource.events)[number]
type UsedTag = Tag & { resource_ids: string[] }

function save(tx: BusinessTx, event: TagEvent, tag: Tag, changes: Partial<Tag>): Tag {
  const after = changed(tag, changes, tx.now)
  tx.queue(store.updateTag, after)
  tx.record(tagResource, event, { before: tag, after })
  return after
}

/** One event per tag, however many records it was put on or taken off. */
function recordUse(tx: BusinessTx, event: TagEvent, { resource_ids, ...tag }: UsedTag, resource_type: string, usage_before: number): void {
  tx.record(tagResource, event, { before: { ...tag, usage_count: usage_before }, after: { ...tag, resource_type, resource_ids } })
}

function sizeOf(tags: UsedTag[]): number {
  return tags.reduce((sum, tag) => sum + tag.resource_ids.length, 0)
}

/** The tags in the order of the ids; 404 naming the first that is not there. */
async function lockTags<Ids extends string[]>(tx: BusinessTx, ids: [...Ids]): Promise<{ [Index in keyof Ids]: Tag }> {
  const found = await tx.many(store.lockTags, { ids })
  const byId = new Map(found.map((tag) => [tag.id, tag]))
  const missing = ids.find((id) => !byId.has(id))
  if (missing) throw notFound(`Tag ${missing}`)
  return ids.map((id) => byId.get(id)) as { [Index in keyof Ids]: Tag }
}

/** Refuses where a record with this tag has another one of the group it is to join. */
async function requireNoClash(tx: BusinessTx, tag: Tag, group_name: string | null, apart_from: string[]): Promise<void> {
  const clash = group_name === null ? null : await tx.find(store.clashOfGroup, { tag_id: tag.id, group_name, apart_from })
  if (clash) throw invalid(`${clash.resource_id} has both “${tag.name}” and “${clash.name}”, which would be of one group: take one off first.`)
}
