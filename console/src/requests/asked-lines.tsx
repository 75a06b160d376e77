// Writing down which papers are asked for: a line each.
import { ActionIcon, Button, Checkbox, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import type { Schemas } from '../api.ts'
import { words } from '../format.ts'

type Kind = Schemas['DocumentRequestItem']['kind']
export type AskedLine = { key: string; id?: string; label: string; kind: Kind; required: boolean; period: string; note: string }

export const KINDS = ['statement', 'receipt', 'invoice', 'bill', 'contract', 'tax', 'report', 'export', 'other'] as const

export const newLine = (): AskedLine => ({ key: crypto.randomUUID(), label: '', kind: 'other', required: true, period: '', note: '' })

type Known = { id?: string; label: string; kind: Kind; required: boolean; period?: string | null; note: string | null }

/** A line of a request or a template as it is edited. */
export function lineOf({ id, label, kind, required, period, note }: Known): AskedLine {
  return { ...newLine(), ...(id ? { id } : {}), label, kind, required, period: period ?? '', note: note ?? '' }
}

const isPeriod = (text: string): boolean => /^(\d{4}(-(0[1-9]|1[0-2]|Q[1-4]))?)?$/.test(text)

export const isBlank = ({ label, note, period }: AskedLine): boolean => [label, note, period].every((text) => text.trim() === '')

type AskedLinesProps = {
  lines: AskedLine[]
  on_change: (lines: AskedLine[]) => void
  /** Templates have no periods. */
  periods?: boolean
  /** Something was saved: what is missing is marked. */
  checked: boolean
}

export function AskedLines({ lines, on_change, periods = true, checked }: AskedLinesProps) {
  const put = (key: string, change: Partial<AskedLine>) => on_change(lines.map((line) => (line.key === key ? { ...line, ...change } : line)))
  return (
    <Stack gap="xs" component="section" aria-label="Papers">
      <Title order={2} size="h5">Papers</Title>
      {lines.map((line, place) => {
        const name = `Paper ${place + 1}`
        return (
          <Paper key={line.key} withBorder p="sm" role="group" aria-label={name}>
            <Stack gap="xs">
              <Group gap="xs" align="flex-start" wrap="nowrap">
                <TextInput
                  style={{ flex: 1 }} label={name} placeholder="Bank statement" value={line.label} maxLength={200}
                  error={checked && line.label.trim() === '' && !isBlank(line) ? 'Say what is asked for.' : undefined}
                  onChange={({ currentTarget: { value } }) => put(line.key, { label: value })}
                />
                <ActionIcon
                  mt={26} size="lg" variant="default" aria-label={`Remove ${line.label || name}`} disabled={lines.length === 1}
                  onClick={() => on_change(lines.filter(({ key }) => key !== line.key))}
                >
                  ✕
                </ActionIcon>
              </Group>
              <Group gap="xs" align="flex-end">
                <Select
                  label="Kind" w={150} allowDeselect={false} value={line.kind} data={KINDS.map((kind) => ({ value: kind, label: words(kind) }))}
                  onChange={(kind) => kind && put(line.key, { kind: kind as AskedLine['kind'] })}
                />
                {periods && (
                  <TextInput
                    label="Period" w={130} placeholder="2026-03" value={line.period}
                    error={checked && !isPeriod(line.period) ? '2026, 2026-Q1 or 2026-03' : undefined}
                    onChange={({ currentTarget: { value } }) => put(line.key, { period: value.trim() })}
                  />
                )}
                <TextInput
                  style={{ flex: '1 1 180px' }} label="Note" placeholder="All pages, please" value={line.note}
                  onChange={({ currentTarget: { value } }) => put(line.key, { note: value })}
                />
                <Checkbox
                  mb={8} label="Required" checked={line.required} onChange={({ currentTarget: { checked: required } }) => put(line.key, { required })}
                />
              </Group>
            </Stack>
          </Paper>
        )
      })}
      {checked && lines.every(isBlank) && <Text size="sm" c="red" role="alert">Ask for at least one paper.</Text>}
      <Group><Button variant="default" size="xs" disabled={lines.length >= 50} onClick={() => on_change([...lines, newLine()])}>Add a paper</Button></Group>
    </Stack>
  )
}

/** The lines as the API takes them; those that say nothing are left out. */
export function askedItems(lines: readonly AskedLine[], periods = true) {
  return lines.filter((line) => !isBlank(line)).map(({ id, label, kind, required, period, note }) => ({
    ...(id ? { id } : {}), label: label.trim(), kind, required, ...(periods ? { period: period || null } : {}), note: note.trim() || null,
  }))
}

export const isComplete = (lines: readonly AskedLine[]): boolean =>
  lines.some((line) => !isBlank(line)) && lines.every((line) => isBlank(line) || (line.label.trim() !== '' && isPeriod(line.period)))
