// Random work on what customers have to their credit: credit notes, overpayments and deposits, applied, refunded and taken back.
import { addDays } from '../../src/foundation/calendar.ts'
import type { Answer } from '../support/client.ts'
import type { Random } from './random.ts'
import { line, part, recent, salesOf, show, someInvoice } from './sales.ts'
import { dateIn, refuse, type Operation, type World } from './world.ts'

export const CREDITS = {
  credit_invoice: 5, credit_customer: 2, receive_ahead: 4, finalize_memo: 2, redate_memo: 1, apply: 6, apply_oldest: 1, unapply: 2, refund: 3, unrefund: 1, void_memo: 2, delete_memo: 1,
}

export const creditOperations: Record<keyof typeof CREDITS, Operation> = {
  async credit_invoice(client, world, random) {
    const delivered = [...salesOf(world).invoices.values()].filter((each) => each['delivered'])
    const target = random.chance(40) ? recent(delivered, random) : someInvoice(world, random, ['open', 'partially_paid', 'manual_paid'])
    if (!target) return
    const mode = random.weighted({ full: 1, amount: 4, lines: 3 })
    const description = newDescription(world)
    const lines = ((target['line_items'] ?? []) as { id: string; quantity: number }[]).filter(() => random.chance(60))
    const answer = await client.post('/credit-memos/from-invoice', {
      invoice_id: target.id, mode, credit_date: dateIn(world, random), finalize: random.chance(80), apply: random.chance(50), ...(mode === 'amount' ? {} : { restock: random.chance(70) }),
      ...(mode === 'amount' && { amount: part(target, random) }),
      ...(mode === 'lines' && { lines: lines.map(({ id, quantity }) => ({ invoice_line_id: id, quantity: random.between(1, Math.max(1, quantity)) })) }),
      description,
    })
    keep(world, answer, description)
  },
  async credit_customer(client, world, random) {
    const { id: customer_id, currency } = random.pick(salesOf(world).customers)
    const description = newDescription(world)
    const line_items = Array.from({ length: random.between(1, 2) }, () => line(world, random, currency))
    keep(world, await client.post('/credit-memos', { customer_id, line_items, credit_date: dateIn(world, random), finalize: random.chance(80), description }), description)
  },
  async receive_ahead(client, world, random) {
    const { customers, deposits, banks } = salesOf(world)
    const { id: customer_id, currency } = random.pick(customers)
    const transaction = random.chance(50) ? recent(deposits.filter((each) => each.currency === currency), random) : null
    const description = newDescription(world)
    keep(world, await client.post('/credit-memos', {
      customer_id, kind: random.pick(['overpayment', 'deposit']), credit_date: dateIn(world, random), finalize: random.chance(85), description,
      ...(transaction ? { transaction_id: transaction.id, ...(random.chance(60) ? { amount: random.between(1, 5_000) } : {}) } : { amount: random.between(1, 30_000) }),
      ...(transaction || random.chance(50) ? {} : { deposit_ledger_id: random.pick(banks) }),
    }), description)
  },
  finalize_memo: (client, world, random) => onMemo(world, random, ['draft'], ({ id }) => client.put(`/credit-memos/${id}/finalize`, random.chance(30) ? { credit_date: dateIn(world, random) } : {})),
  redate_memo: (client, world, random) => onMemo(world, random, ['draft', 'open'], ({ id }) => client.put(`/credit-memos/${id}`, { credit_date: dateIn(world, random) })),
  apply: (client, world, random) => onMemo(world, random, ['open'], async ({ id, customer_id, currency, credit_date, remaining }) => {
    const fitting = [...salesOf(world).invoices.values()].filter((each) => each.customer_id === customer_id && each.currency === currency && ['open', 'partially_paid'].includes(each.status))
    const target = recent(fitting, random) ?? someInvoice(world, random, ['open'])
    if (!target) return null
    const latest = [credit_date, target['invoice_date'] ?? credit_date].toSorted().at(-1)
    const amount = Math.max(1, Math.min(part(target, random), remaining ?? 1))
    const answer = await client.post(`/credit-memos/${id}/apply`, { allocations: [{ invoice_id: target.id, amount }], applied_on: addDays(latest, random.between(0, 20)) })
    if (answer.status === 201 && target['balance_due']) show(world, { ...target, balance_due: target['balance_due'] - amount })
    return answer
  }, 201),
  async apply_oldest(client, world, random) {
    const answer = await client.post('/credit-memos/auto-apply', { customer_id: random.pick(salesOf(world).customers).id, applied_on: addDays(world.first_date, world.days) })
    if (answer.status !== 201) refuse(world, answer)
  },
  unapply: (client, world, random) => onMemo(world, random, ['closed', 'open'], async ({ id }) => {
    const { data } = await client.get(`/credit-memos/${id}/applications`)
    const application = recent((data?.items ?? []) as { id: string }[], random)
    if (!application) return null
    return client.delete(`/credit-memos/${id}/applications/${application.id}`, random.chance(40) ? { query: { reversal_date: dateIn(world, random) } } : {})
  }),
  async refund(client, world, random) {
    const { banks, refunds } = salesOf(world)
    const target = someMemo(world, random, ['open'])
    if (!target) return
    const refunded_on = addDays(target['credit_date'], random.between(0, 20))
    const answer = await client.post(`/credit-memos/${target.id}/refund`, { amount: random.between(1, Math.max(1, target['remaining'])), method: 'bank', ledger_id: random.pick(banks), refunded_on })
    if (answer.status !== 201) return refuse(world, answer)
    refunds.push({ id: answer.data.id, memo_id: target.id })
  },
  async unrefund(client, world, random) {
    const target = recent(salesOf(world).refunds, random)
    if (!target) return
    const answer = await client.delete(`/credit-memos/${target.memo_id}/refunds/${target.id}`)
    if (answer.status !== 200) return refuse(world, answer)
    remember(world, answer.data)
  },
  void_memo: (client, world, random) => onMemo(world, random, ['open'], ({ id }) => client.put(`/credit-memos/${id}/void`, random.chance(40) ? { reversal_date: dateIn(world, random) } : {})),
  async delete_memo(client, world, random) {
    const { tried } = salesOf(world)
    const target = someMemo(world, random, ['draft'])
    if (!target) return
    const word = target['description']
    if (tried.memos.get(word) === 1) tried.memos.set(word, null)
    const answer = await client.delete(`/credit-memos/${target.id}`)
    if (answer.status === 200 || answer.status === 404) tried.memos.set(word, 0)
    else if (tried.memos.get(word) === null) tried.memos.set(word, 1)
    if (answer.status !== 200) refuse(world, answer)
  },
}

type Memo = NonNullable<ReturnType<typeof someMemo>>

function someMemo(world: World, random: Random, likely: readonly string[]) {
  const all = [...salesOf(world).memos.values()]
  const fitting = all.filter(({ status }) => likely.includes(status))
  return recent(fitting.length > 0 && random.chance(92) ? fitting : all, random)
}

async function onMemo(world: World, random: Random, likely: readonly string[], act: (target: Memo) => Promise<Answer | null>, done = 200): Promise<void> {
  const target = someMemo(world, random, likely)
  const answer = target && await act(target)
  if (!answer) return
  if (answer.status !== done) return refuse(world, answer)
  remember(world, answer.data)
}

function remember(world: World, memo: Memo): void {
  const { memos } = salesOf(world)
  memos.delete(memo.id)
  memos.set(memo.id, memo)
}

function newDescription(world: World): string {
  const { memos } = salesOf(world).tried
  const description = `credit ${memos.size + 1}`
  memos.set(description, null)
  return description
}

function keep(world: World, answer: Answer, description: string): void {
  salesOf(world).tried.memos.set(description, answer.status === 201 ? 1 : 0)
  if (answer.status !== 201) return refuse(world, answer)
  remember(world, answer.data)
}
