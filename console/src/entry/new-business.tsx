// A new business: its name is enough, everything else has a sensible beginning.
import { Button, Paper, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useChooseBusiness } from '../session.tsx'
import { OwnInvitations } from './own-invitations.tsx'

export function NewBusiness() {
  const choose = useChooseBusiness()
  const go = useNavigate()
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', base_currency: 'USD', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone } })
  const create = useMutation({
    mutationFn: (body: typeof form.values) => dataOf(api.POST('/api/v1/businesses', { body: body as Schemas['BusinessInput'] })),
    onSuccess: async ({ id }) => {
      await choose(id)
      await go({ to: '/welcome' })
    },
  })
  return (
    <Page title="New business">
      <OwnInvitations />
      <Paper withBorder p="lg" maw={480}>
        <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
          <Stack>
            <TextInput label="Name" required autoFocus {...form.getInputProps('name')} />
            <Select label="Currency of the books" data={['USD', 'CAD', 'AUD', 'EUR', 'GBP']} allowDeselect={false} {...form.getInputProps('base_currency')} />
            <TextInput label="Time zone" required {...form.getInputProps('timezone')} />
            {create.isError && <Failure error={create.error} />}
            <Button type="submit" loading={create.isPending}>Create</Button>
          </Stack>
        </form>
      </Paper>
    </Page>
  )
}
