import { describe, expect, it } from 'vitest'
import { expandTypes, readableTypes } from './rules.ts'

const kinds = [
  { type: 'invoice', group: 'invoices', events: ['invoice.created', 'invoice.voided'] },
  { type: 'invoice_payment', group: 'invoices', events: ['invoice_payment.added'] },
  { type: 'note', group: 'notes', events: ['note.created'] },
]

describe('kinds of events', () => {
  it('are readable with the permission of their group', () => {
    expect(readableTypes(kinds, new Set(['invoices:read', 'notes:write']))).toEqual(['invoice', 'invoice_payment'])
    expect(readableTypes(kinds, new Set())).toEqual([])
  })

  it('are named one by one or by a star', () => {
    expect(expandTypes(kinds, ['invoice.*'])).toEqual(['invoice.created', 'invoice.voided'])
    expect(expandTypes(kinds, ['invoice.voided', 'invoice.*', 'old.name'])).toEqual(['invoice.voided', 'invoice.created', 'old.name'])
    expect(expandTypes(kinds, ['nothing.*'])).toEqual([])
  })
})
