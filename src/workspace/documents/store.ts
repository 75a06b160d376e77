// The SQL of documents, their versions and their words.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { insertions, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Document, DocumentRow, DocumentVersion } from './contract.ts'

const attached = `(select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'document_id', a.document_id, 'resource_type', a.resource_type,
    'resource_id', a.resource_id, 'attached_by', a.attached_by,
    'created_at', to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.created_at, a.id), '[]')
  from document_attachments a where a.business_id = t.business_id and a.document_id = t.id) as attachments`
const select = `${columns(DocumentRow, 't')}, ${attached}`

export const findDocument = statement(Document, `select ${select} from documents t where t.business_id = :business_id and t.id = :id`)
export const findDocuments = statement(Document, `select ${select} from documents t where t.business_id = :business_id and t.id = any(:ids)`)

/** Locked before they are read: what is attached to them is looked up by the statement that follows, after whoever was before has ended. */
export const holdDocuments = command('select from documents where business_id = :business_id and id = any(:ids) order by id for update')

const asked = {
  item: Document,
  select,
  from: 'documents t',
  filters: {
    resource_type: 't.id in (select a.document_id from document_attachments a where a.business_id = :business_id and a.resource_type = :resource_type)',
    resource_id: 't.id in (select a.document_id from document_attachments a where a.business_id = :business_id and a.resource_id = :resource_id)',
    kind: 't.kind = :kind',
    tag: `t.tags <> '{}' and :tag = any(t.tags)`,
    folder: 't.folder = :folder',
    source: 't.source = :source',
    unattached: 'not exists (select from document_attachments a where a.business_id = :business_id and a.document_id = t.id) = :unattached::boolean',
    q: 't.id in (select search_documents(:business_id, :q))',
    from: 't.document_date >= :from',
    to: 't.document_date <= :to',
  },
}

export const documents = list({
  ...asked,
  where: 't.business_id = :business_id and t.deleted_at is null',
  sorts: {
    created_at: { column: 't.created_at', type: 'timestamptz' },
    name: { column: 't.name', type: 'text' },
    size: { column: 't.size', type: 'bigint' },
    document_date: { column: 't.document_date', type: 'date', nullable: true },
  },
})

/** The bin, which is small, in every order. */
export const binned = list({ ...asked, where: 't.business_id = :business_id and t.deleted_at is not null', sorts: documents.sorts })

export const insertDocuments = insertions('documents', DocumentRow)
export const insertVersions = insertions('document_versions', DocumentVersion)
export const updateDocument = updating(
  'documents', 'name', 'description', 'tags', 'folder', 'document_date', 'kind', 'content_type', 'size', 'sha256', 'version_number', 'pages', 'text_status',
  'retained_until', 'deleted_at')

/** What reading finds is no change that anybody made: it counts no version. */
export const saveReading = command(
  `update documents set text_status = :text_status, pages = :pages where business_id = :business_id and id = :id and version_number = :version_number`)

export const saveWords = command(
  `insert into document_texts (business_id, document_id, words)
   select :business_id, document_id, words from unnest(:ids::uuid[], :words::text[]) as given (document_id, words)
   on conflict (business_id, document_id) do update set words = excluded.words`)

/** The words of the name come first: when it changes, what was read stays. */
export const renameWords = command(
  `update document_texts set words = :after || substr(words, length(:before) + 1)
   where business_id = :business_id and document_id = :id and starts_with(words, :before)`)

export const versions = list({
  item: DocumentVersion,
  from: 'document_versions t',
  where: 't.business_id = :business_id',
  sorts: { number: { column: 't.number', type: 'integer' } },
  filters: { document_id: 't.document_id = :document_id' },
})

export const findVersion = statement(
  DocumentVersion,
  `select ${columns(DocumentVersion)} from document_versions
   where business_id = :business_id and document_id = :document_id and number = :number`)

/** The first document with each of these bytes as what it shows now: the one that is no duplicate, if it is still there. */
export const firstWithBytes = statement(
  Type.Object({ sha256: Type.String(), id: id() }),
  `select distinct on (sha256) sha256, id from documents
   where business_id = :business_id and sha256 = any(:hashes) and deleted_at is null order by sha256, (duplicate_of is not null), created_at, id`)

/** Bytes that a job has removed, or is about to remove, since then. */
export const removedSince = statement(
  Type.Object({ sha256: Type.String() }),
  'select sha256 from removed_files where business_id = :business_id and sha256 = any(:hashes) and removed_at >= :since::timestamptz')

/** Which of these bytes some document still is or has been. */
export const usedBytes = statement(
  Type.Object({ sha256: Type.String() }),
  'select distinct sha256 from document_versions where business_id = :business_id and sha256 = any(:hashes)')

export const markRemoved = command(
  `insert into removed_files (business_id, sha256, removed_at) select :business_id, sha256, :now from unnest(:hashes::text[]) as given (sha256)
   on conflict (business_id, sha256) do update set removed_at = excluded.removed_at`)

export const forgetRemoved = command(`delete from removed_files where business_id = :business_id and removed_at < :now::timestamptz - interval '2 days'`)

export const oldestInBin = statement(
  Type.Object({ id: id() }),
  `select id from documents
   where business_id = :business_id and deleted_at < :before::timestamptz order by deleted_at, id limit 100 for update`)
export const removeDocuments = command('delete from documents where business_id = :business_id and id = any(:ids)')

export const businessesWithOldBins = statement(Type.Object({ business_id: id() }), 'select businesses_with_old_bins(:before) as business_id')
