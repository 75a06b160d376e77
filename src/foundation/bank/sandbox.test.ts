import { describe, expect, it } from 'vitest'
import { openSandboxBank } from './sandbox.ts'

const bank = openSandboxBank()
const account = { reference: 'one', kind: 'account' as const }

describe('the embedded bank', () => {
  it('says the same of a day whenever and with whatever other days it is asked', async () => {
    const year = await bank.readStatement(account, '2026-01-01', '2026-12-31')
    const march = await bank.readStatement(account, '2026-03-01', '2026-03-31')
    expect(year.filter(({ date }) => date.startsWith('2026-03'))).toEqual(march)
    expect(new Set(year.map(({ id }) => id)).size).toBe(year.length)
    expect(year.length).toBeGreaterThan(300)
  })

  it('never reports an amount of 0, and days in their order', async () => {
    for (const kind of ['account', 'card'] as const) {
      const year = await bank.readStatement({ reference: 'two', kind }, '2024-01-01', '2024-12-31')
      expect(year.filter(({ amount }) => amount === 0 || !Number.isSafeInteger(amount))).toEqual([])
      expect(year.map(({ date }) => date)).toEqual(year.map(({ date }) => date).toSorted())
      expect(year.some(({ amount }) => amount > 0) && year.some(({ amount }) => amount < 0)).toBe(true)
    }
  })

  it('pays rent on the 1st, salaries on the 15th and the last day, and nobody else on a weekend', async () => {
    const on = async (date: string) => (await bank.readStatement(account, date, date)).map(({ name }) => name)
    expect(await on('2026-02-01')).toEqual(['HARBOUR PROPERTY MGMT RENT'])
    expect(await on('2026-02-28')).toEqual(['PAYWELL PAYROLL', 'MONTHLY SERVICE FEE'])
    expect(await on('2026-03-14')).toEqual([])
    expect(await on('2026-03-15')).toEqual(['PAYWELL PAYROLL'])
  })

  it('tells two accounts apart', async () => {
    const other = await bank.readStatement({ reference: 'other', kind: 'account' }, '2026-03-01', '2026-03-31')
    expect(other).not.toEqual(await bank.readStatement(account, '2026-03-01', '2026-03-31'))
  })
})
