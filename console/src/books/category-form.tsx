// Says what a bank transaction was for, in one line or several that make up the whole. What the service refuses stays typed.
import { Alert, Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { day, money, typed } from '../format.ts'
import { Failure } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { categorize, nameOf, waitingLike, type Always } from './categorizing.ts'
import { mistakesIn, newLine, remaining, startOf, toSplit, type CategoryLine as Line } from './category-draft.ts'
import { CategoryLine } from './category-line.tsx'
import type { Transaction } from './transaction-status.tsx'

type CategoryFormProps = { transaction: Transaction; on_done: (done: Transaction) => void; cancel: () => void }

export function CategoryForm({ transaction, on_done, cancel }: CategoryFormProps) {
  const { currency, amount, counterparty, datetime } = transaction
  const whole = toSplit(transaction)
  const shown = (cents: number) => money(cents, currency)
  const [lines, setLines] = useState(() => startOf(transaction))
  const [posting_date, setPosting] = useState<string | null>(null)
  const [always, setAlways] = useState<Always>('no')
  const [also_waiting, setAlso] = useState(false)
  const [tried, setTried] = useState(false)
  const mistakes = mistakesIn(lines, whole, shown)
  const several = lines.length > 1
  const { data: waiting = [] } = useQuery({
    queryKey: ['transactions', transaction.id, 'others'], queryFn: () => waitingLike(transaction),
    enabled: counterparty !== null && transaction.kind === 'bank',
  })
  const save = useMutation({
    mutationFn: () => categorize(transaction, { lines, posting_date, always: several ? 'no' : always, others: !several && also_waiting ? waiting : [] }),
    onSuccess: on_done,
  })
  const change = (key: number, changed: Partial<Line>) => setLines(lines.map((line) => (line.key === key ? { ...line, ...changed } : line)))
  /** The first line gets the whole, each new one what is left. */
  const split = () => {
    const [first, ...others] = lines
    const begun = several || !first ? lines : [{ ...first, amount: first.amount || typed(whole) }, ...others]
    const rest = remaining(begun, whole)
    setLines([...begun, newLine({ customer_id: transaction.customer_id, amount: several && rest ? typed(rest) : '' })])
  }
  const remove = (key: number) => setLines(lines.filter((line) => line.key !== key))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (mistakes.size === 0 && !save.isPending) save.mutate()
  }
  const key = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
  }
  return (
    <form onSubmit={submit} onKeyDown={key} noValidate>
      <Stack>
        <Text size="sm">
          {nameOf(transaction)}, {day(datetime)}: <Text span fw={600}>{shown(amount)}</Text>
          {whole !== Math.abs(amount) && `, of which ${shown(whole)} is left to say`}
        </Text>
        {lines.map((line, place) => (
          <CategoryLine
            key={line.key} line={line} place={place} several={several} problem={tried ? mistakes.get(place) : undefined}
            change={(changed) => change(line.key, changed)} remove={() => remove(line.key)}
          />
        ))}
        {several && <Rest lines={lines} whole={whole} shown={shown} />}
        <Group><Button variant="default" size="xs" onClick={split}>{several ? 'Add a line' : 'Split it in several lines'}</Button></Group>
        {!several && counterparty && (
          <Radio.Group label={`And others of ${counterparty}`} value={always} onChange={(value) => setAlways(value as Always)}>
            <Stack gap={6} mt={6}>
              <Radio value="no" label="Only this one" />
              <Radio value="propose" label="Always propose this" />
              <Radio value="apply" label="Always do this without asking" />
            </Stack>
          </Radio.Group>
        )}
        {!several && waiting.length > 0 && (
          <Checkbox
            label={waiting.length === 1 ? `Also the other one of ${counterparty} that waits` : `Also the ${waiting.length} others of ${counterparty} that wait`}
            checked={also_waiting} onChange={({ currentTarget: { checked } }) => setAlso(checked)}
          />
        )}
        <DayField label="Book it on (only if its day is closed)" width={280} value={posting_date} on_change={setPosting} />
        {tried && mistakes.has(-1) && <Alert color="red" role="alert">{mistakes.get(-1)}</Alert>}
        {save.isError && <Failure error={save.error} />}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending}>Book it</Button>
          <Button variant="default" onClick={cancel}>Cancel</Button>
          <Text size="xs" c="dimmed">Ctrl+Enter books it.</Text>
        </Group>
      </Stack>
    </form>
  )
}

function Rest({ lines, whole, shown }: { lines: Line[]; whole: number; shown: (cents: number) => string }) {
  const rest = remaining(lines, whole)
  if (rest === null) return <Text size="sm" role="status">One of the amounts cannot be read.</Text>
  return (
    <Text size="sm" role="status">
      {rest === 0 ? `The lines make up the whole ${shown(whole)}.` : rest > 0 ? `${shown(rest)} of ${shown(whole)} is left.` : `${shown(-rest)} too much.`}
    </Text>
  )
}
