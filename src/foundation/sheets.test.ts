import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pack, unpack } from './archive.ts'
import { Refusal } from './refusal.ts'
import { plainNumber } from './sheet-reading.ts'
import { csvOf, csvStream, downloadOf, pdfOf, readMoney, readSheet, xlsxOf, type Table } from './sheets.ts'

const fileOf = (content: string | Buffer, file_name = 'rows.csv') => ({ file_name, content_base64: Buffer.from(content as string).toString('base64') })
const rowsOf = async (content: string | Buffer) => (await readSheet(fileOf(content))).rows
const refusal = async (content: string | Buffer | { file_name: string; content_base64: string }) => {
  const file = typeof content === 'string' || Buffer.isBuffer(content) ? fileOf(content) : content
  const error = await readSheet(file).then(() => null, (thrown: unknown) => thrown)
  if (!(error instanceof Refusal)) throw new Error(`Not refused, but: ${String(error)}`)
  return `${error.status} ${error.detail}`
}

const columns: Table['columns'] = [
  { key: 'name', label: 'Name', kind: 'text' },
  { key: 'amount', label: 'Amount Due', kind: 'money' },
  { key: 'on', label: 'Date', kind: 'date' },
  { key: 'count', label: 'Count', kind: 'integer' },
  { key: 'rate', label: 'Rate', kind: 'decimal' },
]

