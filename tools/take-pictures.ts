// npm run pictures: every page of the console, light and dark, and the files of a deck, as they look on the books of the demo, into docs/.
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'
import { drawPage } from '../src/foundation/document-text/drawing.ts'
import { chromiumPath } from '../test/e2e/chromium.ts'
import { openApi, type Api } from './pictures/api.ts'
import { addressesOf } from './pictures/addresses.ts'
import { prepare, type Prepared } from './pictures/records.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '..')
const DAYBOOK = join(ROOT, 'bin/daybook')
const CONSOLE = join(ROOT, 'docs/console')
const DECKS = join(ROOT, 'docs/decks')
const JPEG = { type: 'jpeg', quality: 50 } as const

const data = await mkdtemp(join(tmpdir(), 'daybook-pictures-'))
const env = { ...process.env, DAYBOOK_DATA: data, DAYBOOK_PORT: '0', DAYBOOK_LOG_LEVEL: 'error', DAYBOOK_WEBHOOK_PRIVATE: 'true' }
const server = spawn(DAYBOOK, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const url = await said(server.stdout, /(http:\/\/[\d.]+:\d+)\/api\/v1/)
  const demo = await run(DAYBOOK, ['demo', '--businesses', '1'], { env, maxBuffer: 1 << 24 })
  const password = /password (\S+)/.exec(demo.stdout)?.[1] ?? ''
  const api = await openApi(url, env, DAYBOOK)
  const made = await prepare(api)
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
  await consolePictures(browser, url, password, api, made)
  await deckPictures(browser, url, api, made)
  await browser.close()
} finally {
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGINT')
  await ended
  await rm(data, { recursive: true, force: true })
}

async function consolePictures(browser: Browser, url: string, password: string, api: Api, made: Prepared): Promise<void> {
  await rm(CONSOLE, { recursive: true, force: true })
  await mkdir(CONSOLE, { recursive: true })
  const { addresses, missing } = await addressesOf(api, made)
  for (const look of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width: 1100, height: 720 }, colorScheme: look, baseURL: url })
    const page = await context.newPage()
    const take = async ({ name, path }: { name: string; path: string }) => {
      await shown(page, path)
      await page.screenshot({ path: join(CONSOLE, `${name}-${look}.jpg`), ...JPEG })
      console.error(`${look} ${path}`)
    }
    for (const address of addresses.filter(({ open }) => open)) await take(address)
    await page.goto('/sign-in')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('demo@example.com', { timeout: 90_000 })
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
    for (const address of addresses.filter(({ open }) => !open)) await take(address)
    await context.close()
  }
  const rows = addresses.map(({ name, path }) => `## ${path}\n\n| light | dark |\n|---|---|\n| ![light](${name}-light.jpg) | ![dark](${name}-dark.jpg) |\n`)
  const without = missing.length > 0 ? `\nWithout a picture, since the demo has nothing to show there: ${missing.join(', ')}.\n` : ''
  await writeFile(join(CONSOLE, 'README.md'), `# The console\n\nEvery page, taken by \`npm run pictures\` on the books of the demo.\n${without}\n${rows.join('\n')}`)
}

/** Until its heading is there and nothing more comes. */
async function shown(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading').first().waitFor({ timeout: 90_000 })
  // A page that listens is never quite idle.
  await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => {})
}

/** The public page of a deck, and the pages of its files side by side. */
async function deckPictures(browser: Browser, url: string, api: Api, { deck_id, share_url }: Prepared): Promise<void> {
  await rm(DECKS, { recursive: true, force: true })
  await mkdir(DECKS, { recursive: true })
  for (const [name, width, height] of [['shared-page', 1100, 720], ['shared-page-phone', 390, 844]] as const) {
    const page = await browser.newPage({ viewport: { width, height }, baseURL: url })
    await page.goto(share_url)
    await page.screenshot({ path: join(DECKS, `${name}.jpg`), fullPage: name === 'shared-page-phone', ...JPEG })
    await page.close()
  }
  const pdf = await api.exported(deck_id, 'pdf')
  await contactSheet(browser, pdf, 'deck-pdf')
  const office = await withOffice(await api.exported(deck_id, 'pptx'))
  if (office) await contactSheet(browser, office, 'deck-pptx')
  else console.error('soffice was not found: no picture of the PPTX file.')
}

async function contactSheet(browser: Browser, pdf: Buffer, name: string): Promise<void> {
  const pictures: string[] = []
  for (let number = 1; ; number++) {
    const drawn = await drawPage({ kind: 'pdf', content: pdf, page: number, width: 640 })
    if (!drawn || !('png' in drawn)) break
    pictures.push(`<img src="data:image/png;base64,${Buffer.from(drawn.png).toString('base64')}" width="400">`)
  }
  const page = await browser.newPage({ viewport: { width: 1240, height: 720 } })
  await page.setContent(`<body style="margin:8px;background:#777;display:flex;flex-wrap:wrap;gap:8px">${pictures.join('')}</body>`)
  await page.screenshot({ path: join(DECKS, `${name}.jpg`), fullPage: true, type: 'jpeg', quality: 70 })
  await page.close()
}

/** As an office program shows it; null where there is none. */
async function withOffice(pptx: Buffer): Promise<Buffer | null> {
  const file = join(data, 'deck.pptx')
  await writeFile(file, pptx)
  try {
    await run('soffice', ['--headless', '--convert-to', 'pdf', '--outdir', data, file], { timeout: 180_000 })
    return await readFile(join(data, 'deck.pdf'))
  } catch {
    return null
  }
}

/** Waits until a program has said this. */
function said(stream: NodeJS.ReadableStream, what: RegExp): Promise<string> {
  let text = ''
  return new Promise((found, fail) => {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const match = what.exec(text)
      if (match?.[1]) found(match[1])
    }).on('end', () => fail(new Error(text)))
  })
}
