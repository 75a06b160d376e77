// The SQL of the search index: how each kind of record reads as something to be found, and the tables of words.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { SearchDocument, type SearchType } from './contract.ts'

type Source = {
  title: string
  number?: string
  /** Further text by field, as arguments of an object. */
  fields: string
  amount?: string
  currency?: string
  date?: string
  status?: string
  archived?: string
  customer_id?: string
  vendor_id?: string
  sorted_on?: string
  path: string
  from: string
  where?: string
}

const created = 't.created_at::date'
const withCustomer = 'left join customers c on c.business_id = t.business_id and c.id = t.customer_id'
const text = (names: string) => names.split(' ').map((name) => `'${name}', t.${name}`).join(', ')

const SOURCES: Record<SearchType, Source> = {
  customer: {
    title: 't.name', status: 't.status', archived: `t.status = 'archived'`, currency: 't.currency', customer_id: 't.id',
    path: `'/customers/' || t.id`, from: 'customers t',
    fields: `${text('email phone website tax_number external_id notes')}, 'contacts', (select string_agg(concat_ws(' ', k.name, k.email, k.phone), ', ' order by k.id)
      from customer_contacts k where k.business_id = t.business_id and k.customer_id = t.id)`,
  },
  invoice: {
    title: `coalesce(t.number, 'Draft invoice')`, number: 't.number', amount: 't.total', currency: 't.currency', date: 't.invoice_date', status: 't.status',
    customer_id: 't.customer_id', sorted_on: `coalesce(t.invoice_date, ${created})`, path: `'/invoices/' || t.id`, from: `invoices t ${withCustomer}`,
    fields: `'customer', c.name, 'purchase_order', t.purchase_order_number, ${text('description customer_message internal_note external_id')}, 'lines',
      (select string_agg(l.description, ', ' order by l.position) from invoice_lines l where l.business_id = t.business_id and l.invoice_id = t.id)`,
  },
  credit_memo: {
    title: `coalesce(t.number, 'Draft credit')`, number: 't.number', amount: 't.total', currency: 't.currency', date: 't.credit_date', status: 't.status',
    customer_id: 't.customer_id', sorted_on: 't.credit_date', path: `'/credit-memos/' || t.id`, from: `credit_memos t ${withCustomer}`, fields: `'customer', c.name, ${text('description')}`,
  },
  catalog_item: { title: 't.name', number: 't.code', archived: 't.archived', path: `'/catalog-items/' || t.id`, from: 'catalog_items t', fields: text('description') },
  product: {
    title: 't.name', status: 't.status', archived: `t.status = 'archived'`, path: `'/inventory/products/' || t.id`, from: 'products t',
    fields: `${text('category description external_id')}, 'tags', array_to_string(t.tags, ', ')`,
  },
  variant: {
    title: 't.name', number: 't.sku', amount: 't.price', status: 't.status', archived: `t.status = 'archived'`, path: `'/inventory/products/' || t.product_id`,
    from: 'product_variants t', fields: text('barcode'),
  },
  project: {
    title: 't.name', number: 't.code', date: 't.start_date', status: 't.status', archived: `t.status = 'archived'`, customer_id: 't.customer_id',
    sorted_on: `coalesce(t.start_date, ${created})`, path: `'/projects/' || t.id`, from: `projects t ${withCustomer}`, fields: `'customer', c.name`,
  },
  contract: {
    title: 't.title', number: 't.number', amount: 't.value', currency: 't.currency', date: 't.start_date', status: 't.status', customer_id: 't.customer_id',
    sorted_on: 't.start_date', path: `'/contracts/' || t.id`, from: `contracts t ${withCustomer}`, fields: `'customer', c.name`,
  },
  transaction: {
    title: `coalesce(t.counterparty, t.description, t.reference, 'Transaction')`, amount: 't.amount', currency: 't.currency', date: 't.datetime', status: 't.status',
    customer_id: 't.customer_id', vendor_id: 't.vendor_id', sorted_on: 't.datetime', path: `'/transactions/' || t.id`, from: 'transactions t',
    fields: text('counterparty_raw description reference note'),
  },
  journal_entry: {
    title: `coalesce(t.memo, 'Journal entry ' || t.number)`, number: 't.number::text', amount: 't.total', currency: 't.currency', date: 't.date', status: 't.status',
    sorted_on: 't.date', path: `'/journal-entries/' || t.id`, from: 'journal_entries t', where: 'not t.superseded',
    fields: `'lines', (select string_agg(l.memo, ', ' order by l.position) from journal_lines l where l.business_id = t.business_id and l.entry_number = t.number)`,
  },
  ledger: {
    title: 't.name', number: 't.number', currency: 't.currency', status: 't.type', archived: 't.archived', path: `'/ledgers/' || t.id`, from: 'ledgers t',
    fields: text('description bank_name bank_account_last4'),
  },
  note: {
    title: `coalesce(nullif(btrim(left(split_part(t.body, e'\\n', 1), 100)), ''), 'Note')`, path: `'/notes/' || t.id`, from: 'notes t', where: 'not t.deleted',
    fields: text('body author_name'),
  },
  todo: {
    title: 't.title', date: 't.due_date', status: 't.status', sorted_on: `coalesce(t.due_date, ${created})`, path: `'/todos/' || t.id`, from: 'todos t',
    fields: `${text('description')}, 'tags', array_to_string(t.tags, ', '), 'checklist',
      (select string_agg(item ->> 'label', ', ') from jsonb_array_elements(t.checklist) as item)`,
  },
  tag: { title: 't.name', archived: 't.archived', path: `'/tags/' || t.id`, from: 'tags t', fields: `'group', t.group_name` },
  recurring_template: {
    title: 't.name', amount: 't.amount', currency: 't.currency', date: 't.next_date', status: 't.status', customer_id: 't.customer_id',
    path: `'/recurring/' || t.id`, from: `recurring_templates t ${withCustomer}`, fields: `'customer', c.name`,
  },
  document: {
    title: 't.name', date: 't.document_date', status: 't.kind', sorted_on: `coalesce(t.document_date, ${created})`, path: `'/documents/' || t.id`,
    from: 'documents t left join document_texts x on x.business_id = t.business_id and x.document_id = t.id', where: 't.deleted_at is null',
    fields: `${text('description folder')}, 'tags', array_to_string(t.tags, ', '), 'text', left(x.words, 20000)`,
  },
}