const line = fc.record({
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((value) => value.trim()).filter((value) => /^[^=+\-@]/.test(value)),
  amount: fc.maxSafeInteger(),
  on: fc.date({ min: new Date('1900-03-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((value) => value.toISOString().slice(0, 10)),
  count: fc.integer(),
  rate: fc.integer({ min: 1, max: 10 ** 9 }).map((value) => plainNumber(String(value / 10 ** 6))),
})
const decimalOf = (cents: number) => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

describe('what is written is read back', () => {
  it('as CSV, to the letter', async () => {
    await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (rows) => {
      const read = await readSheet(fileOf(csvOf({ columns, rows })))
      expect(read.columns).toEqual(['name', 'amount_due', 'date', 'count', 'rate'])
      expect(read.rows).toEqual(rows.map((row, index) => ({
        row: index + 2, cells: { name: row.name, amount_due: decimalOf(row.amount), date: row.on, count: String(row.count), rate: row.rate },
      })))
      expect(read.rows.map(({ cells }) => readMoney(cells['amount_due'] ?? ''))).toEqual(rows.map(({ amount }) => amount))
    }), { numRuns: 50 })
  })

  it('as XLSX, to the cent and the day', async () => {
    const printable = line.filter(({ name }) => /^[\x20-\x7e\xa0-\ud7ff]+$/.test(name))
    await fc.assert(fc.asyncProperty(fc.array(printable, { minLength: 1, maxLength: 20 }), async (rows) => {
      const read = await readSheet(fileOf(await xlsxOf({ title: 'A/B: [test]?', columns, rows }), 'rows.xlsx'))
      expect(read.rows.map(({ row, cells }) => ({ row, ...cells, amount_due: readMoney(cells['amount_due'] ?? '') }))).toEqual(rows.map((row, index) => ({
        row: index + 2, name: row.name, amount_due: row.amount, date: row.on, count: String(row.count), rate: row.rate,
      })))
    }), { numRuns: 30 })
  })

  it('as a stream, the same bytes as at once', async () => {
    const rows = Array.from({ length: 1_234 }, (_, index) => ({ name: `Row "${index}"`, amount: -index, on: null, count: index, rate: null }))
    const streamed = await csvStream(columns, (async function* () { yield* rows })()).toArray()
    expect(streamed.length).toBeGreaterThan(2)
    expect(Buffer.concat(streamed.map((chunk) => Buffer.from(chunk))).toString()).toBe(csvOf({ columns, rows }))
  })
})

describe('CSV', () => {
  it('is RFC 4180, with amounts in units, and no cell is a formula', () => {
    const rows = [
      { name: '=1+1', amount: -123456, on: '2026-01-31', count: 1, rate: '-1.5' },
      { name: '+a', amount: 5, on: null, count: null, rate: null },
      { name: '-b "c"', amount: null, on: null, count: null, rate: null },
      { name: '@d', amount: 0, on: null, count: null, rate: null, style: { bold: true } },
      { name: '\te\nf', amount: 100, on: null, count: null, rate: null },
    ]
    expect(csvOf({ columns, rows })).toBe([
      'Name,Amount Due,Date,Count,Rate',
      "'=1+1,-1234.56,2026-01-31,1,-1.5",
      "'+a,0.05,,,",
      '"\'-b ""c""",,,,',
      "'@d,0.00,,,",
      '"\'\te\nf",1.00,,,',
      '',
    ].join('\r\n'))
  })

  it('takes commas, semicolons and tabs, a byte order mark, quotes, blank lines and any line end', async () => {
    const expected = [{ row: 2, cells: { a: '1,5', b_c: 'x "y"\nz' } }, { row: 4, cells: { a: '2', b_c: '' } }]
    for (const separator of [',', ';', '\t']) {
      for (const end of ['\n', '\r\n', '\r']) {
        const content = [` A ${separator}"B  c"`, `"1,5"${separator}"x ""y""\nz"`, '', `2${separator}`].join(end)
        expect(await rowsOf(content), JSON.stringify([separator, end])).toEqual(expected)
        expect(await rowsOf(`\ufeff${content}${end}`)).toEqual(expected)
      }
    }
  })

  it('names the row that is wrong', async () => {
    expect(await refusal('a,b\n1,2\n3,"4\n5,6\n')).toBe('400 Row 3 of rows.csv opens a quote that is never closed.')
    expect(await refusal('a,b\n1,2\n3,"4"x\n')).toMatch(/^400 Row 3 of rows\.csv has text after a closing quote/)
    expect(await refusal('a,b\n1,x"y\n')).toMatch(/^400 Row 2 of rows\.csv has a quote inside/)
    expect(await refusal('a,b\n1,2\n\n1,2,3\n')).toBe('400 Row 4 of rows.csv has 3 cells, but its header has 2.')
    expect(await refusal('a,B , b\n1,2,3\n')).toBe('400 Row 1 of rows.csv names the column b twice.')
    expect(await refusal('a,,b\n1,2,3\n')).toMatch(/^400 Row 1 of rows\.csv has no name for column 2/)
    expect(await refusal('__proto__\n1\n')).toMatch(/^400 Row 1 of rows\.csv names a column __proto__/)
    expect(await refusal('a,b\n')).toBe('400 rows.csv has no rows below row 1, its header.')
    expect(await refusal('\n\n')).toMatch(/^400 Row 1 of rows\.csv has no name/)
    expect(await refusal(`a\n"${'x'.repeat(2_000_000)}"\n`)).toBe('400 Row 2 of rows.csv is longer than 1000000 characters.')
    const wide = Array.from({ length: 1_001 }, (_, index) => `c${index}`).join(',')
    expect(await refusal(`${wide}\n1\n`)).toMatch(/^400 Row 1 of rows\.csv has more than 1000 columns/)
  })

  it('is refused where it is no text', async () => {
    expect(await refusal({ file_name: 'x.csv', content_base64: 'not base64!' })).toBe('400 The content of x.csv is not base64.')
    expect(await refusal({ file_name: 'x.csv', content_base64: '====' })).toBe('400 The content of x.csv is not base64.')
    expect(await refusal(Buffer.from([0x61, 0xff, 0x0a]))).toMatch(/^400 rows\.csv is not text in UTF-8/)
    expect(await refusal(Buffer.from('a\n1\0\n'))).toMatch(/^400 rows\.csv is not text in UTF-8/)
    expect(await refusal(Buffer.from('a\n1\n', 'utf16le'))).toMatch(/^400 rows\.csv is not text in UTF-8/)
    expect(await refusal('%PDF-1.7 …')).toMatch(/^400 rows\.csv is a PDF/)
    expect(await refusal(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]))).toMatch(/^400 rows\.csv is in the old Excel format/)
  })

  it('of 100,000 rows takes ten times what 10,000 take, and leaves room for others meanwhile', async () => {
    const lines = (rows: number) => Array.from({ length: rows }, (_, index) => `2026-01-01,"Payment, no. ${index}",${index}.25\n`).join('')
    const took = async (rows: number) => {
      const file = fileOf(`date,memo,amount\n${lines(rows)}`)
      const start = performance.now()
      expect((await readSheet(file)).rows).toHaveLength(rows)
      return performance.now() - start
    }
    await took(10_000)
    let turns = 0
    const ticking = setInterval(() => (turns += 1), 1)
    const small = await took(10_000)
    const large = await took(100_000)
    clearInterval(ticking)
    expect(large).toBeLessThan(Math.max(small, 20) * 30)
    expect(turns).toBeGreaterThan(10)
  })
})

