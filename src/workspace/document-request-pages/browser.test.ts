// The page of a request in a real browser: on a phone, at night, by keyboard, read by those who do not see it, without any script.
import { existsSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { sentRequest } from '../../../test/support/requests.ts'
import { service } from '../../../test/support/service.ts'

const found = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path))
if (!found) console.warn('No browser was found: the page of a request is not tested in one. Say where one is with CHROMIUM.')
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

describe.runIf(found)('in a browser', () => {
  let browser: Browser
  let team: Team
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: found ?? '', args: ['--no-sandbox'] })
    team = await newBusiness()
  }, 60_000)
  afterAll(() => browser?.close())

  /** What is said to be wrong with the page for those who do not see it. */
  async function faults(page: Page): Promise<string[]> {
    await page.evaluate(axe)
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string; nodes: { target: string[] }[] }[] }
    return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.target.join(' ')}`)
  }

  it('papers are sent by keyboard on a phone, by day and by night, with scripts turned off', async () => {
    const { request, token } = await sentRequest(team.client, {
      due_date: '2020-01-31', message: 'Photos are fine.', items: [{ label: `A ${'verylongword'.repeat(8)}`, period: '2026-03' }, { label: 'Receipts', required: false, note: 'All of them' }],
    })
    const url = `${(await service()).url}/request/${token}`
    const page = await browser.newPage({ viewport: { width: 390, height: 800 }, javaScriptEnabled: false })
    await page.goto(url)
    await page.getByLabel('Choose files for Receipts').setInputFiles({ name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from('Two coffees') })
    await page.getByLabel('Choose files for Receipts').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/said=sent$/)
    expect(await page.getByRole('status').textContent()).toContain('your files have arrived')
    await page.getByLabel('Choose more files for Receipts').setInputFiles({ name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('words') })
    await page.getByRole('button', { name: 'Send for Receipts' }).press('Enter')
    expect(await page.getByRole('alert').textContent()).toContain('its content is plain text')
    await page.getByRole('button', { name: 'I am done' }).press('Enter')
    await page.waitForURL(/said=done$/)
    expect((await team.client.get(`/document-requests/${request.id}`)).data).toMatchObject({ status: 'partially_received', items: [{ status: 'open' }, { status: 'received', files: [{ name: 'receipt.txt' }] }] })
    await page.close()

    // The policy of the page lets no script in, so it is set aside to look at the page with one.
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, bypassCSP: true })
    const seen = await context.newPage()
    const elsewhere: string[] = []
    seen.on('request', (asked) => (new URL(asked.url()).origin === new URL(url).origin ? undefined : elsewhere.push(asked.url())))
    await seen.goto(url)
    for (const colorScheme of ['light', 'dark'] as const) {
      await seen.emulateMedia({ colorScheme })
      expect(await faults(seen), colorScheme).toEqual([])
    }
    const measured = (await seen.evaluate(`({ wide: document.documentElement.scrollWidth, button: Math.min(...[...document.querySelectorAll('form[enctype] button')].map((each) => each.offsetHeight)), background: getComputedStyle(document.body).backgroundColor })`)) as { wide: number; button: number; background: string }
    expect(measured.wide).toBeLessThanOrEqual(390)
    expect(measured.button).toBeGreaterThanOrEqual(44)
    expect([measured.background, elsewhere]).toEqual(['rgb(17, 21, 27)', []])
    await context.close()
  }, 60_000)
})
