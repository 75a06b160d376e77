// What a permission is called. Which role holds which is in one table, in the access room.

/** `group:read`, `group:write`, or one of the named powers. */
export type Permission = `${string}:read` | `${string}:write` | Power
export type Power = (typeof POWERS)[number]

export const POWERS = ['documents:correct', 'entries:approve', 'periods:override', 'tokens:manage', 'members:manage', 'billing:manage'] as const

/** Holds every permission there is or will be. */
export const everything = { has: () => true } as unknown as ReadonlySet<string>