describe('XLSX', () => {
  const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const sheetXml = (data: string) => `<?xml version="1.0"?><worksheet xmlns="${namespace}"><sheetData>${data}</sheetData></worksheet>`
  const partsOf = async (rows: Table['rows']) => unpack(await xlsxOf({ title: 'T', columns, rows }), { entries: 99, bytes: 1e6 }, () => true)
  const workbook = () => partsOf([{ name: 'x' }])
  const withSheet = async (data: string) => pack(new Map([...(await workbook()), ['xl/worksheets/sheet1.xml', Buffer.from(sheetXml(data))]]))
  const text = (address: string, value: string) => `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`

  it('has real numbers without noise, and a header that stays', async () => {
    const parts = await partsOf([{ name: '=1+1', amount: 30, on: '2026-01-31', count: 5, rate: '0.3', style: { bold: true, indent: 1 } }])
    const sheet = parts.get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    expect(sheet).toContain('<pane ySplit="1"')
    expect(sheet).toContain('<v>0.3</v>')
    expect(sheet).not.toContain('<f>')
    expect(parts.get('xl/styles.xml')?.toString()).toContain('#,##0.00;-#,##0.00')
    const cells = [`<c r="A2"><v>0.30000000000000004</v></c>`, `<c r="A3"><v>1.2E-7</v></c>`, '', `<c r="A5" t="b"><v>1</v></c>`]
    const noisy = await withSheet([text('A1', 'v'), ...cells].map((cell, index) => `<row r="${index + 1}">${cell}</row>`).join(''))
    expect(await rowsOf(noisy)).toEqual([{ row: 2, cells: { v: '0.3' } }, { row: 3, cells: { v: '0.00000012' } }, { row: 5, cells: { v: 'true' } }])
  })

  it('keeps what numbers say', () => {
    const written = ['1234.5600000000001', '-0', '1e3', '90071992547409.91', '9007199254740991', '1e21', '123456.789', '-1.5E-10', 'x']
    const meant = ['1234.56', '0', '1000', '90071992547409.91', '9007199254740991', '1000000000000000000000', '123456.789', '-0.00000000015', 'x']
    expect(written.map(plainNumber)).toEqual(meant)
  })

  it('that would fill the memory is refused before it does', async () => {
    const huge = Buffer.alloc(120 * 1_048_576, ' ')
    const bomb = deflated(new Map([...(await workbook()), ['xl/worksheets/sheet1.xml', huge]]))
    expect(bomb.length).toBeLessThan(200_000)
    expect(await refusal(bomb)).toMatch(/^400 rows\.csv is larger than 100 MiB when unpacked/)
    const far = (address: string) => withSheet(`<row r="1">${text('A1', 'v')}</row><row r="${address.replace(/\D/g, '')}"><c r="${address}"><v>1</v></c></row>`)
    expect(await refusal(await far('A1048576'))).toMatch(/^400 rows\.csv has more than 500000 rows/)
    expect(await refusal(await far('XFD2'))).toMatch(/^400 Row 1 of rows\.csv has more than 1000 columns/)
    expect(await refusal(await far('ALL500000'))).toMatch(/^400 rows\.csv has more than 10000000 cells/)
    const odd = [`<row r='2'><c r="XFD2"/></row>`, `<row r="1e9"></row>`, `<row a=">" r="99999999"></row>`, `<c r="A&#49;"/>`, `<x:row r="9999999999"/>`]
    for (const row of odd) {
      expect(await refusal(await withSheet(row)), row).toMatch(/^400 rows\.csv is not an XLSX file that can be read/)
    }
  })

  it('that is broken is a sentence, whatever is wrong with it', async () => {
    const whole = await xlsxOf({ title: 'T', columns, rows: [{ name: 'x', amount: 1, on: '2026-01-31', count: 1, rate: '1' }] })
    expect(await refusal(whole.subarray(0, whole.length - 30))).toMatch(/^400 rows\.csv is not complete/)
    expect(await refusal(pack(new Map([['hello.xml', Buffer.from('<a/>')]])))).toBe('400 rows.csv is an archive but not an XLSX file.')
    const dangling = await withSheet(`<row r="1">${text('A1', 'v')}</row><row r="2"><c r="A2" t="s"><v>999</v></c></row>`)
    expect(await refusal(dangling)).toMatch(/^400 Row 2 of rows\.csv could not be read/)
    await fc.assert(fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
      const damaged = Buffer.from(whole)
      damaged[at] = byte
      const outcome = await readSheet(fileOf(damaged)).catch((error: unknown) => error)
      expect(outcome instanceof Refusal ? outcome.status : Array.isArray((outcome as { rows: unknown }).rows)).toBeOneOf([400, true])
    }), { numRuns: 100 })
  })
})

