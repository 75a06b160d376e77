// The SQL of decks. Whether one is stale is asked of the head of the journal: one row per business.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { changing, deletion } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { DeckRow, DeckSummary } from './contract.ts'

const { stale: _stale, ...stored } = DeckRow.properties
const Stored = Type.Object(stored)
const { stale: _computed, ...plain } = DeckSummary.properties

const from = 'decks t join journal_heads h on h.business_id = t.business_id'
const stale = 'coalesce(h.number > t.journal_number, false) as stale'
const selected = `select ${columns(Stored, 't')}, ${stale} from ${from} where t.business_id = :business_id and t.id = :id`

export const findDeck = statement(DeckRow, selected)
export const lockDeck = statement(DeckRow, `${selected} for update of t`)

const names = Object.keys(stored)
export const insertDeck = command(`insert into decks (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`)
export const saveDeck = command(
  `update decks set ${changing(Stored).map((name) => `${name} = :${name}`).join(', ')} where business_id = :business_id and id = :id`)
export const deleteDeck = deletion('decks')

export const decks = list({
  item: DeckSummary,
  select: `${columns(Type.Object(plain), 't')}, ${stale}`,
  from,
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    title: { column: 't.title', type: 'text' },
    period_end: { column: 't.period_end', type: 'date' },
  },
  filters: {
    status: 't.status = :status',
    template: 't.template = :template',
    period_start: 't.period_start = :period_start',
    q: 't.id in (select search_decks(:business_id, :q))',
  },
})
