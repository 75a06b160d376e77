// Makes the report of control accounts.
import type { BusinessTx } from '../../foundation/database/transaction.ts'
import { addCents, toCents } from '../../foundation/money.ts'
import { resources } from '../../foundation/resource.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import { isControlLedger } from '../../ledger/posting/rules.ts'
import { selectionOf } from '../general-ledger/operations.ts'
import { headerOf } from '../general-ledger/rules.ts'
import { askedOf } from '../report-columns/operations.ts'
import type { Group } from '../report-figures/contract.ts'
import { figures } from '../report-figures/operations.ts'
import { balanceOf, FIRST_DATE, membersOf, targetsOf } from '../report-figures/rules.ts'
import { byNumber, checkOf } from '../report-shape/rules.ts'
import type { ControlAccounts, ControlAccountsQuery } from './contract.ts'
import { controlAccountOf, partyTypeOf, type PartyItems, type PartyType } from './rules.ts'
import * as store from './store.ts'

export async function getControlAccounts(tx: BusinessTx, query: ControlAccountsQuery): Promise<ControlAccounts> {
  const as_of = query.as_of ?? tx.today
  const asked = await askedOf(tx, query)
  const { ledgers } = asked.books
  const controls = [...ledgers.values()].filter(isControlLedger).sort(byNumber)
  const members = membersOf(ledgers)
  const ledger_ids = controls.filter((ledger) => partyTypeOf(ledger) !== null).flatMap(({ id }) => members.get(id) ?? [id])
  const request = { ...asked.figures, ranges: [{ start_date: null, end_date: as_of }] }
  const { parameters } = await selectionOf(tx, asked, { start_date: FIRST_DATE, end_date: as_of })
  const [found, by_customer, by_vendor, rows] = await Promise.all([
    figures(tx, request),
    figures(tx, { ...request, split: ['customer'] }),
    figures(tx, { ...request, split: ['vendor'] }),
    tx.many(store.openItems, { ledger_ids, as_of, last_number: parameters.last_number, cash: asked.figures.basis === 'cash' }),
  ])
  const groups = { customer: by_customer.groups, vendor: by_vendor.groups }
  const itemsOf = partyItems(rows, targetsOf(ledgers))
  const labels = new Map([...(await labelsOf(tx, 'customer', rows)), ...(await labelsOf(tx, 'vendor', rows))])
  const accounts = controls.map((ledger) => {
    const party_type = partyTypeOf(ledger)
    const balances = party_type === null ? new Map<string | null, number>() : balancesOf(groups[party_type], ledger)
    return controlAccountOf(ledger, balanceOf(found.groups[0], ledger.id, 0), balances, party_type === null ? [] : itemsOf(ledger, party_type), labels)
  })
  return {
    ...headerOf(tx, { report: 'control-accounts', title: 'Control accounts', query, asked, dates: { as_of } }),
    accounts,
    checks: accounts.flatMap(({ role, difference }) => (difference === null ? [] : [checkOf(role, [difference])])),
  }
}

function balancesOf(groups: readonly Group[], { id }: BookLedger): Map<string | null, number> {
  return new Map(groups.filter(({ ledgers }) => ledgers.has(id)).map((group) => [group.values[0] ?? null, balanceOf(group, id, 0)]))
}

type Row = { ledger_id: string; customer_id: string | null; vendor_id: string | null; amount: string; open_items: number }

function partyItems(rows: readonly Row[], targets: ReadonlyMap<string, string>) {
  return (ledger: BookLedger, party_type: PartyType): PartyItems[] => {
    const own = rows.filter(({ ledger_id }) => targets.get(ledger_id) === ledger.id)
    return [...Map.groupBy(own, (row) => row[`${party_type}_id`])].map(([party_id, items]) => ({
      party_id,
      amount: toCents(items.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
      open_items: addCents(...items.map(({ open_items }) => open_items)),
    }))
  }
}

/** Names that the caller may not read stay ids. */
async function labelsOf(tx: BusinessTx, party_type: PartyType, rows: readonly Row[]): Promise<[string, string][]> {
  const resource = resources.get(party_type)
  const ids = [...new Set(rows.flatMap((row) => row[`${party_type}_id`] ?? []))]
  if (!resource?.lookup || ids.length === 0 || !tx.actor.permissions.has(`${resource.group}:read`)) return []
  return (await tx.many(resource.lookup, { ids })).map(({ id, label }) => [id, label])
}
