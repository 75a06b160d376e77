// Questions and hits, without a database.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchDocument } from '../search-index/contract.ts'
import { amountOf, datesOf, inOrder, judge, passes, snippetOf, termsOf } from './rules.ts'

const words = (q: string) => termsOf(q).map(({ words: each }) => each.map(({ word, prefix }) => (prefix ? `${word}*` : word)))

/** Of any letters there are. */
const anyText = fc.string({ unit: fc.oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })).map((point) => String.fromCodePoint(point)), maxLength: 200 })

describe('a question', () => {
  it.each([
    ['  Acme   inc ', [['acme*'], ['inc*']]],
    ['1,234.56', [['123456*', '¤123456']]],
    ['$1,234.5', [['12345*', '¤123450']]],
    ['1.234,56', [['123456*', '¤123456']]],
    ['1234', [['1234*', '¤123400']]],
    ['2026-03-01', [['20260301*', '@2026-03-01']]],
    ['2026-03', [['202603*', '@2026-03*']]],
    ['03/04/2026', [['03042026*', '@2026-03-04', '@2026-04-03']]],
    ['INV-00042', [['inv*'], ['00042*']]],
    ['Ann@Acme.com', [['ann@acme.com*']]],
    ['ann@ac', [['ann@ac*']]],
    ['01890A5D-AC96-774B-BCCE-B302099A8057', [['#01890a5d-ac96-774b-bcce-b302099a8057']]],
    ['山田 商店', [['山田*'], ['商店*']]],
    ['acme acme', [['acme*']]],
    ['-- ,,', []],
  ])('%s', (q, expected) => expect(words(q)).toEqual(expected))

  it('bears anything', () => {
    fc.assert(fc.property(anyText, (q) => {
      const terms = termsOf(q)
      expect(terms.length).toBeLessThanOrEqual(12)
      expect(terms.every((term) => term.words.length > 0 && term.words.every(({ word }) => word !== ''))).toBe(true)
    }))
    expect([amountOf('12.345'), amountOf('1,23.4'), amountOf('abc'), amountOf('99999999999999')]).toEqual([null, null, null, null])
    expect([datesOf('2026-02-30'), datesOf('31/12/2026'), datesOf('2026-13')]).toEqual([[], ['2026-12-31'], []])
  })
})

const document: SearchDocument = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057', title: 'Acme Supplies', number: 'C-7', fields: { email: 'ann@acme.com', notes: `${'so '.repeat(60)}slow\nto pay` }, amount: 1250,
  currency: 'USD', date: '2026-03-01', status: 'active', archived: false, customer_id: null, vendor_id: null, sorted_on: '2026-03-01', path: '/x',
}
const rank = (q: string, slip: string[] = []) => judge('customer', document, termsOf(q), termsOf(q).map(() => new Set(slip)))?.hit.rank ?? null

describe('a hit', () => {
  it('ranks whole words before beginnings before slips, and the title before the rest', () => {
    expect([rank('acme'), rank('ann@acme.com'), rank('supp'), rank('slo'), rank('amce', ['acme']), rank('zebra')]).toEqual([1, 2, 3, 4, 5, null])
    expect([rank('acme slow'), rank('acme zebra'), rank('12.50'), rank('c7'), rank('2026-03')]).toEqual([2, null, 2, 1, 4])
  })

  it('shows where it was found', () => {
    const found = judge('customer', document, termsOf('acme slow 12.50'), [])
    expect(found?.hit.matched.map(({ field }) => field)).toEqual(['title', 'notes', 'amount'])
    const [, notes, amount] = found?.hit.matched.map(({ snippet }) => snippet) ?? []
    expect(notes).toMatch(/^….*so slow to pay$/)
    expect(amount).toBe('12.50')
    expect(snippetOf({ ...document, title: '😀'.repeat(200) }, 'title', 'x').isWellFormed()).toBe(true)
  })

  it('is ordered totally', () => {
    const of = (id: string, sorted_on: string, q = 'acme') => judge('customer', { ...document, id, sorted_on }, termsOf(q), [])!
    const hits = [of('b', '2026-01-01'), of('a', '2026-01-01'), of('c', '2026-02-01'), of('d', '2027-01-01', 'supp')]
    expect(hits.sort(inOrder).map(({ hit }) => hit.id)).toEqual(['c', 'a', 'b', 'd'])
  })

  it('passes the filters or does not', () => {
    expect(passes(document, { status: 'active', from: '2026-03-01', to: '2026-03-01', min_amount: 1250, max_amount: 1250 })).toBe(true)
    const wrong = [{ status: 'open' }, { from: '2026-03-02' }, { to: '2026-02-28' }, { min_amount: 1251 }, { max_amount: 1249 }, { customer_id: document.id }, { vendor_id: document.id }]
    for (const filters of wrong) expect(passes(document, filters)).toBe(false)
    expect([passes({ ...document, archived: true }, {}), passes({ ...document, archived: true }, { include_archived: true })]).toEqual([false, true])
    expect(passes({ ...document, date: null }, { from: '2026-01-01' })).toBe(false)
  })
})
