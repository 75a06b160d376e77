// Who an invoice is for: the block below "Bill to", or a label with a name behind it.
import { cellUnder, evidenceOf, type Found } from '../../foundation/document-text/labels.ts'
import type { Cell, DocumentPart, Line } from '../../foundation/document-text/pages.ts'
import { datesIn } from '../../foundation/document-text/values.ts'

export type Parties = { customer_name: Found<string> | null; customer_email: Found<string> | null }

const LABELS: [RegExp, number][] = [
  [/^(?:bill(?:ed)?[ -]?to|invoiced? to|invoice address|billing address|sold to|rechnung an|rechnungsempfänger|rechnungsadresse|facturé à|adresse de facturation|facturar a|fatturato a|factuur aan)(?!\p{L})\s*:?/iu, 94],
  [/^(?:customer|client|kunde|cliente|klant|buyer|purchaser|debtor|auftraggeber)(?: name| company)?\s*(?::|$)/i, 90],
  [/^(?:for|to|an|à|prepared for|attn\.?|attention)\s*(?::|$)/i, 78],
]
export const ADDRESS = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/
const NOT_A_NAME = /^(?:ship(?:ped)? to\b|deliver(?:y)? (?:to|address)\b|p\.?o\.? (?:box|no|number|#)|no\.|\d+$|(?:invoice|date|due|from|payment|terms|page|tel|phone|e-?mail|total|amount|vat|tax|number|description|qty)\s*(?:[:#.\d(]|$|(?:no|nr|id|number|date|due|to|by|terms|of)\b))/i

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
  const behind = isName(rest) ? rest : null
  if (behind) return { customer_name: { value: tidy(behind), confidence, evidence: evidenceOf(line) }, customer_email: email }
  // A form has the name in the next cell; a letter has it below.
  const first = block.slice(0, 2).find(({ under }) => under && isName(under.text))
  if (first?.under) return { customer_name: { value: tidy(first.under.text), confidence: confidence - 2, evidence: evidenceOf(first.below) }, customer_email: email }
  const next = line.cells[position + 1]
  if (next && isName(next.text)) return { customer_name: { value: tidy(next.text), confidence: confidence - 4, evidence: evidenceOf(line) }, customer_email: email }
  return null
}

function isName(text: string): boolean {
  return /\p{L}{2}/u.test(text) && text.length <= 120 && !NOT_A_NAME.test(text.trim()) && !ADDRESS.test(text.split(/[\s(<]/)[0] ?? '') && datesIn(text, null, 'day-month').length === 0 && !text.endsWith(':')
}

/** Without an address behind it, the person to whose attention it goes, or a comma at the end. */
function tidy(text: string): string {
  return text.replace(/[\s,;]*[<([]?\s*[\w.+-]+@[\w.-]+.*$/, '').replace(/\s*\b(?:attn|attention|c\/o|z\. ?h(?:d)?\.)\b.*$/i, '').replace(/[\s,;]+$/, '').slice(0, 200)
}

function emailOf(texts: readonly { line: Line; text: string }[]): Found<string> | null {
  for (const { line, text } of texts) {
    const address = ADDRESS.exec(text)?.[0]
    if (address) return { value: address.toLowerCase(), confidence: 90, evidence: evidenceOf(line) }
  }
  return null
}
