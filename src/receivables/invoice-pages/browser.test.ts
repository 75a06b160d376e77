// The page of an invoice in a real browser: on a screen, on a phone, on paper, by keyboard, up to the payment and back.
import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samplePng } from '../../../test/support/pictures.ts'
import { newSeller, ok, type Seller } from '../../../test/support/sales.ts'

const found = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path))
if (!found) console.warn('No browser was found: the page of an invoice is not tested in one. Say where one is with CHROMIUM.')
/** Where to leave pictures of the pages, for somebody to look at. */
const pictures = process.env['PAGE_PICTURES']

describe.runIf(found)('in a browser', () => {
  let browser: Browser
  let seller: Seller
  let invoice: { id: string; number: string; hosted_invoice_url: string }

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: found ?? '', args: ['--no-sandbox'] })
    seller = await newSeller()
    await seller.client.put(`/businesses/${seller.business_id}`, { legal_name: 'Harbor Coffee Roasters LLC', email: 'billing@harbor.example', address: { line1: '12 Pier Road', city: 'Portland', region: 'ME', postal_code: '04101', country: 'US' } })
    await seller.client.put(`/businesses/${seller.business_id}/logo`, { content_base64: samplePng(180, 60).content.toString('base64') })
    ok(await seller.client.post('/processor/connection', { return_url: 'https://example.com/done', refresh_url: 'https://example.com/again' }))
    const line_items = [
      { description: 'Espresso beans, dark roast, from a cooperative in the hills', note: 'Roasted on Monday', quantity: 12, unit_price: 1450, discount_percent: '10' },
      { description: '株式会社サンプル ソフトウェア保守', quantity: 1, unit_price: 250_000, service_date: '2026-02-01', service_end_date: '2026-02-28' },
      ...Array.from({ length: 10 }, (_, index) => ({ description: `Further item ${index + 1} ${'averylongwordwithoutabreak'.repeat(index === 3 ? 6 : 0)}`, quantity: index + 1, unit_price: 999 })),
    ]
    invoice = await seller.open({ line_items, invoice_date: '2026-02-01', due_date: '2099-03-01', customer_message: 'Thank you for your business.', allow_partial_payments: true })
    ok(await seller.client.post(`/invoices/${invoice.id}/payments`, { amount: 10_000, paid_on: '2026-02-10', method: 'check' }))
  }, 60_000)
  afterAll(() => browser?.close())

  async function open(width: number, height: number, url = invoice.hosted_invoice_url): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage({ viewport: { width, height } })
    const problems: string[] = []
    page.on('console', (message) => (message.type() === 'error' ? problems.push(message.text()) : undefined))
    page.on('requestfailed', (request) => problems.push(`${request.url()} failed`))
    page.on('request', (request) => (new URL(request.url()).origin === new URL(url).origin ? undefined : problems.push(`${request.url()} is elsewhere`)))
    await page.goto(url)
    return { page, problems }
  }
  const picture = async (page: Page, name: string) => (pictures ? void (await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })) : undefined)

  it.each([['screen', 1280, 900], ['tablet', 768, 1024], ['phone', 375, 720], ['small phone', 320, 560]])('fits a %s: nothing to scroll sideways, nothing refused, style and logo are there', async (name, width, height) => {
    const { page, problems } = await open(width, height)
    expect(problems).toEqual([])
    const measured = await page.evaluate(`({
      wide: document.documentElement.scrollWidth,
      logo: document.querySelector('img').naturalWidth,
      background: getComputedStyle(document.querySelector('button')).backgroundColor,
      outside: [...document.querySelectorAll('main *')].filter((each) => each.tagName !== 'CAPTION' && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.textContent),
      button: document.querySelector('button').getBoundingClientRect().height,
    })`) as { wide: number; logo: number; background: string; outside: string[]; button: number }
    expect(measured).toMatchObject({ logo: 180, background: 'rgb(26, 86, 168)', outside: [] })
    expect(measured.wide).toBeLessThanOrEqual(width)
    // Large enough for a thumb.
    expect(measured.button).toBeGreaterThanOrEqual(44)
    await picture(page, `invoice-${name.replace(' ', '-')}`)
    await page.close()
  })

  it('can be read by those who do not see it', async () => {
    const { page } = await open(1280, 900)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Invoice ${invoice.number}`)
    expect(await page.getByRole('table', { name: 'What this invoice is for' }).getByRole('columnheader').allTextContents()).toEqual(['Description', 'Quantity', 'Unit price', 'Discount', 'Amount (USD)'])
    expect(await page.getByRole('rowheader').count()).toBe(12)
    expect(await page.getByLabel('Amount to pay in USD').inputValue()).toMatch(/^[\d,]+\.\d\d$/)
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    await page.close()
  })

  it('prints without what only a screen needs', async () => {
    const { page } = await open(1280, 900)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button').isVisible()).toBe(false)
    expect(await page.getByText('Download PDF').isVisible()).toBe(false)
    expect(await page.getByText('Amount due').last().isVisible()).toBe(true)
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
    await page.close()
  })

  it('is paid by keyboard: a part, with a card, and back again', async () => {
    const { page, problems } = await open(375, 720)
    await page.getByLabel('Amount to pay in USD').focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('12.50')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sandbox\/checkout\//)
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByLabel('Expiry').fill('12/34')
    await page.getByLabel('Security code').fill('123')
    await picture(page, 'checkout-phone')
    await page.getByRole('button', { name: /Pay/ }).click()
    await page.waitForURL(/\/pay\/.*paid=1250$/)
    expect((await page.getByRole('status').textContent())?.replaceAll('\u00a0', ' ')).toContain('Your payment of USD 12.50')
    await picture(page, 'invoice-back-phone')
    expect(problems).toEqual([])
    await page.close()
  })

  it('a link that opens nothing says so', async () => {
    const { page } = await open(375, 720, invoice.hosted_invoice_url.replace(/.{6}$/, 'AAAAAA'))
    expect(await page.getByRole('heading').textContent()).toBe('Not found')
    await page.close()
  })
})
