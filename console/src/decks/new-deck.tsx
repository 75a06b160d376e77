// A new deck: what kind, which period, compared with what, for whom. It is made at once from the books as they are.
import { Button, Group, Radio, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { todayIn } from '../home/dates.ts'
import { BASES, COMPARISONS, periodPresets, TEMPLATES } from './deck-words.ts'

type Input = Schemas['DeckInput']
const OTHER = 'other'

export function NewDeckPage() {
  const go = useNavigate()
  const queries = useQueryClient()
  const { timezone } = useBusiness()
  const [presets] = useState(() => periodPresets(todayIn(timezone)))
  const [preset, setPreset] = useState('last_month')
  const [template, setTemplate] = useState<string>('monthly_review')
  const [period, setPeriod] = useState<{ period_start: string | null; period_end: string | null }>(() => (presets[0] as (typeof presets)[number]).period)
  const [typed, setTyped] = useState({ title: '', audience: '', instructions: '' })
  const [comparison, setComparison] = useState('prior_period')
  const [basis, setBasis] = useState<string | null>(null)
  const type = (name: keyof typeof typed) => ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
    setTyped((before) => ({ ...before, [name]: value }))
  const make = useMutation({
    mutationFn: (body: Input) => dataOf(api.POST('/api/v1/ai-reporting/decks', { body })),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['decks'] })
      void go({ to: `/decks/${id}` })
    },
  })
  const choose = (name: string | null) => {
    setPreset(name ?? OTHER)
    const found = presets.find((each) => each.name === name)
    if (found) setPeriod(found.period)
  }
  const { period_start, period_end } = period
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!period_start || !period_end) return
    const words = Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.trim()]).filter(([, text]) => text !== ''))
    make.mutate({
      template: template as Input['template'], period_start, period_end, comparison: comparison as NonNullable<Input['comparison']>,
      ...(basis ? { basis: basis as NonNullable<Input['basis']> } : {}), ...words,
    })
  }
  return (
    <Page title="New deck">
      <form onSubmit={submit}>
        <Stack maw={860}>
          <Radio.Group label="What it is for" value={template} onChange={setTemplate}>
            <SimpleGrid cols={{ base: 1, sm: 2 }} mt={6} spacing="xs">
              {TEMPLATES.map(({ value, label, says }) => <Radio key={value} value={value} label={label} description={says} />)}
            </SimpleGrid>
          </Radio.Group>
          <Group align="flex-end" gap="sm">
            <Select
              label="Period" w={200} allowDeselect={false} value={preset} onChange={choose}
              data={[...presets.map(({ name, label }) => ({ value: name, label })), { value: OTHER, label: 'Other dates' }]}
            />
            <DayField label="From" required value={period_start} on_change={(date) => {
              setPreset(OTHER)
              setPeriod({ ...period, period_start: date })
            }} />
            <DayField label="To" required value={period_end} on_change={(date) => {
              setPreset(OTHER)
              setPeriod({ ...period, period_end: date })
            }} />
          </Group>
          <Group gap="sm">
            <Select
              label="Compared with" w={200} allowDeselect={false} data={COMPARISONS} value={comparison} onChange={(value) => value && setComparison(value)}
            />
            <Select label="Basis" w={200} placeholder="As the business has it" clearable data={BASES} value={basis} onChange={setBasis} />
          </Group>
          <TextInput label="Title" description="Empty: it is named after its kind and period." maxLength={200} value={typed.title} onChange={type('title')} />
          <TextInput
            label="Audience" description="Whom the words are for, such as the board or the bank." maxLength={200} value={typed.audience}
            onChange={type('audience')}
          />
          <Textarea
            label="Instructions" description="What the words should dwell on. Figures do not follow it: they come from the books." autosize minRows={3}
            maxLength={4000}
            value={typed.instructions} onChange={type('instructions')}
          />
          {make.isError && <Failure error={make.error} />}
          <Group gap="xs">
            <Button type="submit" loading={make.isPending} disabled={!period_start || !period_end}>Make the deck</Button>
            <Button variant="default" onClick={() => void go({ to: '/decks' })}>Cancel</Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
