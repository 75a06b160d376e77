import { describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import { newCustomer } from '../../../test/support/customers.ts'
import { newBusiness, sql } from '../../../test/support/people.ts'
import { randomBooks, randomOf } from '../../../test/support/random-books.ts'
import { newId } from '../../foundation/ids.ts'

const of = (data: any, role: string) => data.accounts.find((account: any) => account.role === role)

describe('control accounts', () => {
  it('tie to their open items, and name who does not', async () => {
    const team = await newBusiness()
    const { business_id } = team
    const { named, role } = await chartOf(business_id)
    const [receivable, payable] = [role('accounts_receivable'), role('accounts_payable')]
    const customer_id = await newCustomer(team.client)
    const vendor_id = newId()
    const [invoice] = await post(business_id,
      { date: '2026-01-10', source_type: 'invoice', lines: [{ ledger_id: receivable, amount: 1_000, customer_id }, [role('sales'), -1_000]] },
      { date: '2026-01-12', source_type: 'bill', lines: [{ ledger_id: payable, amount: -400, vendor_id }, [named('Rent'), 400]] },
    )
    const settles_line_id = invoice?.lines[0]?.id ?? ''
    await post(business_id, { date: '2026-02-01', lines: [[named('Checking'), 300], { ledger_id: receivable, amount: -300, customer_id, settles_line_id }] })
    const ask = (query: object = {}) => team.client.get('/reports/control-accounts', { as_of: '2026-03-31', ...query })

    const { data } = await ask()
    expect(of(data, 'accounts_receivable')).toMatchObject({ balance: 700, sub_ledger: 700, difference: 0, ok: true, open_items: 1, parties: [] })
    expect(of(data, 'accounts_payable')).toMatchObject({ balance: 400, sub_ledger: 400, difference: 0, ok: true, open_items: 1, parties: [] })
    expect(of(data, 'inventory')).toMatchObject({ balance: 0, sub_ledger: null, difference: null, ok: null, open_items: null, parties: [] })
    expect(data.accounts).toHaveLength(10)
    expect(data.checks.map(({ key, ok }: any) => [key, ok])).toEqual([['accounts_receivable', true], ['accounts_payable', true]])
    expect(of((await ask({ as_of: '2026-01-31' })).data, 'accounts_receivable')).toMatchObject({ balance: 1_000, open_items: 1 })
    // On the cash basis the receivable is what has been invoiced beyond income: nothing here.
    expect(of((await ask({ basis: 'cash' })).data, 'accounts_receivable')).toMatchObject({ balance: 0, sub_ledger: 0, ok: true })

    await post(business_id, { date: '2026-02-05', lines: [[receivable, 25], [role('sales'), -25]] })
    expect(of((await ask()).data, 'accounts_receivable')).toMatchObject({
      balance: 725, sub_ledger: 700, difference: 25, ok: false,
      parties: [{ party_id: null, label: 'Nobody', ledger_balance: 25, sub_ledger: 0, difference: 25 }],
    })
    // A balance that does not follow from the lines.
    await sql(
      `update analysis_months set debit = debit + 11 where business_id = $1 and axis = 'customer' and ledger_id = $2 and month = '2026-01-01'`,
      [business_id, receivable])
    const damaged = await ask()
    expect(of(damaged.data, 'accounts_receivable').parties).toContainEqual({
      party_type: 'customer', party_id: customer_id, label: expect.stringMatching(/^Customer/), ledger_balance: 711, sub_ledger: 700, difference: 11,
    })
    expect((await team.client.get('/reports/control-accounts/export', { as_of: '2026-03-31' })).body).toContain('1100 Accounts Receivable,7.25,7.00,0.25,')
  })

  it.each(['accrual', 'cash'])('tie in books that nobody planned, at any day and any moment (%s)', async (basis) => {
    const team = await newBusiness()
    await randomBooks(team.business_id, 30, randomOf(17))
    // The revaluations among them name no customer.
    const nobody = async (as_of: string, until: number) => (await sql(
      `select coalesce(sum(base_amount), 0)::float8 as amount
       from (select business_id, ledger_id, date, base_amount, entry_number, customer_id from journal_lines
             union all select business_id, ledger_id, date, base_amount, entry_number, customer_id from cash_basis_lines where $4) as x
       where business_id = $1 and date <= $2 and entry_number <= $3 and customer_id is null
         and ledger_id = (select id from ledgers where business_id = $1 and role = 'accounts_receivable')`, [team.business_id, as_of, until,
           basis === 'cash']))[0].amount
    const [{ at, number }] = await sql(
      `select to_char(recorded_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, max(number)::float8 as number from journal_entries
       where business_id = $1 group by recorded_at order by recorded_at offset 12 limit 1`, [team.business_id])
    for (const [as_of, more, until] of [['2026-02-17', {}, 1e9], ['2026-12-31', {}, 1e9], ['2026-04-30', { known_at: at }, number]] as const) {
      const { data } = await team.client.get('/reports/control-accounts', { as_of, basis, ...more })
      const apart = await nobody(as_of, until)
      expect(of(data, 'accounts_receivable')).toMatchObject({ difference: apart, parties: apart === 0 ? [] : [{ party_id: null, difference: apart }] })
      expect(of(data, 'accounts_payable')).toMatchObject({ difference: 0, parties: [] })
    }
  })
})
