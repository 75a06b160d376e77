// Files on their way to the service: each by itself, so that one that is refused keeps no other back and can be sent again.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { upload, type Schemas } from '../api.ts'
import { messageOf } from '../parts/feedback.tsx'

export type Upload = {
  key: number
  file: File
  /** How far it is, from 0 to 1. */
  part: number
  problem: string | null
  document: Schemas['Document'] | null
}

/** As many as are sent at a time. */
const AT_ONCE = 2

/** `about`: the record that they are attached to in the same step. */
export function useUploads(about?: { resource_type: string; resource_id: string }) {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const waiting = useRef<Upload[]>([])
  const keys = useRef(0)
  const running = useRef(0)
  const change = (key: number, changed: Partial<Upload>) => setUploads((before) => before.map((one) => (one.key === key ? { ...one, ...changed } : one)))

  const send = async ({ key, file }: Upload) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(about ?? {})) form.append(name, value)
    form.append('file', file)
    try {
      const [document = null] = await upload<Schemas['Document'][]>('/api/v1/documents', form, (part) => change(key, { part }))
      change(key, { part: 1, document })
      void queries.invalidateQueries({ queryKey: ['documents'] })
    } catch (error) {
      change(key, { problem: messageOf(error) })
    }
  }
  const work = async () => {
    if (running.current >= AT_ONCE) return
    running.current += 1
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) await send(next)
    running.current -= 1
  }
  const begin = (added: Upload[]) => {
    waiting.current.push(...added)
    for (let place = 0; place < AT_ONCE; place += 1) void work()
  }
  return {
    uploads,
    add(files: readonly File[]) {
      const added = files.map((file): Upload => ({ key: (keys.current += 1), file, part: 0, problem: null, document: null }))
      setUploads((before) => [...before, ...added])
      begin(added)
    },
    again(one: Upload) {
      change(one.key, { part: 0, problem: null })
      begin([one])
    },
    clear: () => setUploads((before) => before.filter(({ document, problem }) => document === null && problem === null)),
  }
}