describe('amounts', () => {
  it('are read as people write them', () => {
    expect(['-1,234.56', '1234.5', '(12.00)', ' 7 ', '.5', '0', '-0', '−3.10', '1,000,000', '12.3400', '( 1,234.5 )', '90071992547409.91'].map(readMoney))
      .toEqual([-123456, 123450, -1200, 700, 50, 0, 0, -310, 100000000, 1234, -123450, 9007199254740991])
  })

  it('or not at all', () => {
    const wrong = ['', ' ', '-', '.', '()', '1.005', '1,23', '12,34.00', '1.2.3', '(-5)', '1e5', 'abc', '$5', '--1', '90071992547409.92', '9'.repeat(100)]
    for (const each of wrong) expect(() => readMoney(each), each).toThrow(Refusal)
  })
})

describe('PDF', () => {
  it('is printed with its font inside, on as many pages as it takes', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      name: `Ärger & Söhne №${index} ${'long '.repeat(index % 30)}`, amount: index * 123456, on: '2026-01-31', count: index * 1000, rate: '1.25',
      style: { bold: index % 10 === 0, indent: index % 3 },
    }))
    const pdf = await pdfOf({ title: 'Übersicht', columns, rows })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.toString('latin1')).toContain('DejaVuSans')
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []
    expect(pages.length).toBeGreaterThan(3)
    expect(pages.length).toBeLessThan(20)
    expect(pdf.toString('latin1')).toMatch(/MediaBox \[0 0 595\.28 841\.89\]/)
  })

  it('lies down for many columns, and no cell breaks a page', async () => {
    const wide = Array.from({ length: 14 }, (_, index): Table['columns'][number] =>
      ({ key: `c${index}`, label: `Column ${index}`, kind: index > 1 ? 'money' : 'text' }))
    const row = Object.fromEntries(wide.map(({ key, kind }) => [key, kind === 'money' ? 123456789012 : 'word '.repeat(5_000)]))
    const pdf = await pdfOf({ title: 'Wide', columns: wide, rows: [row] })
    expect(pdf.toString('latin1')).toMatch(/MediaBox \[0 0 841\.89 595\.28\]/)
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(2)
    await expect(pdfOf({ title: 'Long', columns: wide, rows: Array.from({ length: 20_001 }, () => ({})) })).rejects.toThrow(/at most 20000 rows/)
  })
})

describe('a download', () => {
  it('has the name and type of its format', async () => {
    const table: Table = { title: 'T', columns, rows: [{ name: 'x', amount: 1, on: null, count: null, rate: null }] }
    const downloads = await Promise.all((['csv', 'xlsx', 'pdf'] as const).map((format) => downloadOf(table, format, 'trial-balance')))
    expect(downloads.map(({ file_name }) => file_name)).toEqual(['trial-balance.csv', 'trial-balance.xlsx', 'trial-balance.pdf'])
    expect(downloads.map(({ content_type }) => content_type.split('/')[0])).toEqual(['text', 'application', 'application'])
    expect(downloads.map(({ body }) => (body as Buffer).length > 20)).toEqual([true, true, true])
  })
})

/** A zip archive whose entries are compressed, as hostile ones are. */
function deflated(entries: Map<string, Buffer>): Buffer {
  const packed = [...entries].map(([name, content]) => ({ name: Buffer.from(name), data: deflateRawSync(content) }))
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data } of packed) {
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, name, data)
    directory.push(entry, name)
    offset += 30 + name.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(packed.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
