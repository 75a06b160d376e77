// What the business does, and the chart of accounts that goes with it.
import { Button, Group, Select, Switch, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Failure, say } from '../parts/feedback.tsx'
import { sessionQuery, useBusiness } from '../session.tsx'

type Industry = Schemas['ChartTemplateChoice']['industry']

export function IndustryForm() {
  const { id: business_id } = useBusiness()
  const queries = useQueryClient()
  const [industry, setIndustry] = useState<Industry | null>(null)
  const [takes, setTakes] = useState(true)
  const industries = useQuery({ queryKey: ['onboarding', 'industries'], queryFn: () => dataOf(api.GET('/api/v1/onboarding/industries')), staleTime: Infinity })
  const save = useMutation({
    mutationFn: async (chosen: Industry) => {
      if (takes) await dataOf(api.POST('/api/v1/onboarding/chart-template', { body: { industry: chosen } }))
      await dataOf(api.PUT('/api/v1/businesses/{business_id}', { params: { path: { business_id } }, body: { industry: chosen } }))
    },
    onSuccess: async () => {
      say(takes ? 'The industry is named, and its chart is taken.' : 'The industry is named.')
      await Promise.all(['onboarding', 'ledgers', sessionQuery.queryKey[0]].map((group) => queries.invalidateQueries({ queryKey: [group] })))
    },
  })
  if (industries.isError) return <Failure error={industries.error} again={() => void industries.refetch()} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (industry) save.mutate(industry)
  }
  const described = industries.data?.find(({ code }) => code === industry)?.description
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" mt="xs" gap="sm">
        <Select
          label="Industry" w={260} searchable data={industries.data?.map(({ code, name }) => ({ value: code, label: name })) ?? []} value={industry}
          onChange={(code) => setIndustry(code as Industry | null)}
        />
        <Switch mb={8} label="Take its chart of accounts" checked={takes} onChange={({ currentTarget: { checked } }) => setTakes(checked)} />
        <Button type="submit" disabled={industry === null} loading={save.isPending}>Save the industry</Button>
      </Group>
      {described && <Text size="sm" c="dimmed" mt={4}>{described}</Text>}
      {save.isError && <Failure error={save.error} />}
    </form>
  )
}
