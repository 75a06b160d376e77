// Changing one slide: its title, its words, how figures are drawn and where they come from. Figures are not typed here.
import { Alert, Button, Group, Menu, Paper, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, ApiError, dataOf } from '../api.ts'
import { words } from '../format.ts'
import { Failure, say } from '../parts/feedback.tsx'
import { BindingField } from './binding-field.tsx'
import { authorOf } from './block-view.tsx'
import { CHARTS } from './deck-words.ts'
import { ifMatch, isOutdated, useHeardSlide, type Block, type Deck, type Slide } from './reading.ts'
import { changeOf, draftOf, isChanged, movedTo, type BlockDraft, type SlideDraft } from './slide-draft.ts'

type SlideFormProps = { deck: Deck; slide: Slide; draft: SlideDraft; on_draft: (draft: SlideDraft | null) => void }

export function SlideForm({ deck, slide, draft, on_draft }: SlideFormProps) {
  const queries = useQueryClient()
  const heard = useHeardSlide(deck.id)
  const { base, title, notes, blocks } = draft
  const changed = isChanged(draft)
  const newer = changed && slide.version !== base.version
  const save = useMutation({
    mutationFn: (wanted: SlideDraft) => dataOf(api.PATCH('/api/v1/ai-reporting/decks/{deck_id}/slides/{slide_id}', {
      params: { path: { deck_id: deck.id, slide_id: slide.id } }, body: changeOf(wanted), headers: ifMatch(wanted.base.version),
    })),
    onSuccess: (after) => {
      heard(after)
      on_draft(null)
      say('The slide was saved.')
    },
    onError: (error) => {
      if (isOutdated(error)) void queries.invalidateQueries({ queryKey: ['decks'] })
    },
  })
  const put = (changes: Partial<SlideDraft>) => on_draft({ ...draft, ...changes })
  const setBlock = (key: string, changes: Partial<BlockDraft>) => put({ blocks: blocks.map((block) => (block.key === key ? { ...block, ...changes } : block)) })
  const remove = ({ key, id }: BlockDraft) => put({ blocks: blocks.filter((block) => block.key !== key), removed: id ? [...draft.removed, id] : draft.removed })
  const add = (kind: Block['kind']) => put({
    blocks: [...blocks, {
      key: crypto.randomUUID(), id: null, kind, text: '', chart: kind === 'chart' ? 'bar' : null, binding: kind === 'text' ? null : { metric: 'revenue' },
    }],
  })
  const outdated = newer || (isOutdated(save.error) && changed)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(draft)
      }}
    >
      <Stack gap="sm">
        {outdated && (
          <Alert color="yellow" role="alert" title="Somebody else has changed this slide">
            <Stack gap="xs">
              <Text size="sm">What you typed is still here and not saved. The slide above is the newer one.</Text>
              <Differences draft={draft} newer={slide} />
              <Group gap="xs">
                <Button size="xs" disabled={!newer} loading={save.isPending} onClick={() => save.mutate(movedTo(draft, slide))}>Save mine over it</Button>
                <Button size="xs" variant="default" onClick={() => {
                  save.reset()
                  on_draft(null)
                }}>Take the newer one</Button>
              </Group>
            </Stack>
          </Alert>
        )}
        <TextInput label="Title of the slide" required maxLength={200} value={title} onChange={({ currentTarget: { value } }) => put({ title: value })} />
        {blocks.map((block, place) => (
          <BlockFields
            key={block.key} block={block} shown={slide.blocks.find(({ id }) => id === block.id)} name={`${words(block.kind)} ${place + 1}`} deck={deck}
            problem={problemAt(save.error, changeOf(draft).blocks?.findIndex(({ id }) => id !== undefined && id === block.id) ?? -1)}
            on_change={(changes) => setBlock(block.key, changes)} remove={() => remove(block)}
          />
        ))}
        <Group>
          <Menu>
            <Menu.Target><Button size="xs" variant="default">Add to the slide</Button></Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => add('metric')}>A key figure</Menu.Item>
              <Menu.Item onClick={() => add('chart')}>A chart</Menu.Item>
              <Menu.Item onClick={() => add('table')}>A table</Menu.Item>
              <Menu.Item onClick={() => add('text')}>A text</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
        <Textarea
          label="Notes for the speaker" autosize minRows={2} maxLength={10_000} value={notes}
          onChange={({ currentTarget: { value } }) => put({ notes: value })}
        />
        {save.isError && !isOutdated(save.error) && <Failure error={save.error} />}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending} disabled={!changed || outdated || title.trim() === ''}>Save the slide</Button>
          <Button variant="default" disabled={!changed} onClick={() => {
            save.reset()
            on_draft(null)
          }}>Undo</Button>
          {changed && <Text size="sm" c="dimmed" role="status">Not saved yet</Text>}
        </Group>
      </Stack>
    </form>
  )
}

function problemAt(error: unknown, index: number): string | undefined {
  if (!(error instanceof ApiError) || index < 0) return undefined
  return error.problems.find(({ loc }) => loc[1] === 'blocks' && loc[2] === index)?.msg
}

/** What the newer one says where somebody typed something else. */
function Differences({ draft, newer }: { draft: SlideDraft; newer: Slide }) {
  const fresh = draftOf(newer)
  const said = [
    ...(draft.title !== draft.base.title ? [['Title', fresh.title] as const] : []),
    ...(draft.notes !== (draft.base.speaker_notes ?? '') ? [['Notes', fresh.notes] as const] : []),
    ...fresh.blocks.flatMap((block) => {
      const mine = draft.blocks.find(({ id }) => id === block.id)
      const before = draft.base.blocks.find(({ id }) => id === block.id)
      return mine && block.kind === 'text' && mine.text !== (before?.text ?? '') ? [['Text', block.text] as const] : []
    }),
  ]
  return <>{said.map(([name, text], place) => <Text key={place} size="sm" style={{ whiteSpace: 'pre-line' }}><b>{name} now:</b> {text || '(empty)'}</Text>)}</>
}

type BlockFieldsProps = {
  block: BlockDraft
  /** As it is saved. */
  shown: Block | undefined
  name: string
  deck: Deck
  problem: string | undefined
  on_change: (changes: Partial<BlockDraft>) => void
  remove: () => void
}

function BlockFields({ block: { kind, text, chart, binding }, shown, name, deck, problem, on_change, remove }: BlockFieldsProps) {
  return (
    <Paper withBorder p="sm" component="fieldset" m={0}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600} component="legend" p={0} style={{ float: 'inline-start' }}>{name}</Text>
        <Button size="compact-xs" variant="subtle" color="red" onClick={remove} aria-label={`Remove ${name}`}>Remove</Button>
      </Group>
      <Stack gap="xs">
        {kind === 'text' && (
          <Textarea
            label={`Words of ${name}`} autosize minRows={3} maxLength={10_000} value={text} error={problem}
            onChange={({ currentTarget: { value } }) => on_change({ text: value })}
            description={shown?.text ? authorOf(shown) : 'Empty: the service writes it from the figures of the slide.'}
          />
        )}
        {kind === 'chart' && (
          <Select
            label={`How ${name} is drawn`} allowDeselect={false} data={CHARTS} value={chart ?? 'bar'}
            onChange={(value) => on_change({ chart: value as BlockDraft['chart'] })}
          />
        )}
        {kind !== 'text' && kind !== 'image' && (
          <BindingField
            label={`Figures of ${name}`} value={binding} period={deck} metrics_only={kind === 'metric'} error={problem}
            on_change={(value) => on_change({ binding: value })}
          />
        )}
      </Stack>
    </Paper>
  )
}
