// One line of the entry form: ledger, memo, debit or credit, and whatever its ledger wants to know.
import { CloseButton, Select, Text, TextInput } from '@mantine/core'
import { LedgerPicker } from '../parts/fields.tsx'
import { ruleFor, useCustomerChoices, useDimensions, useLedgers, useProjectChoices, type Dimension } from '../parts/reading.ts'
import type { DraftLine } from './entry-draft.ts'
import style from './entry-form.module.css'

type LineProps = { line: DraftLine; place: number; problem: string | undefined; change: (changed: Partial<DraftLine>) => void; remove: () => void }

export function EntryFormLine({ line, place, problem, change, remove }: LineProps) {
  const of = `of line ${place}`
  const wrong = /amount|debit|credit/.test(problem ?? '')
  return (
    <div className={style['line']} role="group" aria-label={`Line ${place}`}>
      <div className={style['ledger']}>
        <LedgerPicker
          aria-label={`Ledger ${of}`} placeholder="Ledger" postable value={line.ledger_id}
          on_change={(ledger) => change({ ledger_id: ledger?.id ?? null })}
        />
      </div>
      <div className={style['memo']}>
        <TextInput aria-label={`Memo ${of}`} placeholder="Memo" value={line.memo} onChange={({ currentTarget }) => change({ memo: currentTarget.value })} />
      </div>
      <TextInput
        className={style['amount'] ?? ''} aria-label={`Debit ${of}`} placeholder="Debit" inputMode="decimal" value={line.debit} error={wrong}
        onChange={({ currentTarget: { value } }) => change({ debit: value, ...(value.trim() ? { credit: '' } : {}) })}
      />
      <TextInput
        className={style['amount'] ?? ''} aria-label={`Credit ${of}`} placeholder="Credit" inputMode="decimal" value={line.credit} error={wrong}
        onChange={({ currentTarget: { value } }) => change({ credit: value, ...(value.trim() ? { debit: '' } : {}) })}
      />
      <CloseButton mt={4} aria-label={`Remove line ${place}`} onClick={remove} />
      <Wanted line={line} place={place} change={change} />
      {problem && <Text size="sm" c="red" className={style['wrong'] ?? ''} role="alert">{problem}</Text>}
    </div>
  )
}

/** Customers on receivables, projects on income and expenses, dimensions where their rules do not forbid them. */
function Wanted({ line, place, change }: Pick<LineProps, 'line' | 'place' | 'change'>) {
  const ledger = useLedgers().data?.find(({ id }) => id === line.ledger_id)
  const receivable = ledger?.role === 'accounts_receivable' || line.customer_id !== null
  const earns = ledger?.type === 'income' || ledger?.type === 'expense'
  const customers = useCustomerChoices(receivable).data ?? []
  const projects = useProjectChoices(earns).data ?? []
  const dimensions = useDimensions(earns || line.value_ids.length > 0).data ?? []
  if (!ledger) return null
  const asked = dimensions.filter((dimension) => {
    const mode = ruleFor(dimension, ledger)?.mode
    return mode === 'required' || (mode !== 'forbidden' && earns)
  })
  if (!receivable && !(earns && projects.length > 0) && asked.length === 0) return null
  return (
    <div className={style['extra']}>
      {receivable && (
        <Select
          aria-label={`Customer of line ${place}`} placeholder="Customer" searchable clearable data={customers} value={line.customer_id}
          onChange={(customer_id) => change({ customer_id })}
        />
      )}
      {earns && projects.length > 0 && (
        <Select
          aria-label={`Project of line ${place}`} placeholder="Project" searchable clearable data={projects} value={line.project_id}
          onChange={(project_id) => change({ project_id })}
        />
      )}
      {asked.map((dimension) => (
        <Select
          key={dimension.id} aria-label={`${dimension.name} of line ${place}`} searchable clearable
          placeholder={`${dimension.name}${ruleFor(dimension, ledger)?.mode === 'required' ? ' (needed)' : ''}`}
          data={dimension.values.filter(({ archived }) => !archived)} value={chosen(line, dimension)}
          onChange={(value) => change({
            values: { ...line.values, [dimension.id]: value ?? '' },
            value_ids: line.value_ids.filter((id) => !dimension.values.some((each) => each.value === id)),
          })}
        />
      ))}
    </div>
  )
}

const chosen = ({ values, value_ids }: DraftLine, dimension: Dimension): string | null =>
  values[dimension.id] || (value_ids.find((id) => dimension.values.some(({ value }) => value === id)) ?? null)
