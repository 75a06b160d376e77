import { describe, expect, it } from 'vitest'
import { compileCheck } from '../../foundation/http/validate.ts'
import { BusinessSettings, SECTIONS } from './contract.ts'
import { merged, withDefaults } from './rules.ts'

describe('settings', () => {
  it('have a default for every key, and each default fits its key', () => {
    const whole = { id: '00000000-0000-7000-8000-000000000000', ...withDefaults({}), updated_at: '2026-01-01T00:00:00.000Z', version: 1 }
    expect(compileCheck('body', BusinessSettings)(whole).problems).toEqual([])
    expect(Object.keys(withDefaults({}))).toEqual(Object.keys(SECTIONS))
  })

  it('are merged key by key; null puts a key back, an unknown key is dropped', () => {
    const stored = { sales: { invoice_footer: 'Thanks', reminder_days: [3] } }
    const after = merged(stored, { sales: { invoice_footer: null, reply_to: 'pay@example.com', colour: 'red' } as never, documents: null })
    expect(after).toEqual({ sales: { reminder_days: [3], reply_to: 'pay@example.com' }, documents: {} })
    expect(stored).toEqual({ sales: { invoice_footer: 'Thanks', reminder_days: [3] } })
    expect(withDefaults(after)['sales']).toMatchObject({ invoice_footer: null, reply_to: 'pay@example.com', reminder_days: [3], credit_policy: 'off' })
  })
})
