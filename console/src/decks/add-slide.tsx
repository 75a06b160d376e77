// A new slide: said in words, or put together from metrics and reports. Its figures are those of the moment of the deck.
import { Button, Group, Modal, MultiSelect, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { Failure } from '../parts/feedback.tsx'
import { BindingField } from './binding-field.tsx'
import { useMetrics } from './catalogue.ts'
import { CHARTS, SLIDE_KINDS } from './deck-words.ts'
import type { Binding, Deck } from './reading.ts'

type Input = Schemas['SlideInput']
type BlockInput = Schemas['SlideBlockInput']
type AddSlideProps = { deck: Deck; behind: number; on_added: (slide_id: string) => void }

export function AddSlide(props: AddSlideProps) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>Add a slide</Button>
      <Modal opened={opened} onClose={close} title="Add a slide" size="lg">
        {opened && <SlideFields {...props} on_added={(slide_id) => {
          close()
          props.on_added(slide_id)
        }} />}
      </Modal>
    </>
  )
}

function SlideFields({ deck, behind, on_added }: AddSlideProps) {
  const queries = useQueryClient()
  const metrics = useMetrics()
  const single = (metrics.data ?? []).filter(({ group_by }) => group_by.includes('none'))
  const [way, setWay] = useState('figures')
  const [kind, setKind] = useState<string>('metrics')
  const [title, setTitle] = useState('')
  const [prompt, setPrompt] = useState('')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [binding, setBinding] = useState<Binding | null>(null)
  const [chart, setChart] = useState('bar')
  const words: BlockInput = { kind: 'text', text: text.trim() === '' ? null : text }
  const blocks = (): BlockInput[] => {
    if (kind === 'metrics') return [...chosen.map((metric): BlockInput => ({ kind: 'metric', binding: { metric } })), words]
    if (kind === 'chart') return [{ kind: 'chart', chart: chart as NonNullable<BlockInput['chart']>, binding }, words]
    if (kind === 'table') return [{ kind: 'table', binding }, words]
    return text.trim() === '' ? [] : [words]
  }
  const add = useMutation({
    mutationFn: (body: Input) => dataOf(api.POST('/api/v1/ai-reporting/decks/{deck_id}/slides', { params: { path: { deck_id: deck.id } }, body })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['decks'] })
      on_added(id)
    },
  })
  const inWords = way === 'words'
  const hasFigures = kind === 'metrics' ? chosen.length > 0 : kind === 'chart' || kind === 'table' ? binding !== null : true
  const enough = title.trim() !== '' && (inWords ? prompt.trim() !== '' : hasFigures)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const place = { title: title.trim(), position: behind + 1 }
    add.mutate(inWords ? { ...place, kind: 'custom', prompt: prompt.trim() } : { ...place, kind: kind as Input['kind'], blocks: blocks() })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label="How it is made" value={way} onChange={setWay}
          data={[{ value: 'figures', label: 'Choose figures' }, { value: 'words', label: 'Say what it is about' }]}
        />
        <TextInput
          label="Title of the slide" required maxLength={200} data-autofocus value={title} onChange={({ currentTarget: { value } }) => setTitle(value)}
        />
        {inWords ? (
          <Textarea
            label="What it is about" description="Such as: which customers buy most, or how cash developed." required autosize minRows={3} maxLength={2000}
            value={prompt}
            onChange={({ currentTarget: { value } }) => setPrompt(value)}
          />
        ) : (
          <>
            <Select label="Kind of slide" allowDeselect={false} data={SLIDE_KINDS} value={kind} onChange={(value) => value && setKind(value)} />
            {kind === 'metrics' && (
              <MultiSelect
                label="Key figures" searchable maxValues={8} placeholder={chosen.length > 0 ? '' : 'Choose up to eight'} value={chosen} onChange={setChosen}
                data={single.map(({ metric, title: name }) => ({ value: metric, label: name }))}
              />
            )}
            {kind === 'chart' && (
              <Select label="How it is drawn" allowDeselect={false} data={CHARTS} value={chart} onChange={(value) => value && setChart(value)} />
            )}
            {(kind === 'chart' || kind === 'table') && <BindingField label="Figures" value={binding} on_change={setBinding} period={deck} />}
            {kind !== 'title' && (
              <Textarea
                label="Words" description={kind === 'narrative' ? undefined : 'Empty: the service writes them from the figures.'} autosize minRows={2}
                maxLength={10_000} value={text}
                onChange={({ currentTarget: { value } }) => setText(value)}
              />
            )}
          </>
        )}
        {add.isError && <Failure error={add.error} />}
        <Group><Button type="submit" loading={add.isPending} disabled={!enough}>Add the slide</Button></Group>
      </Stack>
    </form>
  )
}
