// A form that stays on its page: saved, it shows what is there now; given up, it goes back to that.
import { useState } from 'react'
import { RecordForm, type Field } from './record-form.tsx'
import { useSaved } from './saved.ts'

type StandingFormProps<Body extends object> = {
  fields: readonly Field[]
  record: Record<string, unknown> & { version: number }
  save: (body: Body) => Promise<unknown>
  /** What is read anew afterwards. */
  touched: readonly string[]
  done: string
  button?: string
}

export function StandingForm<Body extends object>({ fields, record, save, touched, done, button = 'Save' }: StandingFormProps<Body>) {
  const [turn, setTurn] = useState(0)
  const saved = useSaved(touched)
  const keep = async (body: Body) => {
    await save(body)
    saved(done)
  }
  return <RecordForm<Body> key={`${record.version} ${turn}`} fields={fields} record={record} button={button} save={keep} cancel={() => setTurn(turn + 1)} />
}
