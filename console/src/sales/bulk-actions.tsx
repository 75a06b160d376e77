// One action on many invoices: first what would happen to each, then, when that is agreed to, what did.
import { Badge, Button, Group, Modal, Progress, ScrollArea, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '../parts/feedback.tsx'
import { mayCorrect } from '../parts/roles.ts'
import { useSession } from '../session.tsx'
import { BULK, TOUCHED, type InvoiceAction, type Values } from './invoice-actions.ts'
import { nameOf, STATUS_WORDS, type Invoice } from './invoice-status.tsx'

type Outcome = { ok: boolean; words: string }
type Outcomes = ReadonlyMap<string, Outcome>
type Step = 'trying' | 'tried' | 'doing' | 'done'

export function BulkActions({ invoices, on_done }: { invoices: Invoice[]; on_done: () => void }) {
  const { membership } = useSession()
  const [action, setAction] = useState<InvoiceAction | null>(null)
  return (
    <>
      {BULK.filter(({ corrects }) => !corrects || mayCorrect(membership?.role)).map((offered) => (
        <Button key={offered.name} size="xs" variant="default" disabled={!invoices.some(offered.fits)} onClick={() => setAction(offered)}>
          {offered.name === 'delete' ? 'Delete drafts' : offered.button}
        </Button>
      ))}
      {action && (
        <BulkRun
          action={action} invoices={invoices}
          on_close={(done) => {
            setAction(null)
            if (done) on_done()
          }}
        />
      )}
    </>
  )
}

function BulkRun({ action, invoices, on_close }: { action: InvoiceAction; invoices: Invoice[]; on_close: (done: boolean) => void }) {
  const queries = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  const [values, setValues] = useState<Values>({ date: '', reason: '' })
  const [tried, setTried] = useState<Outcomes>(new Map())
  const [done, setDone] = useState<Outcomes>(new Map())
  const stopped = useRef(false)
  const busy = step === 'trying' || step === 'doing'

  /** One after another: each sees what the one before has done. */
  const runAll = async (wanted: Invoice[], dry_run: boolean, tell: (outcomes: Outcomes) => void) => {
    const outcomes = new Map<string, Outcome>()
    for (const invoice of wanted) {
      if (stopped.current) break
      const outcome = await action.run(invoice, values, dry_run).then(
        // The service takes some things twice without harm: there is still nothing to do.
        (words) => (action.fits(invoice) ? { ok: true, words } : { ok: false, words: `Nothing to do: it is ${STATUS_WORDS[invoice.status].toLowerCase()}.` }),
        (error: unknown) => ({ ok: false, words: messageOf(error) }),
      )
      outcomes.set(invoice.id, outcome)
      tell(new Map(outcomes))
    }
  }
  const attempt = async () => {
    setStep('trying')
    await runAll(invoices, true, setTried)
    setStep('tried')
  }
  const possible = invoices.filter(({ id }) => tried.get(id)?.ok)
  const perform = async () => {
    setStep('doing')
    await runAll(possible, false, setDone)
    setStep('done')
    for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
  }
  const change = (name: keyof Values, value: string) => {
    setValues({ ...values, [name]: value })
    setTried(new Map())
    setStep(null)
  }
  const close = () => {
    stopped.current = true
    on_close(step === 'done')
  }
  const count = step === 'doing' || step === 'done' ? done.size : tried.size
  const of = step === 'doing' || step === 'done' ? possible.length : invoices.length
  const succeeded = [...done.values()].filter(({ ok }) => ok).length
  return (
    <Modal
      opened onClose={close} size="xl" title={`${action.button}: ${invoices.length} ${invoices.length === 1 ? 'invoice' : 'invoices'}`}
      closeOnClickOutside={false} closeOnEscape={step !== 'doing'} withCloseButton={step !== 'doing'}
    >
      <Stack>
        <Text size="sm">{action.words}</Text>
        {step !== 'doing' && step !== 'done' && (
          <Group grow align="flex-end">
            {action.date && (
              <TextInput
                type="date" label={action.date} value={values.date} disabled={busy} onChange={({ currentTarget: { value } }) => change('date', value)}
              />
            )}
            {action.reason && (
              <TextInput
                label={action.reason} value={values.reason} maxLength={500} disabled={busy} onChange={({ currentTarget: { value } }) => change('reason', value)}
              />
            )}
          </Group>
        )}
        {busy && <Progress value={(100 * count) / Math.max(of, 1)} aria-label={step === 'doing' ? 'Being done' : 'Being tried'} />}
        <Text size="sm" role="status">
          {step === null && 'Nothing has happened yet. Look first at what would happen.'}
          {step === 'trying' && `Trying ${count} of ${of}; nothing is changed.`}
          {step === 'tried' && `It would work for ${possible.length} of ${invoices.length}. Nothing has been changed yet.`}
          {step === 'doing' && `Doing ${count} of ${of}.`}
          {step === 'done' && `Done for ${succeeded} of ${invoices.length}.`}
        </Text>
        {step !== null && <Results invoices={invoices} outcomes={new Map([...tried, ...done])} finished={done} />}
        <Group justify="flex-end">
          {step !== 'doing' && <Button variant="default" onClick={close}>{step === 'done' ? 'Close' : 'Cancel'}</Button>}
          {(step === null || step === 'trying') && <Button data-autofocus loading={busy} onClick={() => void attempt()}>Show what would happen</Button>}
          {(step === 'tried' || step === 'doing') && (
            <Button loading={busy} disabled={possible.length === 0} {...(action.grave ? { color: 'red' } : {})} onClick={() => void perform()}>
              {action.button}: {possible.length}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

function Results({ invoices, outcomes, finished }: { invoices: Invoice[]; outcomes: Outcomes; finished: Outcomes }) {
  const word = (id: string, { ok }: Outcome) => (ok ? (finished.has(id) ? 'Done' : 'Would work') : finished.has(id) ? 'Failed' : 'Not possible')
  return (
    <ScrollArea.Autosize mah="45dvh">
      <Table aria-label="Results" stickyHeader>
        <Table.Thead><Table.Tr><Table.Th>Invoice</Table.Th><Table.Th>Result</Table.Th><Table.Th>What</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {invoices.map((invoice) => {
            const outcome = outcomes.get(invoice.id)
            return (
              <Table.Tr key={invoice.id}>
                <Table.Td>{invoice.number ? `${invoice.number}, ${invoice.customer_name ?? ''}` : nameOf(invoice)}</Table.Td>
                <Table.Td>
                  {outcome && <Badge miw="max-content" variant="light" color={outcome.ok ? 'green' : 'red'}>{word(invoice.id, outcome)}</Badge>}
                </Table.Td>
                <Table.Td>{outcome?.words}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
