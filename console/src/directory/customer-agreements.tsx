// What was agreed with a customer: contracts, recurring invoices and projects, where there are any.
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'
import { day } from '../format.ts'
import { Section, To } from '../parts/details.tsx'

const MOST = 20

export function CustomerAgreements({ customer_id }: { customer_id: string }) {
  const query = { customer_id, limit: MOST }
  const found = useQuery({
    queryKey: ['contracts', 'recurring and projects', customer_id],
    async queryFn() {
      const [contracts, templates, projects] = await Promise.all([
        dataOf(api.GET(
          '/api/v1/contracts', { params: { query } },
        )), dataOf(api.GET('/api/v1/recurring', { params: { query } })), dataOf(api.GET('/api/v1/projects', { params: { query } })),
      ])
      return [
        ...contracts.items.map(({ id, title, status }) => ({ id, path: '/contracts', name: title, words: `Contract, ${status}` })),
        ...templates.items.map(({ id, name, status, next_date }) => ({
          id, path: '/recurring', name, words: next_date ? `Recurring invoice, next on ${day(next_date)}` : `Recurring invoice, ${status}`,
        })),
        ...projects.items.map(({ id, name, status }) => ({ id, path: '/projects', name, words: `Project, ${status.replaceAll('_', ' ')}` })),
      ]
    },
  })
  if (!found.data || found.data.length === 0) return null
  return (
    <Section title="Agreements and projects">
      <Stack gap={4}>
        {found.data.map(({ id, path, name, words }) => (
          <div key={id}><To path={`${path}/${id}`}>{name}</To><Text span size="sm" c="dimmed"> {words}</Text></div>
        ))}
      </Stack>
    </Section>
  )
}