function reading(source: Source, condition: string) {
  return statement(
    SearchDocument,
    `select t.id, ${source.title} as title, ${source.number ?? 'null'} as number, jsonb_strip_nulls(jsonb_build_object(${source.fields})) as fields,
       ${source.amount ?? 'null'}::bigint as amount, ${source.currency ?? 'null'} as currency, ${source.date ?? 'null'}::date as date, ${source.status ?? 'null'} as status,
       coalesce(${source.archived ?? 'false'}, false) as archived, ${source.customer_id ?? 'null'}::uuid as customer_id, ${source.vendor_id ?? 'null'}::uuid as vendor_id,
       coalesce(${source.sorted_on ?? created}, '0001-01-01') as sorted_on, ${source.path} as path
     from ${source.from} where t.business_id = :business_id and ${source.where ?? 'true'} and ${condition}`,
  )
}

const each = <T>(make: (source: Source) => T) => Object.fromEntries(Object.entries(SOURCES).map(([type, source]) => [type, make(source)])) as Record<SearchType, T>

export const documentsById = each((source) => reading(source, 't.id = any(:ids)'))
export const documentsAfter = each((source) => reading(source, 't.id > :after order by t.id limit :limit'))
export const countOf = each(({ from, where = 'true' }) => statement(
  Type.Object({ count: Type.Integer() }), `select count(*) as count from ${from} where t.business_id = :business_id and ${where}`))

const rowsOf = (shape: string) => `jsonb_to_recordset(:rows::jsonb) as r (${shape})`

