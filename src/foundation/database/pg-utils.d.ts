// The one function of pg's own that we use beyond its typed surface: a value as the protocol wants it.
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null
}
