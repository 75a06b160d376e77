// Words, without a database.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchDocument } from './contract.ts'
import { amountWord, documentWords, fold, isSlip, nameWords, slipKeys, slips, tokensOf, wordsOf } from './rules.ts'

/** Of any letters there are. */
const anyText = fc.string({ unit: fc.oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })).map((point) => String.fromCodePoint(point)), maxLength: 200 })

describe('folding', () => {
  it.each([
    ['ÉCOLE Zürich', 'ecole zurich'], ['ＡＢＣ　１２', 'abc 12'], ['Straße Łódź Ærø', 'strasse lodz aero'], ['İstanbul', 'istanbul'], ['ガス ｶﾞｽ', 'ガス ガス'],
    ['हिन्दी', 'हिन्दी'], ['Йод', 'йод'], ['Ἀθήνα', 'αθηνα'],
  ])('%s', (text, folded) => expect(fold(text)).toBe(folded.normalize('NFKC')))

  it('done twice is done once, and no word is ever empty or broken', () => {
    fc.assert(fc.property(anyText, (text) => {
      for (const word of wordsOf(text, true)) expect([word.isWellFormed(), word === '', word.length <= 64]).toEqual([true, false, true])
      expect(fold(fold(text))).toBe(fold(text))
      for (const { at, length } of tokensOf(text)) expect(text.slice(at, at + length)).toMatch(/^[\p{L}\p{N}]/u)
    }))
  })
})

describe('words', () => {
  it.each([
    ['Acme, Inc.', ['acme', 'inc']], ['INV-00042', ['inv', '00042', '42']], ['O’Brien & Sons', ['o', 'brien', 'sons', 'obrien']],
    ['Ann <ann.lee@acme.co.uk>', ['ann', 'ann.lee@acme.co.uk', 'lee', 'acme', 'uk']], ['paid 1,234.56 net', ['¤123456']], ['10.0.0.1', ['10', '0', '1']],
    ['山田商店', ['山田商店', '田商店', '商店', '店']], ['株式会社ABC', ['株式会社abc', '会社abc', 'abc']],
  ])('%s', (text, expected) => expect(wordsOf(text)).toEqual(expect.arrayContaining(expected)))

  it('a code is found in one piece too', () => {
    expect(wordsOf('INV-00042', true)).toContain('inv00042')
    expect(wordsOf('INV-00042')).not.toContain('inv00042')
    expect(wordsOf('10.0.0.1')).not.toContain(amountWord(1000))
  })

  const document: SearchDocument = {
    id: '01890a5d-ac96-774b-bcce-b302099a8057', title: 'Acme Supplies', number: 'C-7', fields: { contacts: 'Ann Acme', notes: 'slow' }, amount: -1250, currency: 'USD',
    date: '2026-03-01', status: null, archived: false, customer_id: null, vendor_id: null, sorted_on: '2026-03-01', path: '/x',
  }

  it('of a record count most in its title', () => {
    const words = documentWords(document)
    expect([words.get('acme'), words.get('slow'), words.get('¤1250'), words.get('@2026-03-01'), words.get('c7')]).toEqual([
      { field: 'title', weight: 1 }, { field: 'notes', weight: 2 }, { field: 'amount', weight: 2 }, { field: 'date', weight: 2 }, { field: 'number', weight: 1 },
    ])
    expect(nameWords(document, words)).toEqual(['acme', 'supplies'])
  })
})

describe('slips', () => {
  const name = fc.string({ unit: fc.constantFrom(...'abcdeé'), minLength: 4, maxLength: 12 })

  it('are counted', () => {
    expect([slips('acme', 'acme'), slips('amce', 'acme'), slips('acmee', 'acme'), slips('acne', 'acme'), slips('', 'abc')]).toEqual([0, 1, 1, 1, 3])
    expect([isSlip('acme', 'acme'), isSlip('northwnid', 'northwind'), isSlip('acmeee', 'acme')]).toEqual([false, true, false])
  })

  it('any single one leaves a key in common', () => {
    fc.assert(fc.property(name, fc.nat(), fc.constantFrom('drop', 'add', 'change', 'swap'), (word, seed, kind) => {
      const letters = Array.from(word)
      const at = seed % (letters.length - 1)
      if (kind === 'drop') letters.splice(at, 1)
      if (kind === 'add') letters.splice(at, 0, 'x')
      if (kind === 'change') letters[at] = 'x'
      if (kind === 'swap') letters.splice(at, 2, letters[at + 1] ?? '', letters[at] ?? '')
      const typed = letters.join('')
      expect(slips(typed, word)).toBeLessThanOrEqual(1)
      expect(slips(word, typed)).toBe(slips(typed, word))
      const keys = new Set(slipKeys(word))
      expect(slipKeys(typed).some((key) => keys.has(key))).toBe(true)
    }))
  })
})
