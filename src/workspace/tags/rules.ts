// How tags are written and which of them go together.
import { invalid } from '../../foundation/refusal.ts'
import type { Tag, TagInput, TagUpdate } from './contract.ts'

/** Texts as they are kept: single blanks inside and none around, so that what looks equal is equal; colors in lower case. */
export function tidy<Fields extends TagInput | TagUpdate>(fields: Fields): Fields {
  const { name, group_name, color } = fields
  return {
    ...fields,
    ...(name && { name: singleSpaced(name) }),
    ...(group_name && { group_name: singleSpaced(group_name) }),
    ...(color && { color: color.toLowerCase() }),
  }
}

function singleSpaced(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

export function requireUsable(tag: Tag): void {
  if (tag.archived) throw invalid(`The tag “${tag.name}” is archived: restore it first.`)
}

export function requireUnused(tag: Tag): void {
  if (tag.usage_count === 0) return
  const carriers = tag.usage_count === 1 ? '1 record carries' : `${tag.usage_count} records carry`
  throw invalid(`${carriers} the tag “${tag.name}”: archive it, or delete it with force=true.`)
}

/** Tags that are put on a record together are of different groups. */
export function requireDifferentGroups(tags: readonly Tag[]): void {
  const byGroup = new Map<string, Tag>()
  for (const tag of tags) {
    if (tag.group_name === null) continue
    const other = byGroup.get(tag.group_name)
    if (other) throw invalid(`“${other.name}” and “${tag.name}” are both of the group “${tag.group_name}”: a record can have one of them.`)
    byGroup.set(tag.group_name, tag)
  }
}
