// What speaks for a deposit paying an invoice.
import { describe, expect, it } from 'vitest'
import type { DepositFacts, InvoiceFacts } from './contract.ts'
import { fitOf, nameWords, numberKeys } from './rules.ts'

const deposit = (id: string, amount: number, more: Partial<DepositFacts> = {}): DepositFacts => ({
  id, amount, currency: 'USD', datetime: '2026-03-12', counterparty: null, counterparty_raw: null, description: null, reference: null, ledger_id: 'bank', customer_id: null,
  claimed: 0, ...more,
})
const invoice = (id: string, total: number, more: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  id, number: `INV-${id.padStart(5, '0')}`, customer_id: 'acme', customer_name: 'Acme Widgets Inc.', currency: 'USD', total, total_paid: 0, invoice_date: '2026-02-10', due_on: '2026-03-12', ...more,
})

describe('evidence', () => {
  it('finds numbers however they are written, and mistrusts bare short ones', () => {
    const fit = (description: string, number: string) => fitOf(deposit('d', 5, { description }), invoice('1', 100, { number })).reasons
    for (const text of ['Payment INV-0042', 'inv 0042 thanks', 'INV0042/March', 'ref:inv_0042']) expect(fit(text, 'INV-0042')).toContain('invoice_number')
    expect(fit('Invoice 1042', 'INV-01042')).toEqual(['number_part', 'part', 'due_date'])
    expect(fit('In 2026 for 12', '12')).toEqual([])
    expect(fit('INV-00421', 'INV-0042')).toEqual([])
    expect(numberKeys('2026')).toEqual({ whole: null, digits: '2026' })
  })

  it('compares names without case, accents, punctuation and legal forms', () => {
    const fit = (more: Partial<DepositFacts>, customer_name = 'Müller & Söhne GmbH') => fitOf(deposit('d', 5, more), invoice('1', 100, { customer_name })).reasons
    expect(nameWords('The Müller & Söhne GmbH')).toEqual(['muller', 'sohne'])
    expect(fit({ counterparty: 'MULLER SOHNE' })).toContain('customer_name')
    expect(fit({ description: 'ACH CREDIT MULLER & SOHNE GMBH 0239' })).toContain('customer_name')
    expect(fit({ counterparty: 'Muler Sohne' })).toContain('similar_name')
    expect(fit({ counterparty: 'Somebody else' })).toEqual([])
    expect(fit({ counterparty: 'Co' }, 'Co')).toContain('customer_name')
    expect(fit({ counterparty: 'MULLER SOHNE', customer_id: 'other' })).toEqual([])
    expect(fit({ customer_id: 'acme' })).toContain('customer')
  })

  it('says how well a deposit fits one invoice', () => {
    expect(fitOf(deposit('d', 100), invoice('1', 100))).toEqual({ score: 50, reasons: ['exact_balance', 'due_date'] })
    expect(fitOf(deposit('d', 100, { currency: 'EUR' }), invoice('1', 100))).toEqual({ score: 0, reasons: [] })
    expect(fitOf(deposit('d', 200, { reference: 'INV-00001', datetime: '2026-05-01' }), invoice('1', 100))).toEqual({ score: 55, reasons: ['invoice_number', 'surplus', 'date'] })
    expect(fitOf(deposit('d', 100, { datetime: '2026-01-01' }), invoice('1', 100)).reasons).toEqual(['exact_balance'])
    expect(fitOf(deposit('d', 100, { datetime: '9999-12-31' }), invoice('1', 100, { due_on: '9999-12-31' })).reasons).toContain('due_date')
  })
})
