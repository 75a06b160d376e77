// Tests of roles over HTTP: who has them, who can, and what stands in the way.
import { beforeAll, describe, expect, it } from 'vitest'
import { chartOf, post } from '../../../test/support/books.ts'
import type { Client } from '../../../test/support/client.ts'
import { eventsOf } from '../../../test/support/events.ts'
import { newBusiness, type Team } from '../../../test/support/people.ts'
import { newId } from '../../foundation/ids.ts'
import { ROLES, type Ledger, type LedgerRole } from '../ledgers/contract.ts'

let team: Team
let client: Client
let chart: Awaited<ReturnType<typeof chartOf>>
beforeAll(async () => {
  team = await newBusiness()
  client = team.client
  chart = await chartOf(team.business_id)
})

let made = 0
const newLedger = async (more: object = {}): Promise<Ledger> =>
  (await client.post('/ledgers', { name: `Ledger ${++made}`, type: 'expense', subtype: 'operating', ...more })).data
const give = (role: LedgerRole, ledger: { id: string }) => client.put(`/ledgers/roles/${role}`, { ledger_id: ledger.id })
const receivable = { type: 'asset', subtype: 'accounts_receivable' }
const money = { type: 'asset', subtype: 'cash', is_bank: false }

describe('roles', () => {
  it('are all listed, each with its type, its ledger and what needs it', async () => {
    const { data } = await client.get('/ledgers/roles')
    expect(data.map(({ role, type }: { role: string; type: string }) => [role, type])).toEqual(Object.entries(ROLES))
    expect(data.filter(({ ledger, needed_by }: { ledger: unknown; needed_by: string[] }) => !ledger || needed_by.length === 0)).toEqual([])
    expect(data[0]).toMatchObject({
      role: 'accounts_receivable', ledger: { number: '1100', name: 'Accounts Receivable', currency: 'USD' }, needed_by: expect.arrayContaining(['invoices']),
    })
  })

  it('move to another ledger; again changes nothing', async () => {
    const [ledger, before] = [await newLedger(), chart.role('bad_debt')]
    expect((await give('bad_debt', ledger)).data).toMatchObject({ role: 'bad_debt', ledger: { id: ledger.id } })
    expect((await give('bad_debt', ledger)).status).toBe(200)
    expect(
      [(await client.get(`/ledgers/${ledger.id}`)).data, (await client.get(`/ledgers/${before}`)).data],
    ).toMatchObject([{ role: 'bad_debt', version: 2 }, { role: null, version: 2 }])
    expect([await eventsOf(ledger.id), await eventsOf(before)]).toEqual([['ledger.created', 'ledger.role_changed'], ['ledger.role_changed']])
    expect((await client.put(`/ledgers/${before}/archive`)).status).toBe(200)
  })

  it('need a ledger that is there and fits', async () => {
    expect((await give('sales', { id: newId() })).status).toBe(404)
    expect((await client.put('/ledgers/roles/nonsense', { ledger_id: newId() })).status).toBe(422)
    const refused = async (role: LedgerRole, ledger: { id: string }, detail: string) => expect(await give(role, ledger)).toMatchObject({ status: 400, detail })
    const plain = await newLedger()
    await refused('sales', plain, `The role sales needs a ledger of the type income; ${plain.name} is of the type expense.`)
    await refused('bad_debt', { id: chart.role('rounding') }, '6980 Rounding Differences has the role rounding already: a ledger has one role.')
    await refused('inventory', { id: chart.named('Checking') }, '1000 Checking is a bank account and cannot have the role inventory.')
    const heading = await newLedger({ posting: false })
    await refused('bad_debt', heading, `${heading.name} is a heading and takes no lines: choose another ledger.`)
    const archived = await newLedger()
    await client.put(`/ledgers/${archived.id}/archive`)
    await refused('bad_debt', archived, `${archived.name} is archived: restore it first.`)
    const [merged, target] = [await newLedger(), await newLedger()]
    await client.put(`/ledgers/${merged.id}/merge`, { into_id: target.id })
    await refused('bad_debt', target, `Other ledgers are merged into ${target.name}: unmerge them, or choose another ledger.`)
  })

  it('of documents stay while the ledger has open items or a balance, and go to empty ledgers only', async () => {
    const [own, other] = [chart.role('accounts_receivable'), await newLedger(receivable)]
    const sales = chart.role('sales')
    const customer_id = newId()
    await post(team.business_id,
      { date: '2026-02-01', lines: [{ ledger_id: own, amount: -500, customer_id }, [sales, 500]] },
      { date: '2026-02-02', lines: [{ ledger_id: own, amount: 500, customer_id }, [sales, -500]] })
    expect((await give('accounts_receivable', other)).detail).toBe(
      '1100 Accounts Receivable has 2 open items: the role accounts_receivable can move once they are settled.',
    )
    const tax = chart.role('sales_tax_payable')
    await post(team.business_id, { date: '2026-02-03', lines: [[tax, -60], [sales, 60]] })
    const payable = await newLedger({ type: 'liability', subtype: 'sales_tax' })
    expect((await give('sales_tax_payable', payable)).detail).toBe(
      '2200 Sales Tax Payable has a balance of 0.60 USD: the role sales_tax_payable can move once it is zero.',
    )
    await post(team.business_id, { date: '2026-02-03', lines: [[tax, 60], [payable.id, -60]] })
    expect((await give('sales_tax_payable', payable)).detail).toBe(
      `${payable.name} has a balance of 0.60 USD: the role sales_tax_payable can move once it is zero.`,
    )
    expect((await give('sales_tax_payable', await newLedger({ type: 'liability', subtype: 'sales_tax' }))).status).toBe(200)
  })

  it('of money need a ledger with lines in its own currency', async () => {
    const ledger = await newLedger(money)
    await post(
      team.business_id,
      { date: '2026-02-01', lines: [{ ledger_id: ledger.id, amount: 100, currency: 'EUR', base_amount: 100 }, [chart.role('sales'), -100]] },
    )
    await post(
      team.business_id,
      { date: '2026-02-01', lines: [{ ledger_id: ledger.id, amount: -100, currency: 'EUR', base_amount: -100 }, [chart.role('sales'), 100]] },
    )
    expect((await give('undeposited_funds', ledger)).detail).toBe(
      `${ledger.name} has lines in EUR: the role undeposited_funds needs a ledger with lines in USD only.`,
    )
    expect((await give('undeposited_funds', await newLedger(money))).status).toBe(200)
  })

  it('two at once: one ledger ends up with it', async () => {
    const [a, b] = [await newLedger(), await newLedger()]
    expect((await Promise.all([give('rounding', a), give('rounding', b)])).map(({ status }) => status)).toEqual([200, 200])
    const { data } = await client.get('/ledgers', { role: 'rounding' })
    expect(data.items).toHaveLength(1)
  })
})
