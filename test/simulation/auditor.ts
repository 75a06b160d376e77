// An independent auditor: reads the raw rows of a business and derives everything again, with none of the code under test.
import { createHash } from 'node:crypto'

/** Runs SQL as the owner of the database. */
export type Ask = (text: string, values?: unknown[]) => Promise<any[]>

export type Books = {
  entries: any[]
  lines: any[]
  cash: any[]
  /** The balance of each ledger at a date, from the lines alone. */
  balancesAt(date: string, basis: 'accrual' | 'cash'): Map<string, number>
}

export async function readBooks(ask: Ask, business_id: string): Promise<Books> {
  const entries = await ask(`select *, date::text as day, number::int as n, to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
    auto_reverse_on::text as reverse_day, rate::text as rate_text, encode(previous_hash, 'hex') as before, encode(hash, 'hex') as seal from journal_entries where business_id = $1 order by number`, [business_id])
  const lines = await ask('select *, date::text as day, entry_number::int as n, amount::float8 as a, base_amount::float8 as b, rate::text as rate_text from journal_lines where business_id = $1 order by entry_number, position', [business_id])
  const cash = await ask('select *, date::text as day, entry_number::int as n, base_amount::float8 as b from cash_basis_lines where business_id = $1', [business_id])
  return {
    entries,
    lines,
    cash,
    balancesAt(date, basis) {
      const balances = new Map<string, number>()
      const all = basis === 'cash' ? [...lines, ...cash] : lines
      for (const line of all) if (line.day <= date) balances.set(line.ledger_id, (balances.get(line.ledger_id) ?? 0) + line.b)
      return balances
    },
  }
}

/** Everything that is off, in sentences; none when the books are right. */
export async function audit(ask: Ask, business_id: string): Promise<string[]> {
  const books = await readBooks(ask, business_id)
  return [
    ...numbersAndSeals(books),
    ...entriesBalance(books),
    ...(await balancesAgree(ask, business_id, books)),
    ...corrections(books),
    ...(await closedPeriodsStand(ask, business_id, books)),
  ]
}

/** Whatever was answered is in the journal, once; whatever was refused is not. A lost answer may be either. */
export async function answersStand(ask: Ask, business_id: string, tried: ReadonlyMap<string, boolean | null>): Promise<string[]> {
  const rows = await ask('select memo, count(*)::int as count from journal_entries where business_id = $1 and not superseded and reversal_of_id is null and mirror_of_id is null group by memo', [business_id])
  const counts = new Map<string, number>(rows.map(({ memo, count }) => [memo, count]))
  return [...tried].flatMap(([memo, made]) => {
    const count = counts.get(memo) ?? 0
    if (made === true && count !== 1) return [`${memo} was answered and is there ${count} times`]
    if (made === false && count !== 0) return [`${memo} was refused and is there ${count} times`]
    return count > 1 ? [`${memo} is there ${count} times`] : []
  })
}

function numbersAndSeals({ entries, lines }: Books): string[] {
  const problems: string[] = []
  const byEntry = Map.groupBy(lines, (line) => line.entry_id)
  let previous = ''
  let last = ''
  for (const [index, entry] of entries.entries()) {
    if (entry.n !== index + 1) problems.push(`entry ${entry.n} stands at place ${index + 1}`)
    if (entry.before !== previous) problems.push(`entry ${entry.n} does not follow the seal before it`)
    if (entry.at < last) problems.push(`entry ${entry.n} was recorded before the one before it`)
    const content = JSON.stringify([
      entry.n, entry.at, entry.business_id, entry.id, entry.day, entry.source_type, entry.source_id, entry.currency, entry.rate_text, entry.is_adjusting, entry.reverse_day,
      entry.reversal_of_id, entry.mirror_of_id, entry.template_id, entry.prepared_by, entry.approved_by,
      (byEntry.get(entry.id) ?? []).map((line) => [line.id, line.ledger_id, line.currency, line.a, line.b, line.rate_text, line.memo, line.customer_id, line.vendor_id, line.project_id,
        line.dimension_value_ids, line.tax_code_id, line.settles_line_id]),
    ])
    const seal = createHash('sha256').update(Buffer.from(previous, 'hex')).update(content).digest('hex')
    if (seal !== entry.seal) problems.push(`the seal of entry ${entry.n} is broken`)
    previous = entry.seal
    last = entry.at
  }
  return problems
}

