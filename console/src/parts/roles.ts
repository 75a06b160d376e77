// Who may do what, as far as the role plainly says it; the API decides.
import { useSession } from '../session.tsx'

export const mayCorrect = (role: string | undefined): boolean => role === 'owner' || role === 'admin' || role === 'accountant'
export const mayWrite = (role: string | undefined): boolean => mayCorrect(role) || role === 'bookkeeper'
/** Approvers too: documents and tasks. */
export const mayDecide = (role: string | undefined): boolean => mayWrite(role) || role === 'approver'

export const useMayWrite = (): boolean => mayWrite(useSession().membership?.role)
export const useMayCorrect = (): boolean => mayCorrect(useSession().membership?.role)
export const useMayDecide = (): boolean => mayDecide(useSession().membership?.role)
