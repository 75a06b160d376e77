// A form from a short description of its fields. What is wrong stands at its field, and a failed save keeps everything that was typed.
import { Button, Group, SimpleGrid, Stack, Title } from '@mantine/core'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { ApiError } from '../api.ts'
import { Failure } from './feedback.tsx'
import { FieldInput } from './record-field.tsx'
import { bodyOf, mistakesIn, startOf, type Field, type Typed } from './record-values.ts'

export type { Field } from './record-values.ts'

type RecordFormProps<Body extends object> = {
  fields: readonly Field[]
  /** What is changed; a new one without. Of an existing one only what was changed is saved. */
  record?: object | undefined
  button: string
  save: (body: Body) => Promise<unknown>
  cancel: () => void
  /** What the fields cannot describe, below them. */
  children?: ReactNode
  columns?: number
  grave?: boolean
  /** For what depends on an input beside the form. */
  on_type?: (name: string, value: Typed) => void
}

export function RecordForm<Body extends object>({
  fields, record, button, save, cancel, children, columns = 2, grave = false, on_type,
}: RecordFormProps<Body>) {
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(() => startOf(fields, record))
  const [mistakes, setMistakes] = useState<Record<string, string>>({})
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (Object.keys(mistakes).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [mistakes])

  const type = (name: string, value: Typed) => {
    setValues((before) => ({ ...before, [name]: value }))
    on_type?.(name, value)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const found = mistakesIn(fields, values)
    setMistakes(found)
    setError(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      await save(bodyOf(fields, values, record) as Body)
    } catch (caught) {
      const { at_fields, elsewhere } = placed(fields, caught)
      setMistakes(at_fields)
      setError(elsewhere)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} onKeyDown={key} noValidate>
      <Stack maw={columns > 1 ? 860 : undefined}>
        {sectionsOf(fields).map(({ title, members }, place) => (
          <Stack key={title ?? place} gap="xs" component="fieldset" m={0} p={0} bd="none">
            {title && <Title order={2} size="h5" component="legend" p={0}>{title}</Title>}
            <SimpleGrid cols={{ base: 1, sm: columns }} verticalSpacing="sm" style={{ alignItems: 'start' }}>
              {members.map((field) => (
                <FieldInput
                  key={field.name} field={field} value={values[field.name]} error={mistakes[field.name]} beside={columns > 1}
                  on_change={(value) => type(field.name, value)}
                />
              ))}
            </SimpleGrid>
          </Stack>
        ))}
        {children}
        {error !== null && <Failure error={error} />}
        <Group gap="xs">
          <Button type="submit" loading={busy} {...(grave ? { color: 'red' } : {})}>{button}</Button>
          <Button variant="default" onClick={cancel}>Cancel</Button>
        </Group>
      </Stack>
    </form>
  )
}

function sectionsOf(fields: readonly Field[]): { title: string | undefined; members: Field[] }[] {
  const sections: { title: string | undefined; members: Field[] }[] = []
  for (const field of fields) {
    const last = sections.at(-1)
    if (!last || field.section !== undefined) sections.push({ title: field.section, members: [field] })
    else last.members.push(field)
  }
  return sections
}

/** What the API said of a field stands there; everything else stands above the buttons. */
function placed(fields: readonly Field[], error: unknown): { at_fields: Record<string, string>; elsewhere: unknown } {
  if (!(error instanceof ApiError) || error.problems.length === 0) return { at_fields: {}, elsewhere: error }
  const at_fields: Record<string, string> = {}
  let all = true
  for (const { loc, msg } of error.problems) {
    const path = loc.slice(1).join('.')
    const field = fields.find(({ name }) => path === name || path.startsWith(`${name}.`))
    if (field) at_fields[field.name] = msg
    else all = false
  }
  return { at_fields, elsewhere: all ? null : error }
}
