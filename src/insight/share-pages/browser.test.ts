// The page of a share in a real browser: on a screen, on a phone, in the dark, on paper, by keyboard, and for those who do not see it.
import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFindings } from '../../../test/e2e/browser.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { samplePng } from '../../../test/support/pictures.ts'
import { figure, newReadyDeck } from '../../../test/support/ready-deck.ts'
import { service } from '../../../test/support/service.ts'
import { findBusiness } from '../../access/lookup.ts'
import { asSystem } from '../../foundation/database/transact.ts'
import { newId } from '../../foundation/ids.ts'
import type { SharedBoard } from '../shares/contract.ts'
import { createShare } from '../shares/operations.ts'

const found = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path))
if (!found) console.warn('No browser was found: the page of a share is not tested in one. Say where one is with CHROMIUM.')
/** Where to leave pictures of the pages, for somebody to look at. */
const pictures = process.env['PAGE_PICTURES']

describe.runIf(found)('in a browser', () => {
  let browser: Browser
  let team: Team
  let urls: Record<'deck' | 'locked' | 'board', string>

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: found ?? '', args: ['--no-sandbox'] })
    team = await newBusiness()
    await team.client.put(`/businesses/${team.business_id}/logo`, { content_base64: samplePng(180, 60).content.toString('base64') })
    const { id } = await newReadyDeck(team)
    const share = async (body: object) => (await team.client.post(`/ai-reporting/decks/${id}/share`, body)).data.url as string
    urls = { deck: await share({}), locked: await share({ password: 'open sesame' }), board: await boardUrl() }
  }, 60_000)
  afterAll(() => browser?.close())

  async function boardUrl(): Promise<string> {
    const months = ['2026-01', '2026-02', '2026-03']
    const widget = { text: null, figures: [], problem: null, id: newId() }
    const board: SharedBoard = {
      title: 'Cash', as_of: '2026-03-31T12:00:00.000Z', currency: 'USD', period_start: null, period_end: null,
      widgets: [
        { ...widget, kind: 'metric', title: 'Revenue', x: 0, y: 0, w: 4, h: 1, figures: [figure('a', 'now', 123_456)] },
        { ...widget, kind: 'line', title: 'Cash by month', x: 4, y: 0, w: 8, h: 2, figures: months.map((month, index) => figure('cash', month, 1000 * index)) },
        { ...widget, kind: 'text', title: 'Words', x: 0, y: 1, w: 4, h: 1, text: 'Read me' },
      ],
    }
    const { program: { database } } = await service()
    const business = await findBusiness(database, team.business_id)
    if (!business) throw new Error('The business is gone.')
    const view = { type: 'dashboard' as const, snapshot: async () => board, live: async () => board }
    return (await asSystem(database, business, 'test', (tx) => createShare(tx, { view, id: newId() }, {}))).url
  }

  async function open(url: string, { width = 1280, height = 800, dark = false, script = true, bypassCSP = false } = {}): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', javaScriptEnabled: script, bypassCSP })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => (message.type() === 'error' ? problems.push(message.text()) : undefined))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => (request.url().startsWith('data:') || new URL(request.url()).origin === new URL(url).origin ? undefined : problems.push(`${request.url()} is elsewhere`)))
    await page.goto(url)
    return { page, problems }
  }
  const picture = async (page: Page, name: string) => (pictures ? void (await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })) : undefined)

  it.each([['screen', 1280, 800, false], ['phone', 390, 844, false], ['small phone', 320, 560, true], ['dark screen', 1280, 800, true]])('fits a %s: nothing to scroll sideways, nothing refused', async (name, width, height, dark) => {
    for (const [what, url] of [['deck', urls.deck], ['board', urls.board]] as const) {
      const { page, problems } = await open(url, { width, height, dark })
      expect(problems).toEqual([])
      const measured = await page.evaluate(`({ wide: document.documentElement.scrollWidth, logo: document.querySelector('img').naturalWidth,
        outside: [...document.querySelectorAll('main *')].filter((each) => !each.closest('.scroll, svg') && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.className),
        ground: getComputedStyle(document.body).backgroundColor, charts: [...document.querySelectorAll('svg')].filter((each) => each.getBoundingClientRect().width > 0).length })`)
      expect(measured).toMatchObject({ wide: width, logo: 180, outside: [], ground: dark ? 'rgb(16, 21, 28)' : 'rgb(238, 241, 244)', charts: 1 })
      await picture(page, `share-${what}-${name.replace(' ', '-')}`)
      await page.context().close()
    }
  })

  it('has nothing that keeps people out, in light and in the dark', async () => {
    for (const url of [urls.deck, urls.locked, urls.board]) {
      for (const dark of [false, true]) {
        const { page } = await open(url, { dark, bypassCSP: true })
        await page.locator('summary').first().click({ timeout: 500 }).catch(() => {})
        expect(await seriousFindings(page)).toEqual([])
        await page.context().close()
      }
    }
  })

  it('goes from slide to slide by keys and buttons, and back out of a presentation', async () => {
    const { page, problems } = await open(urls.deck)
    const at = () => page.locator('.count').textContent()
    const shown = () => page.locator('.slide:visible').count()
    expect([await at(), await shown()]).toEqual(['1 / 4', 4])
    await page.keyboard.press('ArrowRight')
    expect([await at(), await page.evaluate('document.activeElement.id')]).toEqual(['2 / 4', 'slide-2'])
    await page.keyboard.press('f')
    await page.locator('.presenting').waitFor()
    expect([await at(), await shown(), await page.getByRole('button', { name: 'Present' }).getAttribute('aria-pressed')]).toEqual(['2 / 4', 1, 'true'])
    await picture(page, 'share-presenting')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    expect([await at(), await page.locator('.slide:visible h2').textContent()]).toEqual(['4 / 4', 'Profit and loss'])
    await page.keyboard.press('ArrowUp')
    expect(await at()).toBe('3 / 4')
    await page.keyboard.press('Home')
    expect(await at()).toBe('1 / 4')
    await page.getByRole('button', { name: 'Next slide' }).click()
    expect(await at()).toBe('2 / 4')
    await page.keyboard.press('Escape')
    await page.waitForFunction(`!document.documentElement.classList.contains('presenting')`)
    expect([await shown(), await at()]).toEqual([4, '2 / 4'])
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('is one long page without a script, told in tables, and a slide a sheet on paper', async () => {
    const { page } = await open(urls.deck, { script: false })
    expect([await page.locator('.slide:visible').count(), await page.locator('.bar').isVisible()]).toEqual([4, false])
    await page.locator('summary').click()
    expect(await page.getByRole('table', { name: 'Revenue by month' }).getByRole('columnheader').allTextContents()).toEqual(['2026-01', '2026-02', '2026-03'])
    expect(await page.getByRole('img', { name: /^Bar chart/ }).count()).toBe(1)
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['March in figures', 'Key figures', 'Revenue by month', 'Profit and loss'])
    const paper = (await page.pdf()).toString('latin1')
    expect(paper.match(/\/Type\s*\/Page\b/g)?.length).toBe(4)
    await page.context().close()
  })

  it('opens by its password, and stays open', async () => {
    const { page } = await open(urls.locked, { width: 390, height: 844 })
    await picture(page, 'share-locked')
    await page.getByLabel('Password').fill('wrong one')
    await page.getByRole('button', { name: 'Open' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('The password is wrong.')
    await page.getByLabel('Password').fill('open sesame')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'March review' }).waitFor()
    expect(page.url()).toBe(urls.locked)
    await page.reload()
    expect(await page.getByRole('heading', { name: 'March review' }).isVisible()).toBe(true)
    await page.context().close()
  })
})
