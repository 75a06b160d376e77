// What a stranger does first: start, get a token, call the API, stop. In a folder of its own, with the program as it is run.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const daybook = resolve(import.meta.dirname, '../bin/daybook')
const folder = await mkdtemp(join(tmpdir(), 'daybook-smoke-'))
const env = { ...process.env, DAYBOOK_DATA: folder, DAYBOOK_LOG_LEVEL: 'warn' }

const server = spawn(daybook, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const url = await address()
  const made = JSON.parse((await run(daybook, ['token', '--email', 'you@example.com', '--business', 'My Company', '--json'], { env })).stdout)
  const headers = { authorization: `Bearer ${made.token}`, 'x-business-id': made.business_id, 'content-type': 'application/json' }
  const created = await fetch(`${url}/api/v1/todos`, { method: 'POST', headers, body: JSON.stringify({ title: 'Send the first invoice' }) })
  expect(created.status === 201, 'a todo is created')
  const listed = (await (await fetch(`${url}/api/v1/todos`, { headers })).json()) as { data: { items: { title: string }[] } }
  expect(listed.data.items[0]?.title === 'Send the first invoice', 'the todo is listed')
  for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/docs/todos', '/openapi.json', '/openapi/create_todo.json']) expect((await fetch(url + path)).ok, `${path} answers`)
  const { stdout } = await run(daybook, ['verify'], { env })
  expect(!/\d off\b/.test(stdout), 'verify finds nothing off')
} finally {
  const ended = new Promise((settle) => server.once('exit', settle))
  server.kill('SIGINT')
  expect((await ended) === 0, 'it stops cleanly')
  await rm(folder, { recursive: true, force: true })
}

function address(): Promise<string> {
  return new Promise((settle, reject) => {
    let said = ''
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /API\s+(http:\/\/[^/\s]+)/.exec(said)?.[1]
      if (found) settle(found)
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
}

function expect(holds: boolean, what: string): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (!holds) process.exitCode = 1
}
