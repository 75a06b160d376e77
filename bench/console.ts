// npm run bench:console: a list of a million invoices, scrolled in a browser: how long the longest frame takes, at its beginning and far down.
import { chromium, type Page } from 'playwright-core'
import { hashPassword } from '../src/foundation/secrets.ts'
import { chromiumPath } from '../test/e2e/chromium.ts'
import { asOwner, newBooks, newCaller, withoutIndexes } from './parts/books.ts'
import { FILLED, fillInvoices } from './parts/invoices.ts'
import { startDaybook, startMachine } from './parts/machine.ts'

const COUNT = Number(process.env['COUNT'] ?? 1_000_000)
/** Rows between the first measurement and the second. */
const DEPTH = Number(process.env['DEPTH'] ?? 50_000)
const SECONDS = 10
const PASSWORD = 'a passphrase for the bench'

/** Runs in the page: scrolls by so many pixels with every frame, and says how long the frames took. */
const SCROLL = `async (pixels, milliseconds) => {
  const scroller = document.querySelector('[role=table]')
  const gaps = []
  const started = performance.now()
  for (let last = started, now = last; now - started < milliseconds; last = now) {
    now = await new Promise((drawn) => requestAnimationFrame(() => drawn(performance.now())))
    gaps.push(now - last)
    scroller.scrollTop += pixels
  }
  gaps.sort((one, other) => one - other)
  const rows = Math.max(...[...scroller.querySelectorAll('[data-index]')].map(({ dataset }) => Number(dataset.index)))
  return { longest: gaps.at(-1), middle: gaps[gaps.length >> 1], rows }
}`

/** Runs in the page: to the end of what is there, and the number of the last row that is drawn then. */
const TO_THE_END = `async () => {
  const scroller = document.querySelector('[role=table]')
  scroller.scrollTop = scroller.scrollHeight
  await new Promise((drawn) => requestAnimationFrame(drawn))
  return Math.max(0, ...[...scroller.querySelectorAll('[data-index]')].map(({ dataset }) => Number(dataset.index)))
}`

const machine = await startMachine()
try {
  const daybook = await startDaybook(machine)
  const caller = await newCaller(machine.database_url)
  const books = await newBooks(daybook.url, caller, 'Bench console')
  await withoutIndexes(machine.database_url, () => fillInvoices(machine.database_url, books, COUNT), FILLED)
  const password_hash = await hashPassword(PASSWORD)
  await asOwner(machine.database_url, (client) => client.query('update users set password_hash = $2 where id = $1', [caller.user_id, password_hash]))
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, baseURL: daybook.url })
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`${caller.user_id}@example.com`, { timeout: 90_000 })
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
  await page.goto('/invoices')
  await page.locator('[role=row][data-index="0"]').waitFor({ timeout: 30_000 })
  const resting = await frames(page, 0, SECONDS)
  const first = await frames(page, 30, SECONDS)
  const deep = await until(page, DEPTH)
  const far = await frames(page, 30, SECONDS)
  const told = ({ longest, middle, rows }: Frames) => `${longest.toFixed(0)} ms, the middle one ${middle.toFixed(0)} ms (row ${rows.toLocaleString('en')})`
  console.table([
    { measured: `longest frame of a list of ${COUNT.toLocaleString('en')}, at rest`, result: told(resting) },
    { measured: 'scrolled from its beginning', result: told(first) },
    { measured: `scrolled from row ${deep.toLocaleString('en')} on`, result: told(far) },
  ])
  await browser.close()
  await daybook.stop()
} finally {
  await machine.stop()
}

type Frames = { longest: number; middle: number; rows: number }

function frames(page: Page, pixels: number, seconds: number): Promise<Frames> {
  return page.evaluate<Frames>(`(${SCROLL})(${pixels}, ${seconds * 1000})`)
}

/** On to this row, as fast as the pages come. */
async function until(page: Page, row: number): Promise<number> {
  for (let at = 0; ;) {
    at = await page.evaluate<number>(`(${TO_THE_END})()`)
    if (at >= row) return at
  }
}
