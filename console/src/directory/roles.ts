// Who may do what here, as far as the role plainly says it; the API decides.
import { mayCorrect, mayWrite } from '../sales/invoice-actions.ts'
import { useSession } from '../session.tsx'

export const useMayWrite = (): boolean => mayWrite(useSession().membership?.role)
export const useMayCorrect = (): boolean => mayCorrect(useSession().membership?.role)
