// Putting a notification off: to a usual time, or to a day.
import { Button, Divider, Popover, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'

function atNine(days: number): Date {
  const date = new Date()
  date.setDate(date.getDate() + days)
  date.setHours(9, 0, 0, 0)
  return date
}

const PRESETS: [string, () => Date][] = [
  ['For three hours', () => new Date(Date.now() + 3 * 3_600_000)],
  ['Until tomorrow morning', () => atNine(1)],
  ['For a week', () => atNine(7)],
  ['For a month', () => atNine(30)],
]

/** The day as an input of dates writes it, where the reader is. */
const written = (date: Date): string => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`

export function SnoozeMenu({ title, disabled, on_choose }: { title: string; disabled: boolean; on_choose: (until: string) => void }) {
  const [opened, setOpened] = useState(false)
  const [date, setDate] = useState('')
  const choose = (until: Date) => {
    setOpened(false)
    on_choose(until.toISOString())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (date) choose(new Date(`${date}T09:00:00`))
  }
  return (
    <Popover opened={opened} onChange={setOpened} width={230} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button size="compact-xs" variant="subtle" disabled={disabled} aria-label={`Snooze: ${title}`} onClick={() => setOpened(!opened)}>Snooze</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Snooze" p="xs">
        <Stack gap={2}>
          {PRESETS.map(([label, until]) => (
            <Button key={label} size="xs" variant="subtle" justify="flex-start" onClick={() => choose(until())}>{label}</Button>
          ))}
        </Stack>
        <Divider my="xs" />
        <form onSubmit={submit}>
          <TextInput
            type="date" label="Until the morning of" size="xs" min={written(atNine(1))} max={written(atNine(364))} value={date}
            onChange={({ currentTarget: { value } }) => setDate(value)}
          />
          <Button type="submit" size="xs" mt="xs" fullWidth disabled={!date}>Snooze until then</Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
