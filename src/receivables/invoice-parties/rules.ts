// Who an invoice is for: the block below "Bill to", or a label with a name behind it.
import { cellUnder, evidenceOf, type Found } from '../../foundation/document-text/labels.ts'
import type { Cell, DocumentPart, Line } from '../../foundation/document-text/pages.ts'
import { anyOf } from '../../foundation/document-text/words.ts'
import { datesIn } from '../../foundation/document-text/values.ts'

const r = String.raw

export type Parties = { customer_name: Found<string> | null; customer_email: Found<string> | null }

const LABELS: [RegExp, number][] = [
  [anyOf([
    'bill(?:ed)?[ -]?to', 'invoiced? to', 'invoice address', 'billing address', 'sold to', 'rechnung an', 'rechnungsempfänger', 'rechnungsadresse',
    'facturé à', 'adresse de facturation', 'facturar a', 'fatturato a', 'factuur aan',
  ], { before: '^', after: r`(?![a-zà-ÿ])\s*:?` }), 94],
  [/^(?:customer|client|kunde|cliente|klant|buyer|purchaser|debtor|auftraggeber)(?: name| company)?\s*(?::|$)/i, 90],
  [/^(?:for|to|an|à|prepared for|attn\.?|attention)\s*(?::|$)/i, 78],
]
export const ADDRESS = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/
const NOT_A_NAME = anyOf([
  r`ship(?:ped)? to\b`, r`deliver(?:y)? (?:to|address)\b`, r`p\.?o\.? (?:box|no|number|#)`, r`no\.`, r`\d+$`,
  // Words that begin a name as well are labels only before a figure or another such word.
  '(?:invoice|date|due|from|payment|terms|page|tel|phone|e-?mail|total|amount|vat|tax|number|description|qty)'
    + r`\s*(?:[:#.\d(]|$|(?:no|nr|id|number|date|due|to|by|terms|of)\b)`,
], { before: '^' })

export function customerOf({ lines }: DocumentPart): Parties {
  for (const [label, confidence] of LABELS) {
    for (const [index, line] of lines.entries()) {
      for (const [position, cell] of line.cells.entries()) {
        const match = label.exec(cell.text)
        if (!match) continue
        const found = named(lines, index, position, cell, cell.text.slice(match[0].length).replace(/^[\s:–-]+/, ''), confidence)
        if (found) return found
      }
    }
  }
  return { customer_name: null, customer_email: null }
}

function named(lines: readonly Line[], index: number, position: number, cell: Cell, rest: string, confidence: number): Parties | null {
  const line = lines[index]
  if (!line) return null
  const block = lines.slice(index + 1, index + 8).filter(({ page }) => page === line.page).map((below) => ({ below, under: cellUnder(cell, below) }))
  const email = emailOf([{ line, text: cell.text }, ...block.flatMap(({ below, under }) => (under ? [{ line: below, text: under.text }] : []))])
  const found = (name: string, sureness: number, where: Line): Parties =>
    ({ customer_name: { value: tidy(name), confidence: sureness, evidence: evidenceOf(where) }, customer_email: email })
  if (isName(rest)) return found(rest, confidence, line)
  // A form has the name in the next cell; a letter has it below.
  const first = block.slice(0, 2).find(({ under }) => under && isName(under.text))
  if (first?.under) return found(first.under.text, confidence - 2, first.below)
  const next = line.cells[position + 1]
  return next && isName(next.text) ? found(next.text, confidence - 4, line) : null
}

function isName(text: string): boolean {
  const [first = ''] = text.split(/[\s(<]/)
  if (!/\p{L}{2}/u.test(text) || text.length > 120 || text.endsWith(':')) return false
  return !NOT_A_NAME.test(text.trim()) && !ADDRESS.test(first) && datesIn(text, null, 'day-month').length === 0
}

/** Without an address behind it, the person to whose attention it goes, or a comma at the end. */
function tidy(text: string): string {
  const alone = text.replace(/[\s,;]*[<([]?\s*[\w.+-]+@[\w.-]+.*$/, '').replace(/\s*\b(?:attn|attention|c\/o|z\. ?h(?:d)?\.)\b.*$/i, '')
  return alone.replace(/[\s,;]+$/, '').slice(0, 200)
}

function emailOf(texts: readonly { line: Line; text: string }[]): Found<string> | null {
  for (const { line, text } of texts) {
    const address = ADDRESS.exec(text)?.[0]
    if (address) return { value: address.toLowerCase(), confidence: 90, evidence: evidenceOf(line) }
  }
  return null
}
