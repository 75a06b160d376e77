// Holding control ledgers against their open items.
import { addCents } from '../../foundation/money.ts'
import type { Table, TableRow } from '../../foundation/sheets.ts'
import type { BookLedger } from '../../ledger/books/contract.ts'
import type { LedgerRole } from '../../ledger/ledgers/contract.ts'
import { nameOf } from '../../ledger/posting/rules.ts'
import { natural } from '../report-figures/rules.ts'
import type { ControlAccount, ControlAccounts, ControlParty } from './contract.ts'

export type PartyType = ControlParty['party_type']

/** Whose open items make a ledger up; null where it has no sub-ledger. */
export function partyTypeOf({ role }: { role: string | null }): PartyType | null {
  return role === 'accounts_receivable' ? 'customer' : role === 'accounts_payable' ? 'vendor' : null
}

/** What the open items of somebody come to, debit positive. */
export type PartyItems = { party_id: string | null; amount: number; open_items: number }

/** `balances` has what is kept by party, debit positive; null is whatever names nobody. */
export function controlAccountOf(
  ledger: BookLedger, balance: number, balances: ReadonlyMap<string | null, number>, items: readonly PartyItems[], labels: ReadonlyMap<string, string>,
): ControlAccount {
  const { id: ledger_id, number, name, type } = ledger
  const party_type = partyTypeOf(ledger)
  const account = { ledger_id, number, name, role: ledger.role as LedgerRole, balance: natural(type, balance) }
  if (party_type === null) return { ...account, sub_ledger: null, difference: null, ok: null, open_items: null, parties: [] }
  const of_items = new Map(items.map((item) => [item.party_id, item.amount]))
  const parties = [...new Set([...balances.keys(), ...of_items.keys()])].map((party_id): ControlParty => {
    const kept = balances.get(party_id) ?? 0
    const itemised = party_id === null ? 0 : of_items.get(party_id) ?? 0
    const label = party_id === null ? 'Nobody' : labels.get(party_id) ?? party_id
    const amounts = { ledger_balance: natural(type, kept), sub_ledger: natural(type, itemised), difference: natural(type, kept - itemised) }
    return { party_type, party_id, label, ...amounts }
  })
  const sub_ledger = addCents(...parties.map((party) => party.sub_ledger))
  const difference = account.balance - sub_ledger
  return {
    ...account,
    sub_ledger,
    difference,
    ok: difference === 0,
    open_items: addCents(...items.map(({ open_items }) => open_items)),
    parties: parties.filter((party) => party.difference !== 0)
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || (a.label < b.label ? -1 : 1)),
  }
}

export function controlTable({ title, currency, accounts }: ControlAccounts): Table {
  return {
    title: `${title}, ${currency}`,
    columns: [
      { key: 'name', label: 'Control ledger', kind: 'text' },
      { key: 'balance', label: 'Balance', kind: 'money' },
      { key: 'sub_ledger', label: 'Sub-ledger', kind: 'money' },
      { key: 'difference', label: 'Difference', kind: 'money' },
      { key: 'open_items', label: 'Open items', kind: 'integer' },
    ],
    rows: accounts.flatMap(({ parties, balance, sub_ledger, difference, open_items, ...ledger }): TableRow[] => [
      { name: nameOf(ledger), balance, sub_ledger, difference, open_items, style: { bold: true } },
      ...parties.map((party): TableRow => (
        { name: party.label, balance: party.ledger_balance, sub_ledger: party.sub_ledger, difference: party.difference, style: { indent: 1 } })),
    ]),
  }
}
