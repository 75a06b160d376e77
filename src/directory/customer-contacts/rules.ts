// How contacts are kept.
import { invalid } from '../../foundation/refusal.ts'
import { MAIL_KINDS, type CustomerContact, type CustomerContactInput, type CustomerContactUpdate } from './contract.ts'

export function tidy<Fields extends CustomerContactInput | CustomerContactUpdate>(fields: Fields): Fields {
  const { name, receives } = fields
  return {
    ...fields,
    ...(name && { name: name.trim().replaceAll(/\s+/g, ' ') }),
    ...(receives && { receives: MAIL_KINDS.filter((kind) => receives.includes(kind)) }),
  }
}

export function requireAddress({ name, email, receives }: Pick<CustomerContact, 'name' | 'email' | 'receives'>): void {
  if (receives.length === 0 || email !== null) return
  throw invalid(`${name} has no e-mail address and cannot receive ${receives.join(', ')}: give an email, or leave receives empty.`)
}
