// The SQL of recurring templates and of what became of their dates.
import { Type } from 'typebox'
import { constraintMeans } from '../../foundation/database/errors.ts'
import { list } from '../../foundation/database/list.ts'
import { changing, Count, deletion, insertions, selectionById, updatings } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Occurrence, RecurringTemplate } from './contract.ts'

constraintMeans('recurring_templates_customer', 'A recurring template bills this customer: delete it first, or archive the customer instead.')

// The customer is read from the body by the database.
const { customer_id: _customer, ...written } = RecurringTemplate.properties
const TemplateRow = Type.Object(written)
const running = ['status', 'last_date', 'next_date', 'paused_until', 'occurrences', 'occurrences_generated', 'occurrences_retrying', 'last_error', 'updated_at', 'version']
export const insertTemplates = insertions('recurring_templates', TemplateRow, 'templates')
export const updateTemplates = updatings('recurring_templates', changing(TemplateRow, 'kind', 'created_by', 'source_invoice_id'), 'templates')
/** Only what a turn of the clock changes. */
export const advanceTemplates = updatings('recurring_templates', running, 'templates')
export const deleteTemplate = deletion('recurring_templates')
export const findTemplate = selectionById('recurring_templates', RecurringTemplate)
export const lockTemplate = selectionById('recurring_templates', RecurringTemplate, true)

/** Whoever else holds one of them is at work on it. */
export const templatesDue = statement(
  RecurringTemplate,
  `select ${columns(RecurringTemplate)} from recurring_templates
   where business_id = :business_id and status = 'active' and next_date <= :through::date order by next_date, id limit :limit for update skip locked`)

export const templatesWaking = statement(
  RecurringTemplate,
  `select ${columns(RecurringTemplate)} from recurring_templates
   where business_id = :business_id and paused_until <= :through::date order by id limit :limit for update skip locked`)

export const templates = list({
  item: RecurringTemplate,
  from: 'recurring_templates t',
  where: 't.business_id = :business_id',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    next_date: { column: 't.next_date', type: 'date', nullable: true },
    name: { column: 't.name_key', type: 'text' },
  },
  filters: {
    kind: 't.kind = :kind',
    status: 't.status = :status',
    customer_id: 't.customer_id = :customer_id',
    next_date_from: 't.next_date >= :next_date_from',
    next_date_to: 't.next_date <= :next_date_to',
    search: 'strpos(t.name_key, lower(:search)) > 0',
    updated_since: 't.updated_at >= :updated_since',
  },
})

const occurrenceColumns = ['business_id', ...Object.keys(Occurrence.properties)].join(', ')
const occurrenceRows = 'jsonb_populate_recordset(null::recurring_occurrences, :occurrences::jsonb)'

export const insertOccurrences = command(
  `insert into recurring_occurrences (${occurrenceColumns}) select ${occurrenceColumns} from ${occurrenceRows} where business_id = :business_id`)
export const updateOccurrence = command(
  `update recurring_occurrences set status = :status, document_id = :document_id, attempts = :attempts, error = :error, warning = :warning, retry_at = :retry_at,
     updated_at = :updated_at
   where business_id = :business_id and template_id = :template_id and number = :number`)
export const stopRetrying = command(
  'update recurring_occurrences set retry_at = null, updated_at = :now where business_id = :business_id and template_id = :template_id and retry_at is not null')

/** Its template is locked before it. */
export const lockOccurrence = statement(
  Occurrence,
  `select ${columns(Occurrence)} from recurring_occurrences where business_id = :business_id and template_id = :template_id and number = :number for update`)

/** A pause holds these up too. */
export const retriesDue = statement(
  Type.Object({ template_id: id(), number: Type.Integer() }),
  `select o.template_id, o.number from recurring_occurrences o join recurring_templates t on t.business_id = o.business_id and t.id = o.template_id
   where o.business_id = :business_id and o.retry_at <= :now and t.status = 'active' order by o.retry_at, o.template_id, o.number limit :limit`)

export const occurrences = list({
  item: Occurrence,
  from: 'recurring_occurrences t',
  where: 't.business_id = :business_id',
  sorts: { number: { column: 't.number', type: 'integer' }, scheduled_date: { column: 't.scheduled_date', type: 'date' } },
  filters: { template_id: 't.template_id = :template_id', status: 't.status = :status' },
})

/** Across businesses. */
export const businessesDue = statement(Type.Object({ business_id: id() }), 'select due.business_id from businesses_with_recurring_due(:now) as due (business_id)')

/** Templates whose figures are not those of their dates. */
export const miscounted = statement(
  Type.Object({ id: id(), name: Type.String() }),
  `select t.id, t.name from recurring_templates t left join lateral (
     select count(*) as occurrences, count(*) filter (where o.status = 'generated') as generated, count(*) filter (where o.retry_at is not null) as retrying,
       max(o.number) as last_number, max(o.scheduled_date) as last_date
     from recurring_occurrences o where o.business_id = t.business_id and o.template_id = t.id) as c on true
   where t.business_id = :business_id and (t.occurrences <> c.occurrences or t.occurrences_generated <> c.generated or t.occurrences_retrying <> c.retrying
     or t.occurrences <> coalesce(c.last_number, 0) or t.last_date is distinct from c.last_date)
   order by t.id limit 100`)
export const countTemplates = statement(Count, 'select count(*) as count from recurring_templates where business_id = :business_id')
