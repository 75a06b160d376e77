import { constants, deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { block, mailOf, pdfOf } from '../../../test/support/documents.ts'
import { readDocuments } from './reading.ts'

const read = async (name: string, content: Buffer) => {
  const [document] = await readDocuments([{ name, content }], 60_000)
  if (!document) throw new Error('It was not read in time.')
  return document
}

const rawPdf = (...objects: (string | Buffer)[]): Buffer =>
  Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects.map((object, index) => Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as Buffer), Buffer.from('\nendobj\n')])), Buffer.from('trailer << /Root 1 0 R >>\n%%EOF')])

/** Four gigabytes of spaces in four megabytes. */
function bomb(): Buffer {
  const unit = deflateRawSync(Buffer.alloc(1 << 20, 32), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 4_000 }, () => unit), Buffer.from([3, 0])])
}

describe('documents', () => {
  it('are read by what they are, whatever they are called, in their order', async () => {
    const pdf = await pdfOf([{ text: 'Left side', x: 40, y: 40 }, { text: 'right side', x: 300, y: 40 }, { text: 'below', x: 40, y: 60 }])
    const all = await readDocuments([{ name: 'a.txt', content: pdf }, { name: 'b.pdf', content: Buffer.from('plain words') }, { name: 'c.pdf', content: Buffer.from('<html><p>5 &euro;</p></html>') }], 60_000)
    expect(all.map((document) => document?.kind)).toEqual(['pdf', 'text', 'text'])
    expect(all[0]?.parts[0]?.lines.map(({ cells, page, line }) => [page, line, ...cells.map(({ text }) => text)])).toEqual([[1, 1, 'Left side', 'right side'], [1, 2, 'below']])
    expect(all[2]?.parts[0]?.lines[0]?.text).toBe('5 €')
  })

  it('an e-mail gives its own words without what it quotes, and its attachments', async () => {
    const attachments = [{ name: 'order.pdf', type: 'application/octet-stream', content: await pdfOf([{ text: 'Order 17', y: 40 }]) }, { name: 'logo.gif', type: 'image/gif', content: Buffer.from('GIF89a\0\0') }]
    const { kind, parts, warnings } = await read('m.eml', mailOf({ from: 'Ann <ann@example.com>', subject: 'Order', text: 'See attached.\n\nOn Mon, 1 Mar 2026 Bob wrote:\n> an invoice over 500', attachments }))
    expect([kind, warnings]).toEqual(['mail', []])
    expect(parts.map(({ name, source, sender, subject, lines }) => [name, source, sender?.address, subject, lines.map(({ text }) => text)])).toEqual([
      [null, 'mail', 'ann@example.com', 'Order', ['See attached.']], ['order.pdf', 'pdf', 'ann@example.com', 'Order', ['Order 17']],
    ])
  })

  it('that are broken, locked, hostile or of another kind are refused, each in a sentence', async () => {
    const broken: [string, Buffer, string][] = [
      ['nothing', Buffer.alloc(0), 'is empty'],
      ['an archive', Buffer.from('PK\x03\x04\0\0'), 'is of a kind that cannot be read'],
      ['a program', Buffer.from('\x7fELF\x02\x01\0\0', 'latin1'), 'is of a kind that cannot be read'],
      ['half a PDF', Buffer.from('%PDF-1.7\n1 0 obj << /Type'), 'is broken'],
      ['a locked PDF', await pdfOf([{ text: 'secret', y: 40 }], { password: 'x' }), 'is protected by a password'],
      ['pages in a circle', rawPdf('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 99999999 >>'), 'has no text'],
      ['a picture that claims to be huge', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.from('0000ffff0000ffff', 'hex'), Buffer.alloc(9)]), 'has 65535 × 65535 pixels'],
      ['half a picture', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.from('0000002000000020', 'hex'), Buffer.from('0800000000', 'hex')]), 'is a broken picture'],
      ['a JPEG without a frame', Buffer.from('ffd8ffe000104a46', 'hex'), 'is a broken picture'],
    ]
    const all = await readDocuments(broken.map(([name, content]) => ({ name, content })), 60_000)
    expect(all.map((document) => document?.parts)).toEqual(broken.map(() => []))
    for (const [index, [name, , problem]] of broken.entries()) expect(all[index]?.warnings.join()).toContain(`${name} ${problem}`)
  }, 30_000)

  it('one that unpacks without end ends its own process only; the next one is read', async () => {
    const data = bomb()
    const pdf = rawPdf('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
      Buffer.concat([Buffer.from(`<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`), data, Buffer.from('\nendstream')]))
    const [broken, next] = await readDocuments([{ name: 'bomb.pdf', content: pdf }, { name: 'next.txt', content: Buffer.from('unharmed') }], 60_000)
    expect(broken).toMatchObject({ parts: [], warnings: ['bomb.pdf could not be read: it takes more memory than a document may.'] })
    expect(next?.parts[0]?.lines[0]?.text).toBe('unharmed')
  }, 60_000)

  it('of too many pages the first thirty are read', async () => {
    const { parts, warnings } = await read('long.pdf', await pdfOf(Array.from({ length: 32 }, (_, index) => block([`This is page number ${index + 1} of a long report`], 40, 40, { page: index + 1 })).flat()))
    expect(parts[0]?.lines.at(-1)).toMatchObject({ page: 30 })
    expect(warnings).toEqual(['long.pdf has 32 pages, of which the first 30 were read.'])
  })

  it('without time nothing is read and nothing is left running', async () => {
    expect(await readDocuments([{ name: 'a', content: Buffer.from('a b') }, { name: 'b', content: Buffer.from('c d') }], 0)).toEqual([null, null])
  })

  it('are digested where they are read, in a process that may open no other file, start nothing and knows no setting', async () => {
    const code = `import { readFileSync, writeFileSync } from 'node:fs'
      import { spawnSync } from 'node:child_process'
      const tried = (work) => { try { return work() ?? 'done' } catch (error) { return error.code } }
      export const look = (part, context) => ({
        text: part.lines[0].text, context, settings: Object.keys(process.env), fetch: typeof fetch,
        read: tried(() => readFileSync('/etc/hostname')), write: tried(() => writeFileSync('/tmp/x', '')), start: tried(() => spawnSync('ls')),
      })`
    const [document] = await readDocuments<object>([{ name: 'a', content: Buffer.from('a b') }], 60_000, { module: `data:text/javascript,${encodeURIComponent(code)}`, name: 'look', context: 7 })
    const denied = 'ERR_ACCESS_DENIED'
    expect(document?.digests).toEqual([{ text: 'a b', context: 7, settings: [], fetch: 'undefined', read: denied, write: denied, start: denied }])
  })

  it('more at once than there are readers wait for their turn', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, (_, index) => read(`${index}`, Buffer.from(`text ${index}`))))
    expect(all.map(({ parts }) => parts[0]?.lines[0]?.text)).toEqual(['text 0', 'text 1', 'text 2', 'text 3'])
  })
})
