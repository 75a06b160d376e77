// What a role plainly may or may not do in the settings; the API decides.
import { useSession } from '../session.tsx'

export const ROLE_WORDS: Record<string, string> = {
  owner: 'Everything, also handing the business over and deleting it.',
  admin: 'Everything but what only the owner may do.',
  accountant: 'The books, corrections, periods and settings; not people or the plan.',
  bookkeeper: 'Daily work: invoices, payments, entries.',
  approver: 'Reads, approves and rejects.',
  viewer: 'Reads only.',
}

export const ROLE_CHOICES = Object.keys(ROLE_WORDS).map((value) => ({ value, label: value.replace(/^./, (first) => first.toUpperCase()) }))

function useRole(roles: readonly string[]): boolean {
  const role = useSession().membership?.role
  return role !== undefined && roles.includes(role)
}

export const useIsAdmin = (): boolean => useRole(['owner', 'admin'])
export const useIsAccountant = (): boolean => useRole(['owner', 'admin', 'accountant'])
