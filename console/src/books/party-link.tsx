// The customer or project of a line, by name, leading to its page.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'

export function CustomerLink({ customer_id }: { customer_id: string }) {
  const { data } = useQuery({
    queryKey: ['customers', customer_id],
    queryFn: () => dataOf(api.GET('/api/v1/customers/{customer_id}', { params: { path: { customer_id } } })),
  })
  return <Anchor component={Link} to={`/customers/${customer_id}`} size="sm" mr="sm">{data?.name ?? 'Customer'}</Anchor>
}

export function ProjectLink({ project_id }: { project_id: string }) {
  const { data } = useQuery({
    queryKey: ['projects', project_id],
    queryFn: () => dataOf(api.GET('/api/v1/projects/{project_id}', { params: { path: { project_id } } })),
  })
  return <Anchor component={Link} to={`/projects/${project_id}`} size="sm" mr="sm">{data?.name ?? 'Project'}</Anchor>
}
