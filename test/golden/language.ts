// The language of the golden cases: a small journal, and the statements it must give. A case is a text that a bookkeeper can check by hand.
//
//   # What it shows                             the first line; what follows a # anywhere is a remark
//   business fiscal_year_start_month=4          settings of the business, and now=2028-03-31 for a clock that starts elsewhere
//   ledger "CAD Bank" asset bank CAD            a ledger more than the default chart has; also number=6101 below=Rent class=non_cash heading
//   value region:DE name=Germany below=region:EU   a value with a name, below another; any other comes into being where it is used
//   rate CAD 2026-03-31 0.72                    an exchange rate into the base currency
//   2026-01-31 Rent ; adjusting reverse=2026-02-01 source=bill as=B1 currency=CAD rate=0.75
//     Rent                  1500.00             a line: ledger, amount (debits positive), tags such as customer=Acme or region=DE
//     Accrued Expenses                          one line may leave its amount out
//     Accounts Receivable  -530.00 settles=I1   what it settles: the receivable or payable of the entry called so, I/2 the second of them
//     Sales  -100.00 CAD base=-75.00            a currency of its own, and what it is worth in the base currency
//   reverse B1 2026-03-01 · redate B1 2026-03-01 · revalue 2026-03-31 · close 2026-01 · soft-close 2026-02 · reopen 2026-02 · year 2025
//   archive Rent · merge Meals Travel · unmerge Meals · merge-value region:A region:B · clock 2026-05-01
//   moment before                               remembers this moment; a minute later the case goes on, and known_at=@before comes back to it
//   > balance-sheet as_of=2026-03-31            a statement; below it, up to an empty line, exactly what it says: rows with an amount, and the last row
//   Assets  10,000.00
//   > profit-and-loss | sections totals         sections: the sums of sections too; totals: nothing but totals
//   ! in front of any of these                  it is refused, and the text after `because` is part of the answer

export type Line = { ledger: string; amount: number | null; currency: string | null; tags: Record<string, string> }
type Refused = { refused: string | null }
export type Entry = Refused & { kind: 'entry'; date: string; memo: string; options: Record<string, string>; lines: Line[] }
export type Statement = Refused & { kind: 'statement'; report: string; query: Record<string, string>; shown: string[]; expected: string[]; at: number }
export type Deed = Refused & { kind: 'deed'; verb: string; words: string[]; options: Record<string, string> }
export type Step = { kind: 'business'; settings: Record<string, string> } | Entry | Statement | Deed

export function parseCase(text: string): { title: string; steps: Step[] } {
  const rows = text.split('\n')
  const title = /^# +(.*)$/.exec(rows[0] ?? '')?.[1] ?? ''
  const steps: Step[] = []
  let expecting: string[] | null = null
  for (const [index, row] of rows.entries()) {
    if (row.startsWith('#')) continue
    const line = row.replace(/\s#.*$/, '').trimEnd()
    if (line === '') {
      expecting = null
      continue
    }
    const last = steps.at(-1)
    if (expecting) expecting.push(squeezed(line))
    else if (/^\s/.test(line) && last?.kind === 'entry') last.lines.push(lineOf(line.trim()))
    else {
      const step = stepOf(line, index + 1)
      steps.push(step)
      if (step.kind === 'statement' && step.refused === null) expecting = step.expected
    }
  }
  return { title, steps }
}

function stepOf(line: string, at: number): Step {
  const [, mark, text = '', because = ''] = /^(!\s*)?(.*?)(?:\s+because\s+(.*))?$/.exec(line) ?? []
  if (mark && because === '') throw new Error(`A refusal says what it is refused for: ${line}`)
  const refused = mark ? because : null
  const entry = /^(\d{4}-\d{2}-\d{2})(?:\s+([^;]*?))?\s*(?:;\s*(.*))?$/.exec(text)
  if (entry) {
    const [, date = '', memo = '', options = ''] = entry
    return { kind: 'entry', date, memo, options: optionsOf(wordsOf(options)), lines: [], refused }
  }
  if (text.startsWith('>')) {
    const [asked = '', shown = ''] = text.slice(1).split('|')
    const [report = '', ...pairs] = wordsOf(asked)
    return { kind: 'statement', report, query: optionsOf(pairs), shown: wordsOf(shown), expected: [], at, refused }
  }
  const [verb = '', ...words] = wordsOf(text)
  if (verb === 'business') return { kind: 'business', settings: optionsOf(words) }
  return { kind: 'deed', verb, words: words.filter((word) => !word.includes('=')), options: optionsOf(words.filter((word) => word.includes('='))), refused }
}

function lineOf(text: string): Line {
  const match = /^(.+?)(?:\s{2,}(-?[\d,]+\.\d{2})(?:\s+([A-Z]{3}))?)?((?:\s+[\w:-]+=(?:"[^"]*"|\S+))*)$/.exec(text)
  if (!match) throw new Error(`Not a line: ${text}`)
  const [, ledger = '', amount, currency = null, tags = ''] = match
  return { ledger: ledger.trim(), amount: amount === undefined ? null : centsOf(amount), currency: currency ?? null, tags: optionsOf(wordsOf(tags)) }
}

/** Two decimals, whatever stands between the thousands. */
export function centsOf(text: string): number {
  return Number(text.replaceAll(/[,.]/g, ''))
}

/** Words, where quotes hold several together. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"]+|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''))
}

function optionsOf(words: string[]): Record<string, string> {
  return Object.fromEntries(words.map((word) => {
    const at = word.indexOf('=')
    return at < 0 ? [word, 'true'] : [word.slice(0, at), word.slice(at + 1)]
  }))
}

/** Columns may be lined up with any number of spaces. */
export function squeezed(text: string): string {
  return text.trim().replaceAll(/\s{2,}/g, '  ')
}
