import { describe, expect, it } from 'vitest'
import { keyColumn, KINDS, requireMapping, suggestedMapping, templateOf } from './rules.ts'

describe('suggestions', () => {
  it('know the names that programs give their columns', () => {
    expect(suggestedMapping(KINDS.customers, ['Customer ID', 'Company', 'E-mail', 'Street', 'ZIP code', 'State', 'Favourite colour'])).toEqual({
      'Customer ID': 'external_id', Company: 'name', 'E-mail': 'email', Street: 'billing_line1', 'ZIP code': 'billing_postal_code', State: 'billing_region',
    })
    expect(suggestedMapping(KINDS.invoices, ['Num', 'Client', 'Date', 'Due', 'Description', 'Qty', 'Rate'])).toEqual({
      Num: 'invoice_number', Client: 'customer', Date: 'invoice_date', Due: 'due_date', Description: 'line_description', Qty: 'quantity', Rate: 'unit_price',
    })
  })
  it('give each field one column', () => {
    expect(suggestedMapping(KINDS.customers, ['company', 'name', 'customer'])).toEqual({ name: 'name' })
  })
  it.each(Object.values(KINDS))('the template of $kind maps itself', (kind) => {
    const columns = templateOf(kind).columns.map(({ label }) => label)
    const mapping = suggestedMapping(kind, columns)
    expect(mapping).toEqual(Object.fromEntries(kind.fields.map(({ name }) => [name, name])))
    expect(() => requireMapping(kind, columns, mapping)).not.toThrow()
  })
})

describe('mappings', () => {
  const columns = ['a', 'b']
  it.each([
    [{ a: 'name', b: 'name' }, 'both mapped to name'], [{ a: 'email' }, 'No column is mapped to name'], [{ c: 'name' }, 'has no column'],
      [{ a: 'shoe_size' }, 'have no field'],
    [{ a: 'constructor' }, 'have no field'],
  ])('%j is refused', (mapping, words) => expect(() => requireMapping(KINDS.customers, columns, mapping as unknown as Record<string, string>)).toThrow(words))
  it('need one of two', () => {
    expect(() => requireMapping(KINDS.invoices, columns, { a: 'invoice_number' })).toThrow('customer or customer_external_id')
  })
  it('know the key', () => {
    expect(keyColumn(KINDS.products, { a: 'external_id', b: 'sku' })).toBe('b')
    expect(keyColumn(KINDS.customers, { a: 'name' })).toBe(null)
  })
})
