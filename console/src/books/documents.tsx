// From a line to the document it comes from, where the console has a page for it.
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { words } from '../format.ts'

const PAGES: Record<string, string> = { invoice: '/invoices', invoice_write_off: '/invoices', credit_memo: '/credit-memos' }

function documentPath(source_type: string, source_id: string | null): string | null {
  const page = PAGES[source_type]
  return page && source_id !== null ? `${page}/${source_id}` : null
}

export function DocumentLink({ source_type, source_id, children }: { source_type: string; source_id: string | null; children?: ReactNode }) {
  const path = documentPath(source_type, source_id)
  const label = children ?? words(source_type)
  return path ? <Anchor component={Link} to={path} size="sm">{label}</Anchor> : <Text span size="sm">{label}</Text>
}
