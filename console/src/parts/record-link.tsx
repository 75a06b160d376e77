// A record that something else points at: its kind and its name, leading to its page.
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { contentOf } from '../api.ts'
import { recordName, recordPage, recordSource } from './records.ts'

type RecordLinkProps = {
  type: string
  id: string
  /** Its kind alone, in long lists. */
  brief?: boolean
}

async function readTitle({ path, title }: { path: string; title: string }, id: string): Promise<string> {
  const { data } = JSON.parse(await (await contentOf(`${path}${id}`)).text()) as { data: Record<string, unknown> }
  return String(data[title] ?? '')
}

export function RecordLink({ type, id, brief = false }: RecordLinkProps) {
  const source = recordSource(type)
  const title = useQuery({
    queryKey: ['record-titles', type, id], queryFn: () => (source ? readTitle(source, id) : ''), enabled: !brief && source !== null,
    staleTime: 60_000, retry: false,
  })
  const label = title.data ? `${recordName(type)} ${title.data}` : recordName(type)
  const page = recordPage(type, id)
  if (!page) return <Text span size="sm">{label}</Text>
  return (
    <Anchor
      component={Link} to={page.to} search={page.search as never} size="sm" onClick={(event) => event.stopPropagation()} {...(brief ? { tabIndex: -1 } : {})}
    >
      {label}
    </Anchor>
  )
}
