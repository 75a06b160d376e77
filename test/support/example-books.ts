// Books with something of everything, made through the door: for tests that look at books as a whole.
import { closePeriod } from '../../src/ledger/accounting-periods/operations.ts'
import type { PostedEntry } from '../../src/ledger/journal/contract.ts'
import { redateEntry, reverseEntry } from '../../src/ledger/posting/operations.ts'
import { newId } from '../../src/foundation/ids.ts'
import { chartOf, inside, post } from './books.ts'
import { newBusiness, sql, type Team } from './people.ts'
import { service } from './service.ts'

/** When the example begins; each entry comes a minute after the one before it. */
export const EXAMPLE_NOW = '2026-07-15T12:00:00Z'

export type NewLedger = {
  name: string
  type: string
  subtype: string
  currency?: string
  number?: string | null
  is_bank?: boolean
  parent_id?: string | null
  posting?: boolean
}

/** Another ledger, with whatever name. */
export async function newLedger(business_id: string, given: NewLedger): Promise<string> {
  const { name, type, subtype, currency = 'USD', number = null, is_bank = false, parent_id = null, posting = true } = given
  const id = newId()
  await sql(
    `insert into ledgers (business_id, id, number, name, type, subtype, currency, parent_id, is_bank, archived, posting, cash_flow_class,
       created_at, updated_at, version)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, $10, 'operating', now(), now(), 1)`,
    [business_id, id, number, name, type, subtype, currency, parent_id, is_bank, posting])
  // A server that knows these books already is told that they have changed.
  await sql('update journal_heads set stamp = gen_random_uuid() where business_id = $1', [business_id])
  return id
}

export type Example = Team

/** The caller has set the clock to EXAMPLE_NOW and sets it back. January and February are closed, at 18:00. */
export async function exampleBooks(): Promise<Example> {
  const team = await newBusiness()
  const { business_id } = team
  const chart = await chartOf(business_id)
  const role = chart.role
  const bank = await newLedger(business_id, { name: 'Example bank', type: 'asset', subtype: 'bank', is_bank: true })
  const euros = await newLedger(business_id, { name: 'Euro bank', type: 'asset', subtype: 'bank', currency: 'EUR', is_bank: true })
  const rent = await newLedger(business_id, { name: 'Example rent', type: 'expense', subtype: 'operating' })
  const [customer_id, vendor_id, project_id] = [newId(), newId(), newId()]
  const dimension = (await team.client.post('/accounting-dimensions', { key: 'place', name: 'Place' })).data
  const value = (await team.client.post(`/accounting-dimensions/${dimension.id}/values`, { code: 'NYC', name: 'New York' })).data
  const receivable = { ledger_id: role('accounts_receivable'), customer_id }
  const sales = { ledger_id: role('sales'), customer_id }
  const payable = { ledger_id: role('accounts_payable'), vendor_id }

  const { clock } = await service()
  const later = () => clock.set(new Date(clock.now().getTime() + 60_000).toISOString())
  const one = async (entry: Parameters<typeof post>[1]): Promise<PostedEntry> => {
    later()
    return (await post(business_id, entry))[0] as PostedEntry
  }
  const correct = (work: Parameters<typeof inside>[1]) => {
    later()
    return inside(business_id, work)
  }
  const line = (entry: PostedEntry, index = 0) => entry.lines[index]?.id ?? ''

  await one({
    date: '2026-01-05', memo: 'Sale', lines: [[bank, 50_000], { ledger_id: role('sales'), amount: -50_000, project_id, dimension_value_ids: [value.id] }],
  })
  const invoice = await one({
    date: '2026-01-10', memo: 'Invoice', source_type: 'invoice', source_id: newId(),
    lines: [{ ...receivable, amount: 10_001 }, { ...sales, amount: -3_334, dimension_value_ids: [value.id] }, { ...sales, amount: -6_667, project_id }],
  })
  const part = await one({ date: '2026-02-03', lines: [[bank, 3_000], { ...receivable, amount: -3_000, settles_line_id: line(invoice) }] })
  await correct((tx) => redateEntry(tx, part.id, '2026-02-04'))
  await one({
    date: '2026-03-04', lines: [[bank, 5_000], [role('bad_debt'), 2_001], { ...receivable, amount: -7_001, settles_line_id: line(invoice) }],
  })
  const open = await one({ date: '2026-03-05', source_type: 'invoice', source_id: newId(), lines: [{ ...receivable, amount: 999 }, { ...sales, amount: -999 }] })
  await one({ date: '2026-03-20', lines: [[bank, 100], { ...receivable, amount: -100, settles_line_id: line(open) }] })

  const foreign = await one({
    date: '2026-02-10', currency: 'EUR', rate: '1.1', source_type: 'invoice', source_id: newId(),
    lines: [{ ...receivable, amount: 20_003 }, { ...sales, amount: -20_003 }],
  })
  await one({ date: '2026-03-15', currency: 'EUR', rate: '1.2', lines: [[euros, 8_001], { ...receivable, amount: -8_001, settles_line_id: line(foreign) }] })
  await one({
    date: '2026-03-31', source_type: 'fx_revaluation', auto_reverse_on: '2026-04-01',
    lines: [{ ...receivable, currency: 'EUR', amount: 0, base_amount: 1_200 }, { ledger_id: role('unrealized_fx'), amount: -1_200 }],
  })

  const bill = await one({
    date: '2026-02-15', source_type: 'bill', source_id: newId(), lines: [{ ...payable, amount: -4_000 }, { ledger_id: rent, amount: 4_000, vendor_id }],
  })
  await one({ date: '2026-04-02', lines: [{ ...payable, amount: 1_500, settles_line_id: line(bill) }, [bank, -1_500]] })

  await one({ date: '2026-04-30', is_adjusting: true, auto_reverse_on: '2026-05-01', lines: [[rent, 700], { ...payable, amount: -700 }] })
  const wrong = await one({
    date: '2026-04-10', source_type: 'invoice', source_id: newId(), lines: [{ ...receivable, amount: 5_555 }, { ...sales, amount: -5_555 }],
  })
  const paid = await one({ date: '2026-04-11', lines: [[bank, 2_222], { ...receivable, amount: -2_222, settles_line_id: line(wrong) }] })
  await correct((tx) => reverseEntry(tx, paid.id))
  await correct((tx) => reverseEntry(tx, wrong.id))
  const twice = await one({ date: '2026-05-10', auto_reverse_on: '2026-06-01', lines: [{ ...receivable, amount: 321 }, [role('sales'), -321]] })
  await correct((tx) => reverseEntry(tx, twice.id))

  clock.set('2026-07-15T18:00:00Z')
  for (const name of ['2026-01', '2026-02']) {
    const [{ id }] = await sql('select id from accounting_periods where business_id = $1 and name = $2', [business_id, name])
    await inside(business_id, (tx) => closePeriod(tx, id, true, []))
  }
  return team
}
