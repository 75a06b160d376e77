import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SAMPLES } from '../../../test/support/uploads.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { cleanName, downloadName, endingOf, FORMATS, requireFormat, searchWords } from './rules.ts'

describe('names', () => {
  it('are harmless, whatever was sent, and stay as they are from then on', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
      const name = cleanName(given)
      expect(name.length).toBeGreaterThanOrEqual(1)
      expect(name.length).toBeLessThanOrEqual(255)
      expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cf}]/u)
      expect(name).not.toMatch(/^[. ]|[. ]$/)
      expect(name.isWellFormed()).toBe(true)
      expect(cleanName(name)).toBe(name)
    }), { numRuns: 100 })
  })

  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'], ['..\\..\\windows\\a.txt', 'a.txt'], ['C:\\a:b|c?.txt', 'a_b_c_.txt'], ['\u202eexe.txt', 'exe.txt'], ['a\u200bb\u2066c.txt', 'abc.txt'],
    ['.htaccess.txt', 'htaccess.txt'], ['   ', 'document'], ['..', 'document'], [`${'a'.repeat(300)}.txt`, `${'a'.repeat(251)}.txt`], [`${'😀'.repeat(200)}.txt`, `${'😀'.repeat(125)}.txt`],
    ['a\tb\n c.txt', 'a b c.txt'], ['Statement 31.12.2026', 'Statement 31.12.2026'], ['a\0.txt', 'a.txt'],
  ])('made harmless: %j', (given, name) => expect(cleanName(given)).toBe(name))

  it('keep the ending when they are shortened', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 900 }), (length) => {
      expect(endingOf(cleanName(`${'😀a'.repeat(length)}a.pdf`))).toBe('pdf')
    }))
  })

  it('have an ending only where it is one', () => {
    expect(['a.PDF', 'a.tar.gz', 'a', 'a.2026', 'a.', '.txt', 'Nr. 17'].map(endingOf)).toEqual(['pdf', 'gz', null, null, null, 'txt', null])
    expect([downloadName('a', 'jpg'), downloadName('a.jpeg', 'jpg')]).toEqual(['a.jpg', 'a.jpeg'])
  })
})

describe('formats', () => {
  it.each(Object.entries(SAMPLES))('a .%s is known by its content, with and without an ending, and not as something else', async (ending, content) => {
    expect(await requireFormat(`a.${ending}`, content)).toBe(ending)
    if (ending !== 'csv') expect(await requireFormat('a', content)).toBe(ending)
    const wrong = ending === 'pdf' ? 'a.png' : 'a.pdf'
    await expect(requireFormat(wrong, content)).rejects.toMatchObject({ status: 400, detail: expect.stringContaining('does not hold what its ending says') })
  })

  it('any bytes are taken as one of ours or refused in a sentence', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.constantFrom('a', 'a.pdf', 'a.zip', 'a.csv', 'a.exe'), async (bytes, name) => {
      const found = await requireFormat(name, Buffer.from(bytes)).catch((error: unknown) => error)
      if (found instanceof Refusal) expect([found.status, found.detail.startsWith(name)]).toEqual([400, true])
      else expect(Object.keys(FORMATS)).toContain(found)
    }), { numRuns: 200 })
  })

  it('an archive whose directory lies is refused', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ minLength: 22, maxLength: 200 }), async (bytes) => {
      const archive = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.from(bytes), Buffer.from('504b0506', 'hex'), Buffer.from(bytes.slice(0, 18))])
      const found = await requireFormat('a.zip', archive).catch((error: unknown) => error)
      expect(found === 'zip' || (found instanceof Refusal && found.status === 400)).toBe(true)
    }))
  })

  it('text in two-byte letters is text', async () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a;b\n1;2', 'utf16le')])
    expect([await requireFormat('a.csv', wide), await requireFormat('a.txt', wide), await requireFormat('a', Buffer.from('größe', 'latin1'))]).toEqual(['csv', 'txt', 'txt'])
  })
})

describe('words', () => {
  it('are letters and numbers parted by single spaces', () => {
    expect(searchWords('Invoice_2026-03.pdf', 'Total:  1,234.56 €\nÄhre')).toBe('Invoice 2026 03 pdf Total 1 234 56 Ähre')
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (given) => {
      expect(searchWords(given)).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?: [\p{L}\p{N}\p{M}]+)*)?$/u)
      expect(searchWords(given, 'more').endsWith('more')).toBe(true)
    }))
  })
})
