// The chart of accounts as rows of a sheet: what each cell says, and which ledger each row means.
import type { Static } from 'typebox'
import { compileCheck } from '../../foundation/http/validate.ts'
import { invalid } from '../../foundation/refusal.ts'
import type { SheetRow, Table } from '../../foundation/sheets.ts'
import { fields, LedgerUpdate, type Ledger, type LedgerRow } from '../ledgers/contract.ts'
import type { Ledgers } from '../ledgers/rules.ts'

type Cells = SheetRow['cells']
type Field = Exclude<keyof typeof fields, 'parent_id' | 'default_tax_code_id'>

const WORDS = ['type', 'subtype', 'cash_flow_class'] as const satisfies Field[]
const CHOICES = ['is_bank', 'posting'] as const satisfies Field[]
const TEXTS = ['number', 'name', 'currency', 'description', 'bank_name', 'bank_account_last4'] as const satisfies Field[]

const check = compileCheck('body', LedgerUpdate)

/** What a row says of its ledger; an empty cell says nothing. The parent is looked up by its number afterwards. */
export function readRow(cells: Cells): Static<typeof LedgerUpdate> {
  const said = (column: string) => plain(cells[column] ?? '')
  const entries = [
    ...TEXTS.map((column) => [column, column === 'currency' ? said(column).toUpperCase() : said(column)]),
    // As people write it: Fixed Asset is fixed_asset.
    ...WORDS.map((column) => [column, said(column).toLowerCase().replaceAll(/[\s-]+/g, '_')]),
  ].filter(([, value]) => value !== '')
  const choices = CHOICES.flatMap((column) => (said(column) === '' ? [] : [[column, choice(column, said(column))]]))
  const { value, problems: [problem] } = check(Object.fromEntries([...entries, ...choices]))
  if (problem) throw invalid(`${problem.loc.slice(1).join('.')}: ${problem.msg}`)
  return value as Static<typeof LedgerUpdate>
}

/** Without the apostrophe that keeps a spreadsheet from taking text for a formula. */
function plain(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r])/, '').trim()
}

const YES = ['true', 'yes', 'y', '1']
const NO = ['false', 'no', 'n', '0']

function choice(column: string, said: string): boolean {
  const word = said.toLowerCase()
  if (YES.includes(word)) return true
  if (NO.includes(word)) return false
  throw invalid(`${column}: '${said.slice(0, 40)}' is neither yes nor no.`)
}

export function parentNumberOf(cells: Cells): string | null {
  return plain(cells['parent_number'] ?? '') || null
}

/** By its number; without one, the only ledger without a number that has the name. */
export function ledgerMeant(ledgers: Ledgers, { number, name }: { number?: string | null; name?: string }): LedgerRow | null {
  const all = [...ledgers.values()]
  if (number) return all.find((ledger) => ledger.number === number.trim()) ?? null
  const named = all.filter((ledger) => ledger.number === null && ledger.name.toLowerCase() === name?.toLowerCase())
  if (named.length > 1) throw invalid(`${named.length} ledgers without a number are called ${name}: give them numbers first.`)
  return named[0] ?? null
}

const COLUMNS: Table['columns'] = [
  { key: 'number', label: 'Number', kind: 'text' },
  { key: 'name', label: 'Name', kind: 'text' },
  { key: 'type', label: 'Type', kind: 'text' },
  { key: 'subtype', label: 'Subtype', kind: 'text' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'parent_number', label: 'Parent number', kind: 'text' },
  { key: 'is_bank', label: 'Is bank', kind: 'text' },
  { key: 'posting', label: 'Posting', kind: 'text' },
  { key: 'cash_flow_class', label: 'Cash flow class', kind: 'text' },
  { key: 'description', label: 'Description', kind: 'text' },
  { key: 'bank_name', label: 'Bank name', kind: 'text' },
  { key: 'bank_account_last4', label: 'Bank account last4', kind: 'text' },
  { key: 'role', label: 'Role', kind: 'text' },
  { key: 'archived', label: 'Archived', kind: 'text' },
  { key: 'balance', label: 'Balance', kind: 'money' },
  { key: 'base_balance', label: 'Base balance', kind: 'money' },
]

export function tableOf(ledgers: readonly Ledger[], numberOf: (id: string) => string | null): Table {
  return {
    title: 'Chart of accounts',
    columns: COLUMNS,
    rows: ledgers.map((ledger) => ({
      ...Object.fromEntries(COLUMNS.flatMap(({ key }) => (key in ledger ? [[key, cellOf(ledger[key as keyof Ledger])]] : []))),
      parent_number: ledger.parent_id === null ? null : numberOf(ledger.parent_id),
    })),
  }
}

function cellOf(value: Ledger[keyof Ledger]): string | number | null {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
}
