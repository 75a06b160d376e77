// Writing an invoice and changing one: keyboard first, reckoned by the service, and nothing typed is lost.
import { Alert, Button, Grid, Group, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, dataOf } from '../api.ts'
import { Failure, Loading, say, sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { useCalculation } from './calculation.ts'
import { copyOf, creationOf, draftOf, emptyDraft, isBlank, problemsOf, unsaved, updateOf, type Draft } from './draft.ts'
import { EditorHead, EditorNotes } from './editor-head.tsx'
import { EditorLines } from './editor-lines.tsx'
import { EditorTotals } from './editor-totals.tsx'
import { finalize, TOUCHED } from './invoice-actions.ts'
import { InvoiceLines } from './invoice-lines.tsx'
import { nameOf, type Invoice } from './invoice-status.tsx'
import { useInvoice } from './use-invoice.ts'

export function NewInvoice() {
  const { copy, customer_id } = useSearch({ strict: false }) as { copy?: string; customer_id?: string }
  const read = useInvoice(copy ?? null)
  if (!copy) return <Editor invoice={null} start={emptyDraft(customer_id ?? null)} />
  if (read.isPending) return <Loading />
  if (read.isError) return <Page title="New invoice"><Failure error={read.error} again={() => void read.refetch()} /></Page>
  return <Editor key={copy} invoice={null} start={copyOf(read.data)} fresh />
}

export function EditInvoice() {
  const { invoice_id } = useParams({ strict: false }) as { invoice_id: string }
  const read = useInvoice(invoice_id)
  if (read.isPending) return <Loading />
  if (read.isError) return <Page title="Invoice"><Failure error={read.error} again={() => void read.refetch()} /></Page>
  return <Editor key={`${invoice_id} ${read.data.version}`} invoice={read.data} start={draftOf(read.data)} />
}

/** `fresh`: what was typed before and not saved is not taken up. */
function Editor({ invoice, start, fresh = false }: { invoice: Invoice | null; start: Draft; fresh?: boolean }) {
  const { id: business_id, base_currency } = useBusiness()
  const go = useNavigate()
  const queries = useQueryClient()
  const key = unsaved.key(business_id, invoice?.id ?? null)
  const [first] = useState(start)
  const [kept, setKept] = useState(() => (fresh ? null : unsaved.read(key)))
  const [draft, setDraft] = useState<Draft>(kept?.draft ?? first)
  const [checked, setChecked] = useState(false)
  const sent = useRef({ body: '', key: '' })
  const isDraft = invoice === null || invoice.status === 'draft'
  const calculation = useCalculation(draft, invoice)
  const title = invoice === null ? 'New invoice' : `Edit ${nameOf(invoice)}`

  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }))
  const saved = useRef(false)
  useEffect(() => {
    if (!saved.current && draft !== first && draft !== kept?.draft) unsaved.write(key, { draft, version: invoice?.version ?? null })
  }, [draft, first, kept, key, invoice])
  const discard = () => {
    unsaved.forget(key)
    setKept(null)
    setDraft(first)
  }

  const save = useMutation({
    async mutationFn(finalizes: boolean): Promise<Invoice> {
      if (invoice) {
        const changed = await dataOf(api.PUT('/api/v1/invoices/{invoice_id}', { params: { path: { invoice_id: invoice.id } }, body: updateOf(draft, invoice) }))
        // The change is kept even where finalizing is refused: the page of the invoice says why.
        if (finalizes) await finalize.run(changed, { date: '', reason: '' }, false).catch(sayFailed)
        return changed
      }
      const body = { ...creationOf(draft), finalize: finalizes }
      // The same invoice sent again after a lost answer is made once.
      const text = JSON.stringify(body)
      if (sent.current.body !== text) sent.current = { body: text, key: crypto.randomUUID() }
      return dataOf(api.POST('/api/v1/invoices', { body, headers: { 'idempotency-key': sent.current.key } }))
    },
    onSuccess({ id }) {
      saved.current = true
      unsaved.forget(key)
      say('Saved.')
      for (const group of TOUCHED) void queries.invalidateQueries({ queryKey: [group] })
      void go({ to: `/invoices/${id}` })
    },
  })
  const wrong = isDraft && draft.lines.some((line) => !isBlank(line) && Object.keys(problemsOf(line)).length > 0)
  const submit = (finalizes: boolean) => {
    setChecked(true)
    if (draft.customer_id !== null && !wrong && !save.isPending) save.mutate(finalizes)
  }
  useHotkeys([['mod+Enter', () => submit(false)]], [])
  const back = invoice ? `/invoices/${invoice.id}` : '/invoices'
  const currency = calculation.result?.currency ?? draft.currency ?? base_currency
  return (
    <Page
      title={title}
      actions={(
        <>
          <Button variant="subtle" component={Link} to={back}>Back</Button>
          {isDraft && <Button variant="default" loading={save.isPending} onClick={() => submit(true)}>Save and finalize</Button>}
          <Button loading={save.isPending} onClick={() => submit(false)}>{isDraft ? 'Save draft' : 'Save'}</Button>
        </>
      )}
    >
      {kept && (
        <Alert color="blue" title="Your unsaved changes are back">
          <Group justify="space-between">
            <Text size="sm">
              {kept.version !== null && kept.version !== invoice?.version
                ? 'The invoice has been changed since you typed them: look before you save.'
                : 'They are not saved yet.'}
            </Text>
            <Button size="xs" variant="default" onClick={discard}>Discard them</Button>
          </Group>
        </Alert>
      )}
      {!isDraft && (
        <Alert color="gray" title="This invoice is booked">
          {invoice?.status === 'void'
            ? 'Of a void invoice only the description can change.'
            : 'Its lines and terms cannot change any more. Another date re-dates its entry.'}
        </Alert>
      )}
      {save.isError && <Failure error={save.error} />}
      {checked && wrong && <Alert color="red" role="alert" title="Some lines are not complete">They are marked below. Nothing was sent.</Alert>}
      <EditorHead draft={draft} on_change={change} invoice={invoice} checked={checked} calculated={calculation.result} error={save.error} />
      {isDraft
        ? <EditorLines lines={draft.lines} on_change={(lines) => change({ lines })} currency={currency} calculation={calculation} checked={checked} />
        : <InvoiceLines invoice={invoice as Invoice} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }} order={{ base: 2, md: 1 }}><EditorNotes draft={draft} on_change={change} invoice={invoice} /></Grid.Col>
        {isDraft && (
          <Grid.Col span={{ base: 12, md: 5 }} order={{ base: 1, md: 2 }}>
            <EditorTotals calculation={calculation} has_customer={draft.customer_id !== null} />
          </Grid.Col>
        )}
      </Grid>
    </Page>
  )
}