function entriesBalance({ entries, lines, cash }: Books): string[] {
  const byEntry = Map.groupBy(lines, (line) => line.entry_id)
  const cashByEntry = Map.groupBy(cash, (line) => line.entry_id)
  return entries.flatMap((entry) => {
    const own = byEntry.get(entry.id) ?? []
    const off: string[] = []
    if (own.length < 2) off.push(`entry ${entry.n} has ${own.length} lines`)
    if (sum(own, 'b') !== 0) off.push(`entry ${entry.n} is off by ${sum(own, 'b')}`)
    if (new Set(own.map((line) => line.currency)).size === 1 && sum(own, 'a') !== 0) off.push(`entry ${entry.n} is off by ${sum(own, 'a')} in its currency`)
    if (own.some((line) => line.day !== entry.day || line.n !== entry.n)) off.push(`a line of entry ${entry.n} has another date or number`)
    if (Number(entry.total) !== own.reduce((total, line) => total + Math.max(line.b, 0), 0)) off.push(`the total of entry ${entry.n} is wrong`)
    if (sum(cashByEntry.get(entry.id) ?? [], 'b') !== 0) off.push(`the cash basis of entry ${entry.n} does not balance`)
    return off
  })
}

async function balancesAgree(ask: Ask, business_id: string, { lines, cash }: Books): Promise<string[]> {
  const problems: string[] = []
  for (const [table, key] of [['ledger_months', 'month'], ['ledger_days', 'date']] as const) {
    const expected = new Map<string, number[]>()
    const add = (line: any, at: number[]) => {
      const name = `${line.ledger_id} ${line.currency} ${key === 'month' ? `${line.day.slice(0, 7)}-01` : line.day}`
      const row = expected.get(name) ?? [0, 0, 0, 0, 0]
      expected.set(name, row.map((value, index) => value + (at[index] ?? 0)))
    }
    for (const line of lines) add(line, [line.a, Math.max(line.b, 0), Math.max(-line.b, 0), 0, 0])
    for (const line of cash) add(line, [0, 0, 0, Math.max(line.b, 0), Math.max(-line.b, 0)])
    const rows = await ask(`select ledger_id, currency, ${key}::text as day, amount, debit, credit, cash_debit, cash_credit from ${table} where business_id = $1`, [business_id])
    for (const row of rows) {
      const name = `${row.ledger_id} ${row.currency} ${row.day}`
      const wanted = expected.get(name) ?? [0, 0, 0, 0, 0]
      expected.delete(name)
      const kept = [row.amount, row.debit, row.credit, row.cash_debit, row.cash_credit].map(Number)
      if (kept.some((value, index) => value !== wanted[index])) problems.push(`${table} ${name} holds ${kept}, the lines say ${wanted}`)
    }
    problems.push(...[...expected].filter(([, row]) => row.some((value) => value !== 0)).map(([name]) => `${table} ${name} is missing`))
  }
  return problems
}

/** A reversal is the opposite of its entry, once; so is a mirror. */
function corrections({ entries, lines }: Books): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const byEntry = Map.groupBy(lines, (line) => line.entry_id)
  const shape = (id: string, sign: number) => JSON.stringify((byEntry.get(id) ?? []).map((line) => [line.ledger_id, line.currency, sign * line.a + 0, sign * line.b + 0]))
  return entries.flatMap((entry) => {
    const off: string[] = []
    for (const other of [entry.reversal_of_id, entry.mirror_of_id]) {
      if (other && shape(entry.id, 1) !== shape(other, -1)) off.push(`entry ${entry.n} is not the opposite of what it reverses`)
    }
    if (entry.reversal_of_id && byId.get(entry.reversal_of_id)?.reversed_by_id !== entry.id) off.push(`entry ${entry.n} reverses an entry that does not know it`)
    if (entry.reversed_by_id && byId.get(entry.reversed_by_id)?.reversal_of_id !== entry.id) off.push(`entry ${entry.n} is called reversed without being so`)
    return off
  })
}

async function closedPeriodsStand(ask: Ask, business_id: string, books: Books): Promise<string[]> {
  const rows = await ask(`select p.name, p.end_date::text as last_day, c.trial_balance, p.closing_hash, c.hash from accounting_periods p
    left join lateral (select * from period_certificates c where c.business_id = p.business_id and c.period_id = p.id order by signed_at desc, id desc limit 1) c on true
    where p.business_id = $1 and p.status = 'closed'`, [business_id])
  return rows.flatMap(({ name, last_day, trial_balance, closing_hash, hash }) => {
    const now = books.balancesAt(last_day, 'accrual')
    const sworn = new Map<string, number>((trial_balance ?? []).map((row: any) => [row.ledger_id, row.closing]))
    const off = [...new Set([...now.keys(), ...sworn.keys()])].filter((id) => (now.get(id) ?? 0) !== (sworn.get(id) ?? 0))
    return [...(closing_hash === hash ? [] : [`${name} has no certificate of its hash`]), ...off.map((id) => `${name} was certified with ${sworn.get(id)} on ${id}, the lines say ${now.get(id)}`)]
  })
}

function sum(rows: any[], key: string): number {
  return rows.reduce((total, row) => total + row[key], 0)
}
