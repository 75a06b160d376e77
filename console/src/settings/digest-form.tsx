// When the digest comes, and when no mail does.
import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { useSaved } from '../parts/saved.ts'

type Frequency = Schemas['NotificationDigest']['frequency']
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, value) => ({ value: String(value), label }))
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${String(hour).padStart(2, '0')}:00` }))

export function DigestForm({ preferences: { digest, quiet_hours, timezone } }: { preferences: Schemas['NotificationPreferences'] }) {
  const saved = useSaved(['notification-preferences'])
  const [frequency, setFrequency] = useState<Frequency>(digest.frequency)
  const [hour, setHour] = useState(String(digest.hour))
  const [weekday, setWeekday] = useState(String(digest.weekday))
  const [quiet, setQuiet] = useState(quiet_hours !== null)
  const [from, setFrom] = useState(quiet_hours?.from ?? '22:00')
  const [to, setTo] = useState(quiet_hours?.to ?? '07:00')
  const [zone, setZone] = useState(timezone.value)
  const save = useMutation({
    mutationFn: () => dataOf(api.PUT('/api/v1/notification-preferences/digest', {
      body: {
        digest: { frequency, hour: Number(hour), weekday: Number(weekday) }, quiet_hours: quiet ? { from, to } : null,
        ...(zone.trim() === timezone.value ? {} : { timezone: zone.trim() || null }),
      },
    })),
    onSuccess: () => saved('The digest and quiet hours were saved.'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={640}>
        <Group align="flex-end">
          <Select
            label="Digest" w={150} allowDeselect={false} value={frequency} onChange={(value) => value && setFrequency(value)}
            data={[{ value: 'off', label: 'None' }, { value: 'daily', label: 'Every day' }, { value: 'weekly', label: 'Every week' }]}
          />
          {frequency === 'weekly' && (
            <Select
              label="On" w={150} allowDeselect={false} value={weekday} onChange={(value) => value && setWeekday(value)} data={WEEKDAYS}
            />
          )}
          {frequency !== 'off' && <Select label="At" w={110} allowDeselect={false} value={hour} onChange={(value) => value && setHour(value)} data={HOURS} />}
        </Group>
        <Switch label="Quiet hours" description="Mail waits until they end." checked={quiet} onChange={({ currentTarget: { checked } }) => setQuiet(checked)} />
        {quiet && (
          <Group>
            <TextInput type="time" label="From" value={from} onChange={({ currentTarget: { value } }) => setFrom(value)} />
            <TextInput type="time" label="To" value={to} onChange={({ currentTarget: { value } }) => setTo(value)} />
          </Group>
        )}
        <TextInput
          label="Time zone"
          description={timezone.source === 'set' ? 'Empty: that of your profile.' : 'That of your profile, unless you write another.'} maw={280}
          value={zone} onChange={({ currentTarget: { value } }) => setZone(value)}
        />
        {save.isError && <Failure error={save.error} />}
        <Group><Button type="submit" loading={save.isPending}>Save</Button></Group>
      </Stack>
    </form>
  )
}
