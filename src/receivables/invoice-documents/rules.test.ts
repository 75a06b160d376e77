// The PDF of an invoice, read back by another program than the one that wrote it.
import { createRequire } from 'node:module'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { samplePng } from '../../../test/support/pictures.ts'
import type { InvoiceView, InvoiceViewLine } from '../invoice-views/contract.ts'
import { printInvoice } from './rules.ts'

const line = (more: Partial<InvoiceViewLine> = {}): InvoiceViewLine => ({
  description: 'Consulting', note: null, service_date: null, service_end_date: null, quantity: 3, unit_price: 12_500, discount: 0, amount: 37_500, taxed: '8.25%', ...more,
})

const sample: InvoiceView = {
  invoice_id: '0199d0a0-0000-7000-8000-000000000001', number: 'INV-0007', mark: null, state: 'due', currency: 'USD',
  business: {
    name: 'Harbor Coffee Roasters', country: 'US', address: { line1: '12 Pier Road', city: 'Portland', region: 'ME', postal_code: '04101', country: 'US' },
    email: 'billing@harbor.example', phone: '+1 207 555 0100', website: null, tax_numbers: ['Maine Revenue Services 80-8012345678-9'], logo: null,
  },
  customer: {
    name: 'Blue Café', email: 'cafe@example.com', tax_number: null, address: { line1: '5 Main Street', city: 'Bath', region: 'ME', postal_code: '04530', country: 'US' }, shipping_address: null,
  },
  invoice_date: '2026-03-01', due_date: '2026-03-31', terms: 'Net 30', purchase_order_number: 'PO-12',
  lines: [line(), line({ description: 'Espresso beans', quantity: 1, unit_price: 8333, amount: 8333 })],
  prices_include_tax: false, subtotal: 45_833, discount_total: 0, taxes: [{ name: 'Maine sales tax', percent: '8.2500', net: 45_833, amount: 3781 }], total: 49_614,
  payments: [{ date: '2026-03-10', method: 'bank transfer', reference: 'Check 7', amount: 20_000 }], credits: [], balance_due: 29_614,
  message: 'Thank you for your business.', footer: 'Late payments bear interest.', pay_url: 'https://books.example/pay/abc', paid_on: null, updated_at: '2026-03-10T12:00:00.000Z',
}

/** The large fonts are packages of their own, which an installation may leave out. */
const hasFonts = (() => {
  try {
    return createRequire(import.meta.url).resolve('@embedpdf/fonts-sc') !== ''
  } catch {
    return false
  }
})()

type Piece = { text: string; x: number; right: number; y: number; size: number }
type Read = { pages: { pieces: Piece[]; text: string; width: number; height: number; links: string[] }[]; text: string; title: unknown }

async function read(bytes: Buffer): Promise<Read> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const pages = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const [, , width = 0, height = 0] = page.view
    const { items } = await page.getTextContent()
    const pieces = items.flatMap((item) => ('str' in item && item.str.trim() !== ''
      ? [{ text: item.str, x: item.transform[4], right: item.transform[4] + item.width, y: item.transform[5], size: Math.hypot(item.transform[0], item.transform[1]) }] : []))
    const links = (await page.getAnnotations()).map(({ url }) => String(url))
    pages.push({ pieces, text: items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''), width, height, links })
  }
  const { info } = await pdf.getMetadata()
  return { pages, text: pages.map(({ text }) => text).join('\n'), title: (info as { Title?: string }).Title }
}

const printed = async (more: Partial<InvoiceView> = {}) => read(await printInvoice({ ...sample, ...more }))
const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
/** Without spaces: which of them are characters and which are gaps is a matter of the reader. */
const dense = (text: string) => text.replaceAll(/\s+/g, '')

/** Nothing beyond the margins, no two pieces of text on top of each other. The mark across the page is meant to be. */
function requireTidy({ pages }: Read): void {
  for (const { pieces, width, height } of pages) {
    const written = pieces.filter(({ size }) => size < 60)
    for (const { text, x, right, y, size } of written) {
      expect([text, x >= 47.5, right <= width - 47.5, y - size * 0.3 >= 40, y + size <= height - 40]).toEqual([text, true, true, true, true])
    }
    const clash = written.flatMap((one, index) => written.slice(index + 1).filter((other) =>
      one.x < other.right - 0.5 && other.x < one.right - 0.5 && one.y < other.y + other.size * 0.7 && other.y < one.y + one.size * 0.7).map((other) => `${one.text} × ${other.text}`))
    expect(clash).toEqual([])
  }
}

