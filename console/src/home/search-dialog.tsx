// Looking for a record by name or number: completions while typing, what was opened last before that.
import { Box, Loader, Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { api, dataOf } from '../api.ts'
import { messageOf } from '../parts/feedback.tsx'
import { pageFor } from '../parts/addresses.ts'
import { useOpenRecord, type Found } from './open-record.ts'
import { shownTypes, typeName } from './search-types.ts'

type Choice = Found & { text: string }

const suggestions = async (q: string): Promise<Choice[]> => dataOf(api.GET('/api/v1/search/suggest', { params: { query: { q, type: shownTypes() } as never } }))
const recent = async (): Promise<Choice[]> =>
  (await dataOf(api.GET('/api/v1/search/recent'))).filter(({ path }) => pageFor(path) !== null).slice(0, 8).map(({ type, id, path, title, number }) => ({
    type, id, path, text: number && number !== title ? `${number} ${title}` : title,
  }))

export function SearchDialog({ on_close }: { on_close: () => void }) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [settled] = useDebouncedValue(typed.trim(), 150)
  const go = useNavigate()
  const openRecord = useOpenRecord()
  const searches = settled.length > 1
  const list = useQuery({
    queryKey: searches ? ['search', 'suggest', settled] : ['search', 'recent'], queryFn: () => (searches ? suggestions(settled) : recent()),
    placeholderData: keepPreviousData,
  })
  const choices = list.data ?? []
  const open = (place: number) => {
    const choice = choices[place]
    on_close()
    if (choice) return openRecord(choice)
    if (typed.trim().length > 1) void go({ to: '/search', search: { q: typed.trim() } as never })
  }
  const last = typed.trim().length > 1 ? choices.length : choices.length - 1
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return open(active)
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    setActive(Math.max(0, Math.min(last, active + by)))
  }
  return (
    <Modal opened onClose={on_close} title="Search" size="lg" yOffset="10vh" closeButtonProps={{ 'aria-label': 'Close the search' }}>
      <TextInput
        data-autofocus aria-label="Search for" placeholder="A name, number, amount, date or e-mail address" value={typed}
        rightSection={list.isFetching ? <Loader size="xs" /> : null}
        role="combobox" aria-expanded="true" aria-controls="search-choices"
        aria-activedescendant={last >= 0 ? `search-choice-${active}` : ''} autoComplete="off" onKeyDown={step}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          setActive(0)
        }}
      />
      {list.isError && <Text size="sm" c="red" mt="xs" role="alert">{messageOf(list.error)}</Text>}
      {choices.length > 0 && !searches && <Text size="xs" c="dimmed" mt="sm">Opened last</Text>}
      <Box id="search-choices" role="listbox" aria-label="Found" mt="xs">
        {choices.map(({ id, type, text }, place) => (
          <Option key={`${type}:${id}`} place={place} active={active === place} on_choose={open} text={text} kind={typeName(type)} />
        ))}
        {typed.trim().length > 1 && (
          <Option place={choices.length} active={active === choices.length} on_choose={open} text={`Search everything for “${typed.trim()}”`} kind="" />
        )}
      </Box>
      {choices.length === 0 && typed.trim().length < 2 && (
        <Text size="sm" c="dimmed" mt="xs">Type at least two letters. Customers, invoices, transactions, entries and more are found.</Text>
      )}
    </Modal>
  )
}

function Option({ place, active, on_choose, text, kind }: { place: number; active: boolean; on_choose: (place: number) => void; text: string; kind: string }) {
  return (
    <Box
      id={`search-choice-${place}`} role="option" aria-selected={active} className="row-link" p="xs" onClick={() => on_choose(place)}
      bg={active ? 'var(--mantine-color-default-hover)' : 'transparent'}
      style={{ display: 'flex', justifyContent: 'space-between', gap: 12, cursor: 'pointer', borderRadius: 6 }}
    >
      <Text size="sm" truncate>{text}</Text>
      <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>{kind}</Text>
    </Box>
  )
}
