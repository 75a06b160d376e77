// The console over HTTP: built from its sources when somebody first asks for it, kept, and served from memory. Until then a page says so.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { access, constants, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants as zlib, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../foundation/log.ts'

/** Answers a request for a page of the console; the console has no other kind. */
export type Console = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type File = { type: string; bytes: Buffer; br: Buffer; gzip: Buffer }
type Files = Map<string, File>

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = join(ROOT, 'console')
const TYPES: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' }
// Styles are set on elements by the components; scripts come from here alone.
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-src 'self' blob:; "
  + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export function openConsole(data: string, log: Logger): Console {
  let files: Files | null = null
  let building: Promise<void> | null = null
  let failure: string | null = null

  const build = () => {
    failure = null
    building = builtConsole(data, log)
      .then(async (folder) => void (files = await readFiles(folder)))
      .catch((error: Error) => {
        failure = error.message
        log.error({ err: error }, 'the console could not be built')
      })
      .finally(() => (building = null))
  }

  return async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    if (!files) {
      if (!building) build()
      // What is there already answers at once.
      await Promise.race([building, new Promise((later) => setTimeout(later, 300))])
    }
    if (!files) return waiting(reply, failure)
    const file = files.get(path)
    if (!file && path.startsWith('/assets/')) return reply.code(404).send({ detail: 'There is no such file.' })
    return send(request, reply, file ?? (files.get('/index.html') as File), path.startsWith('/assets/'))
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { type, bytes, br, gzip: gz }: File, lasting: boolean): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const [encoding, body] = /\bbr\b/.test(accepted) ? ['br', br] : /\bgzip\b/.test(accepted) ? ['gzip', gz] : [null, bytes]
  // The name of an asset changes with its content.
  reply.headers({
    'content-type': type, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin', vary: 'accept-encoding',
    'cache-control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache', ...(encoding ? { 'content-encoding': encoding } : {}),
  })
  return reply.send(body)
}

function waiting(reply: FastifyReply, failure: string | null): FastifyReply {
  const words = failure === null ? 'The console is being prepared. This page goes on by itself in a few seconds.' : 'The console could not be prepared: the log of the server says why. The API is not affected.'
  return reply.code(failure === null ? 200 : 503).headers({ 'content-type': TYPES['.html'], 'content-security-policy': "default-src 'none'", 'cache-control': 'no-store', refresh: '2' })
    .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Daybook</title><h1>Daybook</h1><p>${words}</p></html>`)
}

/** The folder of the console as its sources are now. */
async function builtConsole(data: string, log: Logger): Promise<string> {
  const folder = join(await writable([join(ROOT, '.cache'), resolve(data)]), 'console', fingerprint())
  if (existsSync(join(folder, 'index.html'))) return folder
  const started = performance.now()
  await mkdir(dirname(folder), { recursive: true })
  const made = await mkdtemp(join(dirname(folder), 'building-'))
  try {
    await runVite(made)
    await rename(made, folder)
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    // Another server has built the same meanwhile.
    if (!existsSync(join(folder, 'index.html'))) throw error
  }
  for (const other of await readdir(dirname(folder))) if (join(dirname(folder), other) !== folder && !other.startsWith('building-')) await rm(join(dirname(folder), other), { recursive: true, force: true })
  log.info({ ms: Math.round(performance.now() - started) }, 'the console is built')
  return folder
}

async function writable(places: readonly string[]): Promise<string> {
  for (const place of places) {
    try {
      await mkdir(place, { recursive: true })
      await access(place, constants.W_OK)
      return place
    } catch {
      continue
    }
  }
  throw new Error(`None of these folders can be written: ${places.join(', ')}`)
}

function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  for (const name of globSync('**/*', { cwd: SOURCES, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()) {
    hash.update(name.slice(SOURCES.length)).update(readFileSync(name))
  }
  return hash.digest('hex').slice(0, 16)
}

async function runVite(folder: string): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', SOURCES, '--outDir', folder, '--logLevel', 'warn'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-4_000)))
  const code = await new Promise<number | null>((done, fail) => child.on('close', done).on('error', fail))
  if (code !== 0) throw new Error(said)
}

async function readFiles(folder: string): Promise<Files> {
  const names = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files: Files = new Map()
  await Promise.all(names.map(async (name) => {
    const bytes = await readFile(name)
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }), promisify(gzip)(bytes, { level: 9 }),
    ])
    files.set(name.slice(folder.length), { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes, br, gzip: gz })
  }))
  return files
}
