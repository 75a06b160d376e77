// The box in the header (Ctrl+K): completes what is typed and opens the record, or leads to everything that was found.
import { ActionIcon, Button, Kbd, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useSession } from '../session.tsx'
import { SearchIcon } from './icons.tsx'

const SearchDialog = lazy(() => import('./search-dialog.tsx').then(({ SearchDialog: component }) => ({ default: component })))

export function SearchBox() {
  const [opened, { open, close }] = useDisclosure()
  const { business } = useSession()
  useHotkeys([['mod+K', open]], [])
  if (!business) return null
  return (
    <>
      <Button
        variant="default" visibleFrom="md" onClick={open} leftSection={<SearchIcon />} rightSection={<Kbd size="xs">Ctrl K</Kbd>}
      >
        <Text span inherit fw={400}>Search</Text>
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="md" onClick={open} aria-label="Search"><SearchIcon /></ActionIcon>
      {opened && <Suspense fallback={null}><SearchDialog on_close={close} /></Suspense>}
    </>
  )
}
