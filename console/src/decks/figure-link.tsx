// A figure that leads to its lines or to its report, as they were known at the same moment.
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { linkOf, pageFor } from '../parts/addresses.ts'
import type { Figure } from './reading.ts'

/** `shown`: without its currency, where that is said elsewhere. */
type FigureLinkProps = { figure: Figure; shown?: string | undefined }

export function FigureLink({ figure: { label, column_label, formatted, href, reason }, shown = formatted }: FigureLinkProps) {
  const page = pageFor(href)
  const look = { inherit: true, ...(reason ? { title: reason } : {}) }
  if (!page) return <Text span {...look}>{shown}</Text>
  return (
    <Anchor
      component={Link} {...linkOf(page) as object} {...look} c="inherit" underline="hover"
      aria-label={`${label}, ${column_label}: ${formatted}, see where it comes from`}
    >
      {shown}
    </Anchor>
  )
}
