// One text per JSON value, so that a hash taken before writing can be taken again from what a jsonb column gives back.

// Keys sort by code unit and nothing is added for the eye. What JSON would silently change (a Date, a Map, NaN, a hole in a list)
// is refused, since its hash would differ after the way through the database.
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`Not a JSON number: ${value}`)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`
  if (!isPlainObject(value)) throw new TypeError(`Not a JSON value: ${Object.prototype.toString.call(value)}`)
  const members: string[] = []
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
  }
  return `{${members.join(',')}}`
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