describe('one page', () => {
  it('says all that an accountant looks for', async () => {
    const found = await printed()
    expect(found.pages).toHaveLength(1)
    expect(found.title).toBe('Invoice INV-0007 of Harbor Coffee Roasters')
    for (const words of [
      'Harbor Coffee Roasters', '12 Pier Road', 'Portland, ME 04101', 'billing@harbor.example', 'Maine Revenue Services 80-8012345678-9',
      'Bill to', 'Blue Café', '5 Main Street', 'Bath, ME 04530', 'INV-0007', 'March 1, 2026', 'March 31, 2026', 'Net 30', 'PO-12', 'Consulting', '125.00', '375.00', '8.25%',
      'Subtotal', '458.33', 'Maine sales tax 8.25% of 458.33', '37.81', 'USD 496.14', 'Payment of March 10, 2026, bank transfer, Check 7', '-200.00', 'Amount due', 'USD 296.14',
      'Thank you for your business.', 'Late payments bear interest.', 'https://books.example/pay/abc', 'Page 1 of 1',
    ]) expect(dense(found.text)).toContain(dense(words))
    expect(found.pages[0]?.links).toEqual(['https://books.example/pay/abc'])
    expect(found.text).not.toContain('Ship to')
    expect(found.text).not.toContain('Discount')
    requireTidy(found)
  })

  it('has its figures flush right', async () => {
    const { pages } = await printed()
    const right = (text: string) => pages[0]?.pieces.filter((piece) => dense(piece.text) === dense(text)).map((piece) => Math.round(piece.right))
    const edge = right('375.00')?.[0]
    for (const figure of ['83.33', '458.33', '37.81', 'USD 496.14', '-200.00', 'USD 296.14']) expect(right(figure)).toContain(edge)
  })

  it('is the same file for the same invoice, and another for another', async () => {
    const with_logo = { ...sample, business: { ...sample.business, logo: samplePng(120, 40) } }
    const [one, two, other] = [await printInvoice(with_logo), await printInvoice(structuredClone(with_logo)), await printInvoice({ ...with_logo, updated_at: '2026-03-11T12:00:00.000Z' })]
    expect(one.equals(two)).toBe(true)
    expect(one.equals(other)).toBe(false)
  })

  it('holds the logo', async () => {
    const bare = await printInvoice(sample)
    for (const picture of [samplePng(120, 40), samplePng(40, 400), samplePng(2000, 10)]) {
      const bytes = await printInvoice({ ...sample, business: { ...sample.business, logo: picture } })
      expect(bytes.includes('/Subtype /Image')).toBe(true)
      requireTidy(await read(bytes))
    }
    expect(bare.includes('/Subtype /Image')).toBe(false)
  })

  it('is letter where printers hold that, A4 elsewhere', async () => {
    const sizeIn = async (country: string) => {
      const { pages: [page] } = await printed({ business: { ...sample.business, country } })
      return [Math.round(page?.width ?? 0), Math.round(page?.height ?? 0)]
    }
    expect([await sizeIn('US'), await sizeIn('CA'), await sizeIn('DE'), await sizeIn('GB')]).toEqual([[612, 792], [612, 792], [595, 842], [595, 842]])
  })

  it.each([
    ['DRAFT', { mark: 'DRAFT', state: 'draft', number: null, pay_url: null } as const, 'Draft invoice'],
    ['VOID', { mark: 'VOID', state: 'void', pay_url: null } as const, 'Void'],
  ])('is marked %s across the page', async (mark, more, words) => {
    const found = await printed(more)
    expect(found.pages[0]?.pieces.filter(({ size }) => size > 60).map(({ text }) => text)).toEqual([mark])
    expect(found.text).toContain(words)
    requireTidy(found)
  })

  it('shows discounts, credits, where goods went and what prices contain', async () => {
    const found = await printed({
      lines: [line({ discount: 500, amount: 37_000, note: 'As agreed', service_date: '2026-02-01', service_end_date: '2026-02-28' })], discount_total: 500, prices_include_tax: true,
      customer: { ...sample.customer, shipping_address: { line1: '9 Dock Lane', city: 'Halifax', country: 'CA' }, tax_number: 'EL123' },
      credits: [{ date: '2026-03-11', number: 'CM-0001', amount: 1000 }],
    })
    for (const words of ['Discount', '-5.00', 'As agreed', 'February 1, 2026 to February 28, 2026', 'Ship to', '9 Dock Lane', 'Canada', 'Tax number EL123', 'Credit CM-0001 of March 11, 2026', '-10.00', 'Without tax', 'With tax (USD)']) {
      expect(dense(found.text)).toContain(dense(words))
    }
    requireTidy(found)
  })

  it('stands the largest amounts', async () => {
    const most = Number.MAX_SAFE_INTEGER
    const found = await printed({ lines: [line({ quantity: most, unit_price: most, discount: most, amount: most, taxed: 'State 6.25% County 1% City 2.125%' })], subtotal: most, total: most, balance_due: most })
    expect(dense(found.text)).toContain('90,071,992,547,409.91')
    requireTidy(found)
  })
})

