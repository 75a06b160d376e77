// Which kinds of events a caller may read and which ones a filter means.
import type { Resource } from '../resource.ts'

type Kinds = Iterable<Pick<Resource, 'type' | 'group' | 'events'>>

/** The kinds of records whose group the caller may read. */
export function readableTypes(resources: Kinds, permissions: ReadonlySet<string>): string[] {
  return [...resources].filter(({ group }) => permissions.has(`${group}:read`)).map(({ type }) => type)
}

/** The names behind a filter: `invoice.*` becomes every event of that name, which an index can find. */
export function expandTypes(resources: Kinds, wanted: readonly string[]): string[] {
  const known = [...resources].flatMap(({ events }) => events)
  const names = wanted.flatMap((name) => (name.endsWith('.*') ? known.filter((type) => type.startsWith(name.slice(0, -1))) : [name]))
  return [...new Set(names)]
}