export const saveEntries = command(
  `insert into search_entries (business_id, type, id, title, amount, date, status, archived, customer_id, vendor_id, sorted_on, fingerprint)
   select :business_id, :type, r.id, r.title, r.amount, r.date, r.status, r.archived, r.customer_id, r.vendor_id, r.sorted_on, r.fingerprint
   from ${rowsOf('id uuid, title text, amount bigint, date date, status text, archived boolean, customer_id uuid, vendor_id uuid, sorted_on date, fingerprint text')}
   on conflict (business_id, type, id) do update set title = excluded.title, amount = excluded.amount, date = excluded.date, status = excluded.status,
     archived = excluded.archived, customer_id = excluded.customer_id, vendor_id = excluded.vendor_id, sorted_on = excluded.sorted_on,
     fingerprint = excluded.fingerprint`)

export const fingerprintsOf = statement(
  Type.Object({ fingerprint: Type.String() }), 'select fingerprint from search_entries where business_id = :business_id and type = :type and id = any(:ids)')

const wordRows = rowsOf('id uuid, word text, weight smallint, sorted_on date')

/** Words that the records have no longer; given are all that they have. */
export const dropWords = command(
  `delete from search_words w where w.business_id = :business_id and w.type = :type and w.id = any(:ids)
     and not exists (select from ${wordRows} where r.id = w.id and r.word collate "C" = w.word)`)

export const saveWords = command(
  `insert into search_words (business_id, type, id, word, weight, sorted_on) select :business_id, :type, r.id, r.word, r.weight, r.sorted_on from ${wordRows}
   on conflict (business_id, type, id, word) do update set weight = excluded.weight, sorted_on = excluded.sorted_on
     where (search_words.weight, search_words.sorted_on) is distinct from (excluded.weight, excluded.sorted_on)`)

export const saveVocabulary = command(
  'insert into search_vocabulary (business_id, word) select :business_id, word from unnest(:words::text[]) as given (word) on conflict (business_id, word) do nothing')

export const saveTypos = command(
  `insert into search_typos (business_id, key, word) select :business_id, key, word from unnest(:keys::text[], :words::text[]) as given (key, word)
   on conflict (business_id, key, word) do nothing`)

export const knownNames = statement(
  Type.Object({ word: Type.String() }),
  `select t.word from unnest(:words::text[]) as given (word) join search_typos t on t.business_id = :business_id and t.key = given.word collate "C" and t.word = t.key`)

export const dropEntries = command('delete from search_entries where business_id = :business_id and type = :type and id = any(:ids)')

/** Of a stretch of ids, what is not among those that exist. */
export const dropMissing = command(
  `delete from search_entries where business_id = :business_id and type = :type and id > :after and (:upto::uuid is null or id <= :upto) and not (id = any(:ids))`)

export const dropUnusedWords = command(
  `delete from search_vocabulary v where v.business_id = :business_id
     and not exists (select from search_words w where w.business_id = :business_id and w.word = v.word)`)
export const dropUnusedTypos = command(
  `delete from search_typos t where t.business_id = :business_id
     and not exists (select from search_vocabulary v where v.business_id = :business_id and v.word = t.word)`)

export const titlesOf = statement(
  Type.Object({ title: Type.String() }), 'select title from search_entries where business_id = :business_id and type = :type and id = :id')
export const newestOfCustomer = statement(
  Type.Object({ type: Type.Unsafe<SearchType>({ type: 'string' }), id: id() }),
  `select type, id from search_entries where business_id = :business_id and customer_id = :customer_id and type = any(:types)
   order by sorted_on desc, id desc limit :limit::int`)

export const businessesToIndex = statement(Type.Object({ business_id: id() }), 'select businesses_to_index(:now) as business_id')
export const noteAsked = command('update search_backlogs set asked_at = :now where business_id = :business_id')
export const dropBacklog = command('delete from search_backlogs where business_id = :business_id')
