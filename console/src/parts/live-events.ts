// What the service tells by itself, as it happens. Read by fetch, because EventSource cannot say which business is meant.
import { useEffect, useRef, useState } from 'react'
import { isFinal, read } from '../api.ts'

export type LiveEvent = { id: string | null; event: string; data: string }

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/**
 * Follows a stream until the component goes or the service refuses; a connection that breaks is opened again behind the last
 * event. The answer is whether it is open: while it is not, the caller asks now and then. No path: nothing is followed.
 */
export function useLiveEvents(path: string | null, heard: (event: LiveEvent) => void): boolean {
  const [open, setOpen] = useState(false)
  const latest = useRef(heard)
  useEffect(() => {
    latest.current = heard
  })
  useEffect(() => {
    if (path === null) return undefined
    const ended = new AbortController()
    void follow(path, ended.signal, (event) => latest.current(event), setOpen)
    return () => {
      ended.abort()
      setOpen(false)
    }
  }, [path])
  return open
}

async function follow(path: string, ended: AbortSignal, heard: (event: LiveEvent) => void, opened: (open: boolean) => void): Promise<void> {
  let last: string | null = null
  let pause = FIRST_PAUSE_MS
  while (!ended.aborted) {
    try {
      const { body } = await read(path, { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) }, ended)
      opened(true)
      for await (const event of eventsOf(body)) {
        last = event.id ?? last
        pause = FIRST_PAUSE_MS
        if (!ended.aborted) heard(event)
      }
    } catch (error) {
      if (isFinal(error)) break
    }
    if (ended.aborted) return
    opened(false)
    await rest(pause, ended)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
  if (!ended.aborted) opened(false)
}

/** The events of a stream: blocks of lines, parted by an empty one. A block without data is only a sign of life. */
async function* eventsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<LiveEvent> {
  const reader = body?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done || value === undefined) return
    const blocks = (text + value).split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event) yield event
    }
  }
}

function eventOf(block: string): LiveEvent | null {
  const lines = block.split(/\r?\n/)
  const valuesOf = (name: string) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const data = valuesOf('data')
  return data.length === 0 ? null : { id: valuesOf('id').at(-1) ?? null, event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }
}

function rest(milliseconds: number, ended: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    const timer = setTimeout(resume, milliseconds)
    ended.addEventListener('abort', () => {
      clearTimeout(timer)
      resume()
    }, { once: true })
  })
}