describe('many pages', () => {
  const many = Array.from({ length: 200 }, (_, index) => line({ description: `Item ${index + 1} ${'with many words '.repeat(index % 7)}` }))

  it('two hundred lines break well: heads repeat, nothing is lost, totals stay together', async () => {
    const found = await printed({ lines: many })
    const count = found.pages.length
    expect(count).toBeGreaterThan(5)
    found.pages.forEach(({ text }, index) => {
      expect(flat(text)).toContain(`Page ${index + 1} of ${count}`)
      expect(text).toContain('Harbor Coffee Roasters')
      if (/Item \d/.test(text)) expect(flat(text)).toContain('Description')
      if (index > 0) expect(text).toContain('Invoice INV-0007')
    })
    expect(Array.from(found.text.matchAll(/Item (\d+)/g), ([, number]) => Number(number))).toEqual(many.map((_, index) => index + 1))
    const last = found.pages.filter(({ text }) => text.includes('Subtotal'))
    expect(last).toHaveLength(1)
    for (const words of ['Amount due', 'Payment of', 'Item 200']) expect(last[0]?.text).toContain(words)
    requireTidy(found)
  })

  it.each(Array.from({ length: 14 }, (_, count) => count + 10))('totals are never alone, whatever the number of lines: %d', async (count) => {
    const found = await printed({ lines: many.slice(0, count) })
    const [page] = found.pages.filter(({ text }) => text.includes('Subtotal'))
    expect(page?.text).toContain(`Item ${count}`)
    expect(page?.text).toContain('Amount due')
    requireTidy(found)
  })

  it('a description longer than a page goes on, and so do many payments', async () => {
    const found = await printed({
      lines: [line({ description: 'Lorem ipsum dolor sit amet. '.repeat(300) }), line({ description: 'Afterwards' })], message: 'Terms. '.repeat(700),
      payments: Array.from({ length: 70 }, (_, index) => ({ date: '2026-03-10', method: 'card', reference: `ch-${index}`, amount: 100 })),
    })
    expect(found.text.match(/Lorem/g)).toHaveLength(300)
    expect(found.text.match(/ch-\d+/g)).toHaveLength(70)
    expect(found.text.match(/Terms\./g)).toHaveLength(700)
    requireTidy(found)
  })

  it('a word longer than a line is broken, and an invoice without lines is a page', async () => {
    const found = await printed({ lines: [line({ description: 'x'.repeat(500) })], business: { ...sample.business, name: 'N'.repeat(200) }, customer: { ...sample.customer, name: 'W'.repeat(200) } })
    expect(found.text.match(/x/g)?.length).toBeGreaterThanOrEqual(500)
    requireTidy(found)
    requireTidy(await printed({ lines: [] }))
  })
})

describe('scripts', () => {
  it.each([
    ['Greek', 'Παπαδόπουλος Α.Ε.'], ['Cyrillic', 'ООО «Рога и копыта»'], ['Latin of all kinds', 'Łódź Ağaoğlu Ðặng Þór'], ['Armenian', 'Հայաստան'], ['Georgian', 'საქართველო'],
  ])('%s comes out as it went in', async (_name, name) => {
    const found = await printed({ customer: { ...sample.customer, name } })
    expect(dense(found.text)).toContain(dense(name))
    requireTidy(found)
  })

  it.runIf(hasFonts).each([
    ['Chinese', '北京示例科技有限公司'], ['traditional Chinese', '臺灣範例股份有限公司'], ['Japanese', '株式会社サンプル（ひらがな）'], ['Korean', '주식회사 예제'],
  ])('%s comes out as it went in', async (_name, name) => {
    const found = await printed({ customer: { ...sample.customer, name } })
    expect(dense(found.text)).toContain(dense(name))
    requireTidy(found)
  })

  it.each([['Hebrew', 'חברה לדוגמה'], ['Arabic', 'شركة المثال'], ...(hasFonts ? [['Thai', 'บริษัท'], ['Hindi', 'नमूना']] : [])] as [string, string][])('%s is there in letters, not in boxes', async (_name, name) => {
    const found = await printed({ customer: { ...sample.customer, name } })
    const letters = new Set(dense(found.text.normalize('NFKC')))
    expect([...dense(name)].filter((letter) => /\p{L}/u.test(letter) && !letters.has(letter))).toEqual([])
    requireTidy(found)
  })

  it('a word that runs to the left stands before the one that follows it, and a figure keeps its order', async () => {
    const { pages: [page] } = await printed({ customer: { ...sample.customer, name: 'Acme חברה לדוגמה 2026 Ltd' } })
    const at = (text: string) => page?.pieces.find((piece) => piece.text.includes(text))
    expect(at('2026')).toBeDefined()
    expect(dense(page?.text ?? '')).toContain('Acme')
    const hebrew = page?.pieces.filter(({ text }) => /\p{Script=Hebrew}/u.test(text)) ?? []
    expect(hebrew.length).toBeGreaterThan(0)
  })

  it.runIf(hasFonts)('Chinese breaks without spaces, and never before a closing sign', async () => {
    const found = await printed({ lines: [line({ description: '软件开发、设计、测试、部署、培训、维护。'.repeat(12) })] })
    expect(dense(found.text).match(/维护/g)).toHaveLength(12)
    expect(found.text.split('\n').filter((row) => /^[、。]/.test(row.trim()))).toEqual([])
    requireTidy(found)
  })

  it('what no font has is a box, and control signs are nothing', async () => {
    const found = await printed({ customer: { ...sample.customer, name: 'A\u0007B\u202eC 🦄' } })
    expect(found.text).toContain('ABC')
  })
})
