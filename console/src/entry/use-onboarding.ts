// The set-up of the business: read, and changed so that every page sees it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { sayFailed } from '../parts/feedback.tsx'
import { useBusiness } from '../session.tsx'

export type Onboarding = Schemas['Onboarding']
export type Step = Schemas['OnboardingStep']
export type StepName = Step['step']
export type Answers = Partial<Onboarding['answers']>
export type Change = { answers: Answers } | { step: StepName; action: 'complete' | 'skip' | 'reopen' } | { end: 'finish' | 'dismiss' }

export const useOnboarding = (enabled = true) => {
  const { id } = useBusiness()
  return useQuery({ queryKey: ['onboarding', id], queryFn: () => dataOf(api.GET('/api/v1/onboarding')), enabled })
}

function write(change: Change): Promise<Onboarding> {
  if ('answers' in change) return dataOf(api.PUT('/api/v1/onboarding', { body: { answers: change.answers } }))
  if ('end' in change) return dataOf(api.PUT(`/api/v1/onboarding/${change.end}`))
  return dataOf(api.PUT(`/api/v1/onboarding/steps/{step}/${change.action}`, { params: { path: { step: change.step } } }))
}

export const useOnboardingChange = () => {
  const { id } = useBusiness()
  const queries = useQueryClient()
  return useMutation({ mutationFn: write, onSuccess: (onboarding) => queries.setQueryData(['onboarding', id], onboarding), onError: sayFailed })
}
