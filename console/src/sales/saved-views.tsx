// Views: choices of the list that somebody keeps under a name, per business, in this browser.
import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { useBusiness } from '../session.tsx'
import type { InvoiceFilter } from './invoice-filters.tsx'

type Views = Record<string, InvoiceFilter>

const GIVEN: Views = {
  'Drafts': { status: ['draft'] },
  'To be paid': { status: ['open', 'partially_paid'], sort_by: 'due_date', descending: false },
  'Overdue': { overdue: true, sort_by: 'due_date', descending: false },
}

export function SavedViews({ filter, on_open }: { filter: InvoiceFilter; on_open: (filter: InvoiceFilter) => void }) {
  const { id } = useBusiness()
  const [views, setViews] = useLocalStorage<Views>({ key: `daybook.views.invoices.${id}`, defaultValue: {}, getInitialValueInEffect: false })
  const [naming, { open, close }] = useDisclosure()
  const [name, setName] = useState('')
  const same = (view: InvoiceFilter) => JSON.stringify(Object.entries(view).toSorted()) === JSON.stringify(Object.entries(filter).toSorted())
  const current = Object.entries({ ...GIVEN, ...views }).find(([, view]) => same(view))?.[0]
  const keep = () => {
    setViews({ ...views, [name.trim()]: filter })
    close()
  }
  const forget = (gone: string) => setViews(Object.fromEntries(Object.entries(views).filter(([kept]) => kept !== gone)))
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target><Button variant="default">{current ? `View: ${current}` : 'Views'}</Button></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => on_open({})}>All invoices</Menu.Item>
          {Object.entries(GIVEN).map(([title, view]) => <Menu.Item key={title} onClick={() => on_open(view)}>{title}</Menu.Item>)}
          {Object.keys(views).length > 0 && <Menu.Label>Yours</Menu.Label>}
          {Object.entries(views).map(([title, view]) => <Menu.Item key={title} onClick={() => on_open(view)}>{title}</Menu.Item>)}
          <Menu.Divider />
          <Menu.Item onClick={open}>Keep or remove views</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={close} title="Your views">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            keep()
          }}
        >
          <Group align="flex-end" wrap="nowrap">
            <TextInput
              flex={1} label="Keep what is listed now as" required maxLength={60} value={name} onChange={({ currentTarget: { value } }) => setName(value)}
              data-autofocus
            />
            <Button type="submit" disabled={!name.trim()}>Keep view</Button>
          </Group>
        </form>
        {Object.keys(views).map((title) => (
          <Group key={title} justify="space-between" mt="sm" wrap="nowrap">
            <span>{title}</span>
            <ActionIcon variant="subtle" color="red" aria-label={`Remove the view ${title}`} onClick={() => forget(title)}>✕</ActionIcon>
          </Group>
        ))}
      </Modal>
    </>
  )
}
