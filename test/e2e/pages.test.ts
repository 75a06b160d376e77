// Every page of the console, in light and dark: it shows something, nothing goes wrong in it, and axe finds nothing serious.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSeller, type Seller } from '../support/sales.ts'
import { openBrowser, seriousFindings, signIn, visit, type Visit } from './browser.ts'
import { chromiumPath } from './chromium.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The addresses that the areas name, without those that need a record of their own. */
const paths = readdirSync(join(ROOT, 'console/src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => { try { return [readFileSync(join(ROOT, 'console/src', name, 'area.ts'), 'utf8')] } catch { return [] } })
  .flatMap((text) => [...text.matchAll(/path: '([^'$]+)'[^}]*?(open: true)?\s*}/g)].filter(([, , open]) => !open).map(([, path]) => path as string))

describe.runIf(chromiumPath)('the pages of the console', () => {
  let browser: Browser
  let seller: Seller
  beforeAll(async () => {
    browser = await openBrowser()
    seller = await newSeller()
    await seller.open({ line_items: [{ description: 'Work', quantity: 3, unit_price: 12_500 }], invoice_date: '2026-02-01', due_date: '2026-03-01' })
    await seller.invoice({ line_items: [{ description: 'More work', unit_price: 9_900 }] })
  }, 60_000)
  afterAll(() => browser?.close())

  // Every other page, by turns in one of the two looks; E2E=all looks at every page in both.
  it.each([{ dark: false, width: 1280 }, { dark: true, width: 390 }])('are sound: %j', async (look) => {
    expect(paths.length).toBeGreaterThan(30)
    const chosen = paths.filter((_, index) => process.env['E2E'] === 'all' || index % 4 === (look.dark ? 0 : 2))
    const { page, problems }: Visit = await visit(browser, look)
    await signIn(page, seller.owner)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const findings: string[] = []
    for (const path of chosen) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor().catch(() => findings.push(`${path}: no heading`))
      // The stream of the bell never ends: what is idle otherwise is idle soon.
      await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => {})
      for (const finding of await seriousFindings(page)) findings.push(`${path}: ${finding}`)
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (wider > 1) findings.push(`${path}: ${wider} pixels wider than the screen`)
    }
    expect(findings).toEqual([])
    expect(problems).toEqual([])
  }, 300_000)

  it('begin with less than 300 KB of script', async () => {
    const { page } = await visit(browser)
    const scripts = await page.evaluate<string[]>('[...document.querySelectorAll("script[src], link[rel=modulepreload]")].map((element) => element.src || element.href)')
    let size = 0
    for (const script of scripts) size += brotliCompressSync(Buffer.from(await (await fetch(script)).arrayBuffer())).length
    expect(scripts.length).toBeGreaterThan(0)
    expect(size).toBeLessThan(300_000)
  })
})
