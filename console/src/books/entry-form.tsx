// The form of an entry: its lines with the difference as it runs, posted at once or kept as a draft. A refusal leaves everything as it was typed.
import { Alert, Button, Checkbox, Group, Kbd, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ApiError, dataOf } from '../api.ts'
import { money, typed } from '../format.ts'
import { messageOf } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { useBusiness } from '../session.tsx'
import { emptyLine, inputOf, isBlank, placed, problemsOf, totalsOf, written, type Draft, type DraftLine } from './entry-draft.ts'
import { EntryFormLine } from './entry-form-line.tsx'
import style from './entry-form.module.css'

const CURRENCIES = ['USD', 'CAD', 'AUD', 'EUR', 'GBP']
export type Save = (draft: Draft, how: { post: boolean; override_reason: string }) => Promise<void>

export function EntryForm({ start, save }: { start: Draft; save: Save }) {
  const { base_currency } = useBusiness()
  const [draft, setDraft] = useState(start)
  const [refused, setRefused] = useState<{ by_place: Record<string, string>; override: boolean } | null>(null)
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState<'post' | 'keep' | null>(null)
  const preview = usePreview(draft, base_currency)
  const { debit, credit, difference } = totalsOf(draft)

  const change = (changed: Partial<Draft>) => {
    setRefused(null)
    setDraft({ ...draft, ...changed })
  }
  const changeLine = (key: string, changed: Partial<DraftLine>) => {
    const lines = draft.lines.map((line) => (line.key === key ? { ...line, ...changed } : line))
    change({ lines: lines.every((line) => !isBlank(line)) ? [...lines, emptyLine()] : lines })
  }
  const submit = async (post: boolean) => {
    if (busy) return
    const problems = problemsOf(draft)
    if (Object.keys(problems).length > 0) return setRefused({ by_place: problems, override: false })
    if (written(draft).length < 2) return setRefused({ by_place: { '': 'An entry needs at least two lines.' }, override: false })
    setBusy(post ? 'post' : 'keep')
    try {
      await save(draft, { post, override_reason: reason })
    } catch (error) {
      setRefused({ by_place: placed(sentencesOf(error), draft), override: /x-override-reason/.test(messageOf(error)) })
    } finally {
      setBusy(null)
    }
  }
  useHotkeys([['mod+Enter', () => void submit(true)]], [])
  const by_place = refused?.by_place ?? preview
  return (
    <Stack>
      <Group align="flex-end" gap="sm">
        <DayField label="Date" required value={draft.date} on_change={(date) => change({ date })} />
        <TextInput
          label="Memo" placeholder="What this entry is for" style={{ flex: '1 1 240px' }} value={draft.memo}
          onChange={({ currentTarget }) => change({ memo: currentTarget.value })}
        />
        <Select
          label="Currency" w={100} allowDeselect={false} data={CURRENCIES} value={draft.currency}
          onChange={(currency) => change({ currency: currency ?? base_currency })}
        />
        {draft.currency !== base_currency && (
          <TextInput
            label={`${base_currency} for 1 ${draft.currency}`} placeholder="Rate of the day" w={150} inputMode="decimal" value={draft.rate}
            onChange={({ currentTarget }) => change({ rate: currentTarget.value })}
          />
        )}
      </Group>
      <Paper withBorder p="sm">
        <Stack gap="xs">
          <div className={`${style['line']} ${style['head']}`} aria-hidden="true">
            <span>Ledger</span>
            <span>Memo</span>
            <span className="figures">Debit</span>
            <span className="figures">Credit</span>
            <span />
          </div>
          {draft.lines.map((line, index) => (
            <EntryFormLine
              key={line.key} line={line} place={index + 1} problem={by_place[line.key]} change={(changed) => changeLine(line.key, changed)}
              remove={() => change({ lines: without(draft.lines, line.key) })}
            />
          ))}
          <Group justify="space-between">
            <Button variant="subtle" size="xs" onClick={() => change({ lines: [...draft.lines, emptyLine()] })}>Add a line</Button>
            <Difference
              debit={debit} credit={credit} difference={difference} currency={draft.currency}
              fill={() => change({ lines: filled(draft.lines, difference) })}
            />
          </Group>
        </Stack>
      </Paper>
      <Group align="flex-end">
        <Checkbox
          label="Adjusting entry" mb={8} checked={draft.is_adjusting}
          onChange={({ currentTarget }) => change({ is_adjusting: currentTarget.checked })}
        />
        <DayField label="Reverse itself on" value={draft.auto_reverse_on} on_change={(auto_reverse_on) => change({ auto_reverse_on })} width={170} />
      </Group>
      {by_place[''] && (
        <Alert color={refused ? 'red' : 'yellow'} role="alert" title={refused ? 'This did not work' : 'It cannot be posted like this'}>
          {by_place['']}
        </Alert>
      )}
      {(refused?.override || reason !== '') && (
        <TextInput
          label="Why it is posted into a softly closed period" description="It is kept in the history of the entry." value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      )}
      <Group>
        <Button
          onClick={() => void submit(true)} loading={busy === 'post'}
          rightSection={<Kbd size="xs" visibleFrom="sm" aria-hidden="true">Ctrl+Enter</Kbd>}
        >
          Post
        </Button>
        <Button variant="default" onClick={() => void submit(false)} loading={busy === 'keep'}>Keep as a draft</Button>
      </Group>
    </Stack>
  )
}

