// The lines of the editor: by hand, or picked by typing from what the business sells. Enter goes on to a new line.
import { ActionIcon, Autocomplete, Badge, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { money, typed } from '../format.ts'
import type { Calculation } from './calculation.ts'
import { useOffers, useTaxCodes, type Offer } from './choices.ts'
import { isBlank, newLine, problemsOf, type DraftLine } from './draft.ts'
import classes from './editor-lines.module.css'

type EditorLinesProps = { lines: DraftLine[]; on_change: (lines: DraftLine[]) => void; currency: string; calculation: Calculation; checked: boolean }

export function EditorLines({ lines, on_change, currency, calculation, checked }: EditorLinesProps) {
  const place = useRef<HTMLDivElement>(null)
  const [wanted, want] = useState<number | null>(null)
  useEffect(() => {
    if (wanted === null) return
    place.current?.querySelectorAll<HTMLInputElement>('[data-first]')[wanted]?.focus()
    want(null)
  }, [wanted])
  const add = (after: number) => {
    const next = lines[after + 1]
    if (!next || !isBlank(next)) on_change(lines.toSpliced(after + 1, 0, newLine()))
    want(after + 1)
  }
  const drop = (index: number) => {
    on_change(lines.length === 1 ? [newLine()] : lines.toSpliced(index, 1))
    want(Math.max(0, index - 1))
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="editor-lines">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="editor-lines">Lines</Title>
        <Text size="xs" c="dimmed" visibleFrom="sm">Enter: next line. Ctrl+Enter: save.</Text>
      </Group>
      <Stack gap="xs" ref={place}>
        <div className={classes['head']} aria-hidden="true">
          <span>What</span><span>Quantity</span><span>Price</span><span>Discount</span><span>Tax</span><span className="figures">Amount</span><span />
        </div>
        {lines.map((line, index) => (
          <EditorLine
            key={line.key} line={line} number={index + 1} currency={currency} calculation={calculation}
            checked={checked && (!isBlank(line) || lines.length === 1)}
            on_change={(changed) => on_change(lines.with(index, changed))} on_next={() => (isBlank(line) ? undefined : add(index))} on_drop={() => drop(index)}
          />
        ))}
      </Stack>
      <Button mt="sm" variant="light" size="xs" onClick={() => add(lines.length - 1)}>Add a line</Button>
    </Paper>
  )
}

type EditorLineProps = {
  line: DraftLine; number: number; currency: string; calculation: Calculation; checked: boolean
  on_change: (line: DraftLine) => void; on_next: () => void; on_drop: () => void
}

function EditorLine({ line, number, currency, calculation, checked, on_change, on_next, on_drop }: EditorLineProps) {
  const [active, setActive] = useState(false)
  const [search] = useDebouncedValue(line.offer ? '' : line.description, 200)
  const offers = useOffers(search, currency, active)
  const codes = useTaxCodes()
  const result = calculation.lines.get(line.key)
  const problems = problemsOf(line)
  // Said at once where something wrong was typed; what is only missing yet, when it is saved.
  const problem = (name: keyof typeof problems) => (checked || (name !== 'description' && line[name].trim()) ? problems[name] : null)
  const change = (changed: Partial<DraftLine>) => on_change({ ...line, ...changed })
  const pick = (offer: Offer) => change({ offer, description: offer.name, price: '' })
  const describe = (text: string) => {
    const picked = offers.find(({ title }) => title === text)
    return picked ? pick(picked) : change({ description: text })
  }
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.defaultPrevented || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    on_next()
  }
  const own = line.offer?.price ?? result?.unit_price ?? null
  return (
    <div className={classes['line']} role="group" aria-label={`Line ${number}`} onKeyDown={key}>
      <div>
        <Autocomplete
          aria-label={`Line ${number}: what is sold`} placeholder="Type, or pick what you sell" data-first value={line.description} onChange={describe}
          onFocus={() => setActive(true)} error={problem('description')}
          data={line.offer ? [] : [...new Set(offers.map(({ title }) => title))]} filter={({ options }) => options} maxLength={2000} maxDropdownHeight={260}
        />
        {line.offer && (
          <Badge
            mt={4} variant="light" size="sm" tt="none"
            rightSection={
              <ActionIcon
                size={14} variant="transparent" aria-label={`Line ${number}: make it a line by hand`}
                onClick={() => change({ offer: null, price: line.price || typed(own) })}
              >
                ✕
              </ActionIcon>
            }
          >
            {line.offer.kind === 'catalog' ? 'Catalog' : 'Product'}: {line.offer.name}
          </Badge>
        )}
      </div>
      <TextInput
        aria-label={`Line ${number}: quantity`} label="Quantity" classNames={{ label: classes['small'] ?? '' }} inputMode="numeric" value={line.quantity}
        onFocus={(event) => event.currentTarget.select()} onChange={({ currentTarget: { value } }) => change({ quantity: value })} error={problem('quantity')}
      />
      <TextInput
        aria-label={`Line ${number}: price`} label="Price" classNames={{ label: classes['small'] ?? '' }} inputMode="decimal"
        placeholder={line.offer ? typed(own) || 'Needed' : '0.00'} value={line.price} onChange={({ currentTarget: { value } }) => change({ price: value })}
        error={problem('price')}
      />
      <TextInput
        aria-label={`Line ${number}: discount`} label="Discount" classNames={{ label: classes['small'] ?? '' }} placeholder="5% or 5" value={line.discount}
        onChange={({ currentTarget: { value } }) => change({ discount: value })} error={problem('discount')}
      />
      <Select
        aria-label={`Line ${number}: tax code`} label="Tax" classNames={{ label: classes['small'] ?? '' }} placeholder="Usual" clearable
        data={codes.map(({ id, code, name }) => ({ value: id, label: code === name ? code : `${code}, ${name}` }))}
        value={line.tax_code_id} onChange={(tax_code_id) => change({ tax_code_id })} comboboxProps={{ width: 240 }}
      />
      <Text size="sm" className={`figures ${classes['amount'] ?? ''}`} aria-label={`Line ${number}: amount`} role="note">
        {result ? money(result.amount, currency) : '—'}
      </Text>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Remove line ${number}`} onClick={on_drop}>✕</ActionIcon>
    </div>
  )
}
