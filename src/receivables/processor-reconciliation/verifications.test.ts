// The clearing ledger is re-derived from what is known of the processor.
import { afterAll, expect, it } from 'vitest'
import { connect, newInvoice, pay } from '../../../test/support/cards.ts'
import { letGo, problemsOf, whileDamaged } from '../../../test/support/damage.ts'
import { runJobs } from '../../../test/support/jobs.ts'
import { newBusiness, sql, type Team } from '../../../test/support/people.ts'
import { ok } from '../../../test/support/sales.ts'

afterAll(letGo)

const CLEARING = 'What the card processor holds by the books is its charges less refunds, disputes and fees that no posted payout has carried'

/** One charge paid out, one refunded in part, one disputed, one that waits. */
async function lived(fee_recognition: 'payout' | 'charge'): Promise<Team> {
  const team = await newBusiness()
  await connect(team)
  if (fee_recognition === 'charge') ok(await team.client.put('/processor/connection', { fee_recognition }))
  const charges = []
  for (const amount of [10_000, 20_000, 30_000]) charges.push(await pay(team, (await newInvoice(team, amount)).token))
  ok(await team.client.post('/sandbox/processor/payouts', {}))
  await runJobs(team.business_id)
  ok(await team.client.post(`/processor/charges/${charges[1].id}/refund`, { amount: 5_000 }))
  ok(await team.client.post(`/sandbox/processor/charges/${charges[2].id}/dispute`, {}))
  await pay(team, (await newInvoice(team, 50_000)).token)
  return team
}

it.each(['payout', 'charge'] as const)('holds with fees booked by %s, and sees what does not', async (mode) => {
  const team = await lived(mode)
  expect(await problemsOf(team.client)).toEqual({})
  // By hand anything may stand on the ledger: the reconciliation shows it.
  const ledgers = await sql(`select id, role from ledgers where business_id = $1 and role in ('processor_clearing', 'rounding')`, [team.business_id])
  const ledger = (role: string) => ledgers.find((each) => each.role === role).id
  ok(await team.client.post('/journal-entries', { date: '2026-03-05', post: true, lines: [{ ledger_id: ledger('processor_clearing'), debit: 7 }, { ledger_id: ledger('rounding'), credit: 7 }] }))
  expect(await problemsOf(team.client)).toEqual({})
  expect(ok(await team.client.get('/processor/reconciliation')).rows).toEqual([expect.objectContaining({ cause: 'other', amount: 7 })])
  for (const [table, change] of [
    ['processor_refunds', 'update processor_refunds set settled_amount = 4000 where business_id = $1'],
    ['processor_disputes', 'update processor_disputes set booked_amount = 1 where business_id = $1'],
    ['processor_charges', 'update processor_charges set booked = false where business_id = $1 and amount = 50000'],
    ['processor_payout_items', `update processor_payout_items set amount = amount + 1, net = net + 1 where business_id = $1 and kind = 'charge' and amount = 10000`],
  ] as const) expect(await whileDamaged(team.business_id, table, change, () => problemsOf(team.client))).toEqual({ [CLEARING]: [expect.stringContaining('the books say')] })
})
