// A public link of a document as people see it.
import type { DocumentLink, ShareRow } from './contract.ts'

export function shown({ password_hash, wrong_tries: _tries, wrong_since: _since, ...link }: ShareRow): DocumentLink {
  return { ...link, has_password: password_hash !== null }
}
