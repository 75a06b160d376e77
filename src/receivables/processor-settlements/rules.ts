// What a payout carried, in words.
type Item = { label: string; invoice_number: string | null }

const MOST_NAMED = 3

/** 'Acme (INV-0001), Bolt (INV-0002) and 5 more'; null where nothing is known. */
export function summaryOf(items: readonly Item[] | null): string | null {
  if (items === null || items.length === 0) return null
  const nameOf = ({ label, invoice_number }: Item) => (invoice_number === null || invoice_number === label ? label : `${label} (${invoice_number})`)
  const names = items.slice(0, MOST_NAMED).map(nameOf)
  return `${names.join(', ')}${items.length > MOST_NAMED ? ` and ${items.length - MOST_NAMED} more` : ''}`
}
