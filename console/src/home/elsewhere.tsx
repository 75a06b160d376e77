// An address that is no page: it leads to the page that shows the same, or says that there is none.
import { Button } from '@mantine/core'
import { defaultStringifySearch, Link, Navigate, useMatch } from '@tanstack/react-router'
import { Empty } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { linkOf, pageFor } from '../parts/addresses.ts'

export function Elsewhere() {
  const { pathname, search } = useMatch({ strict: false })
  const page = pageFor(`${pathname}${defaultStringifySearch(search as Record<string, unknown>)}`)
  if (page !== null && page.split('?')[0] !== pathname) return <Navigate {...linkOf(page)} replace />
  return (
    <Page title="There is no such page">
      <Empty title="Nothing is here" action={<Button component={Link} to="/">Go home</Button>}>
        The address may be mistyped, or it names something that the console has no page for.
      </Empty>
    </Page>
  )
}
