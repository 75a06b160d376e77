// Who may change which member, and that a business never loses its last owner.
import { forbidden, invalid } from '../../foundation/refusal.ts'

type Person = { user_id: string; role: string; status: string; source: string }

/** Only an owner makes or unmakes an owner. */
export function requireRank(actor: Person, member: Person, role: string = member.role): void {
  if (actor.role !== 'owner' && (member.role === 'owner' || role === 'owner')) throw forbidden('Only an owner makes, changes or removes an owner.')
}

export function requireDirect(member: Person): void {
  if (member.source === 'firm') throw invalid('This member is here through a firm: make the change in the firm.')
}

export function requireSomebodyElse(actor: Person, member: Person): void {
  if (actor.user_id === member.user_id) throw invalid('You cannot suspend yourself: ask another admin, or leave the business.')
}

/** `people` are all owners, locked: no other transaction can take one away meanwhile. */
export function requireAnotherOwner(people: readonly Person[], member: Person): void {
  const others = people.filter((person) => person.role === 'owner' && person.status === 'active' && person.user_id !== member.user_id)
  if (member.role === 'owner' && others.length === 0) throw invalid('A business always has an active owner: make another member an owner first.')
}

export function requireSuccessor(actor: Person, member: Person): void {
  if (actor.user_id === member.user_id) throw invalid('The business is yours already: name another member.')
  if (member.status !== 'active') throw invalid('This member is suspended: reactivate them first.')
}
