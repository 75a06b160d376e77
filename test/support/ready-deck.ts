// A deck that is ready to be shared, written straight into the tables: full of what must not get outside.
import { newId } from '../../src/foundation/ids.ts'
import type { Figure } from '../../src/insight/bindings/contract.ts'
import type { Block, Slide } from '../../src/insight/slides/contract.ts'
import { sql, type Team } from './people.ts'

/** None of these may be seen by whoever has a link. */
export const SECRETS = { ledger_id: newId(), customer_id: newId(), notes: 'Say nothing of the merger', problem: 'Ledger 4711 Slush is gone', binding: 'secret-parameter', reason: 'because-of-inside' }

export function figure(row: string, column: string, value_cents: number, more: Partial<Figure> = {}): Figure {
  return {
    key: `${row}@${column}`, label: `Row ${row.slice(0, 8)}`, row, column, column_label: column === 'now' ? 'This period' : column, kind: 'ledger', depth: 1, unit: 'currency',
    value_cents, decimal: null, formatted: `USD ${(value_cents / 100).toFixed(2)}`, reason: SECRETS.reason, href: `/explain?ledger_id=${SECRETS.ledger_id}&known_at=x`, ...more,
  }
}

export function block(kind: Block['kind'], more: Partial<Block> = {}): Block {
  const binding = { report: 'profit-and-loss', params: { customer_id: SECRETS.customer_id, memo: SECRETS.binding } }
  return { id: newId(), kind, chart: null, binding, figures: [], problem: null, text: null, edited: true, generated_by: 'model', model: 'model-x', document_id: null, ...more }
}

/** `revenue` stands in every kind of block; the second slide is hidden. */
export function slidesOf(revenue: number): Omit<Slide, 'deck_id' | 'position' | 'version' | 'data_as_of'>[] {
  const months = ['2026-01', '2026-02', '2026-03']
  const row = SECRETS.ledger_id
  const slide = (kind: Slide['kind'], title: string, blocks: Block[], hidden = false) => ({ id: newId(), kind, title, hidden, speaker_notes: SECRETS.notes, blocks })
  return [
    slide('title', 'March in figures', [block('text', { text: 'For the owners.\n\nAll of them.', figures: [figure(row, 'now', revenue)] })]),
    slide('narrative', 'The hidden one', [block('text', { text: 'Nobody outside reads this' })], true),
    slide('metrics', 'Key figures', [block('metric', { figures: [figure('revenue', 'now', revenue, { label: 'Revenue' }), figure('revenue', 'prior_year', 100, { label: 'Revenue' })] })]),
    slide('chart', 'Revenue by month', [block('chart', { chart: 'bar', figures: months.flatMap((month, index) => [
      figure(row, month, revenue + index, { label: 'Sales <b>&' }), figure(SECRETS.customer_id, month, 5000 + index, { label: 'Services' })]) })]),
    slide('table', 'Profit and loss', [
      block('table', { figures: [figure(row, 'now', revenue, { label: 'Sales' }), figure(newId(), 'now', -80, { label: 'Costs' }), figure('net', 'now', revenue - 80, { label: 'Net income', kind: 'total', depth: 0 })] }),
      block('table', { problem: SECRETS.problem }),
    ]),
  ]
}

export async function newReadyDeck(team: Team, { revenue = 230_000, title = 'March review', status = 'ready' } = {}): Promise<{ id: string; slides: string[]; hidden: string }> {
  const id = newId()
  await sql(`insert into decks (business_id, id, title, template, period_start, period_end, comparison, basis, audience, instructions, filters, status, data_as_of, journal_number, job_id,
      generated_by, error, created_by, created_at, updated_at, version)
    values ($1, $2, $3, 'monthly_review', '2026-03-01', '2026-03-31', 'none', 'accrual', null, $4, $5, $6, now(), 0, null, 'rules', case when $6 = 'failed' then 'No.' end, null, now(), now(), 1)`,
  [team.business_id, id, title, SECRETS.notes, JSON.stringify({ customer_id: SECRETS.customer_id }), status])
  return { id, ...(await setSlides(team, id, revenue)) }
}

/** As a refresh does: all slides at once. */
export async function setSlides(team: Team, deck_id: string, revenue: number): Promise<{ slides: string[]; hidden: string }> {
  const slides = slidesOf(revenue)
  await sql(`with gone as (delete from deck_slides where business_id = $1 and deck_id = $2)
    insert into deck_slides (business_id, id, deck_id, position, kind, title, hidden, speaker_notes, data_as_of, blocks, created_at, updated_at, version)
    select $1, (s->>'id')::uuid, $2, place, s->>'kind', s->>'title', (s->>'hidden')::boolean, s->>'speaker_notes', now(), s->'blocks', now(), now(), 1
    from jsonb_array_elements($3::jsonb) with ordinality as given (s, place)`, [team.business_id, deck_id, JSON.stringify(slides)])
  return { slides: slides.filter(({ hidden }) => !hidden).map(({ id }) => id), hidden: slides.find(({ hidden }) => hidden)?.id ?? '' }
}