/** What stands in the way of posting, as far as what is typed is complete; nothing is written. */
function usePreview(draft: Draft, base: string): Record<string, string> {
  const [settled] = useDebouncedValue(draft, 600)
  const complete = settled.date !== null && written(settled).length > 1 && Object.keys(problemsOf(settled)).length === 0 && totalsOf(settled).difference === 0
  const input = inputOf(settled, base)
  const { data } = useQuery({
    queryKey: ['journal-entries', 'preview', input], queryFn: () => dataOf(api.POST('/api/v1/journal-entries/preview', { body: input })),
    enabled: complete, placeholderData: keepPreviousData, staleTime: 5_000,
  })
  return complete && settled === draft && data ? placed(data.refusals, draft) : {}
}

/** At least two lines stay: the last ones are emptied instead. */
const without = (lines: DraftLine[], key: string): DraftLine[] =>
  (lines.length > 2 ? lines.filter((line) => line.key !== key) : lines.map((line) => (line.key === key ? emptyLine() : line)))

/** Shapes that are wrong name their place as a path, sentences as "line 2". */
function sentencesOf(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.problems.length === 0) return [messageOf(error)]
  return error.problems.map(({ loc, msg }) => {
    const [, group, place] = loc
    return group === 'lines' && typeof place === 'number' ? `${msg} (${loc.slice(3).join(' ')} of line ${place + 1})` : `${loc.slice(1).join(' ')}: ${msg}`
  })
}

/** The difference on the first line that has a ledger but no amount, or else on the first empty one. */
function filled(lines: DraftLine[], difference: number): DraftLine[] {
  const free = lines.filter(({ debit, credit }) => debit.trim() === '' && credit.trim() === '')
  const at = (free.find(({ ledger_id }) => ledger_id !== null) ?? free[0])?.key
  const amount = typed(Math.abs(difference))
  return lines.map((line) => (line.key === at ? { ...line, ...(difference > 0 ? { credit: amount } : { debit: amount }) } : line))
}

function Difference({ debit, credit, difference, currency, fill }: { debit: number; credit: number; difference: number; currency: string; fill: () => void }) {
  return (
    <Group gap="md" aria-live="polite">
      <Text size="sm" className="figures">Debit {money(debit, currency)}</Text>
      <Text size="sm" className="figures">Credit {money(credit, currency)}</Text>
      <Text size="sm" fw={600} className="figures" c={difference === 0 ? 'inherit' : 'red'}>
        {difference === 0 ? (debit === 0 ? '' : 'Balanced') : `${money(Math.abs(difference), currency)} ${difference > 0 ? 'credit' : 'debit'} missing`}
      </Text>
      {difference !== 0 && <Button size="compact-xs" variant="default" onClick={fill}>Fill in the difference</Button>}
    </Group>
  )
}
