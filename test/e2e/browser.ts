// A browser for the stories of the console: found on the machine, or the stories are left out and say so.
import { readFile } from 'node:fs/promises'
import { chromium, type Browser, type Page } from 'playwright-core'
import { PASSWORD, type Person } from '../support/people.ts'
import { service } from '../support/service.ts'
import { chromiumPath } from './chromium.ts'

if (!chromiumPath) console.warn('\n!!! No browser was found: the stories of the console are NOT run. Say where one is with CHROMIUM.\n')

export type Visit = { page: Page; problems: string[] }

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] })
}

/** A page that notes whatever goes wrong in it; the console asks nobody but its own server. */
export async function visit(browser: Browser, { width = 1280, height = 800, dark = false } = {}): Promise<Visit> {
  const { url } = await service()
  // axe is put into the page, which its own policy would refuse.
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', baseURL: url, bypassCSP: true })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => (/^(blob|data):/.test(request.url()) || new URL(request.url()).origin === url ? undefined : problems.push(`${request.url()} is elsewhere`)))
  // The first visitor waits while the console is built.
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ timeout: 90_000 })
  return { page, problems }
}

export async function signIn(page: Page, { email }: Pick<Person, 'email'>, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
}

/** What keeps people from using a page, of the serious kind. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[] }> } }
    return (await axe.run({ resultTypes: ['violations'] })).violations
  })
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')} ${nodes[0]?.failureSummary}`)
}
