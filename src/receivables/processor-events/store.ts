// The SQL of events of the card processor.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { selectionById, updating } from '../../foundation/database/rows.ts'
import { command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { EventRow, ProcessorEvent } from './contract.ts'

const names = Object.keys(EventRow.properties)

/** The same event again is no row. */
export const insertEvent = command(
  `insert into processor_events (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})
   on conflict on constraint processor_events_processor_id do nothing`)
export const updateEvent = updating('processor_events', 'outcome', 'detail', 'attempts', 'processed_at')
export const findEvent = selectionById('processor_events', ProcessorEvent)
export const lockEvent = selectionById('processor_events', ProcessorEvent, true)

export const events = list({
  item: ProcessorEvent,
  from: 'processor_events t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { type: 't.type = :type', outcome: 't.outcome = :outcome' },
})

export const businessOfAccount = statement(
  Type.Object({ id: id(), timezone: Type.String(), base_currency: Type.String() }),
  'select b.id, b.timezone, b.base_currency from processor_accounts a join businesses b on b.id = a.business_id where a.account_id = :account_id')
