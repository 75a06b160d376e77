// Which rows of which businesses a caller may see: the role there now, cut to what the credential allows.
import { permissionsFor, type Role } from '../../access/permissions.ts'
import type { Permission } from '../../foundation/permission.ts'
import { TOPIC_RIGHTS, TOPICS, type Topic } from '../notification-kinds/contract.ts'

export function holds(role: Role, scopes: ReadonlySet<string>, permission: Permission): boolean {
  return permissionsFor(role).has(permission) && scopes.has(permission)
}

/** The roles that are told of a topic. */
export function rolesTold(roles: readonly Role[], topic: Topic): Role[] {
  return roles.filter((role) => permissionsFor(role).has(TOPIC_RIGHTS[topic].read))
}

/** As the statements want it: the businesses, and, as business and topic in one text, what is not to be seen there. */
export function visibility(entrances: readonly { business_id: string; role: Role }[], scopes: ReadonlySet<string>): { businesses: string[]; hidden: string[] } {
  const hidden = entrances.flatMap(({ business_id, role }) =>
    TOPICS.filter((topic) => !holds(role, scopes, TOPIC_RIGHTS[topic].read)).map((topic) => `${business_id}${topic}`))
  return { businesses: entrances.map(({ business_id }) => business_id), hidden }
}
