// The SQL of the list of all public links.
import { list } from '../../foundation/database/list.ts'
import { ShareLink } from './contract.ts'

const of_views = `select business_id, id, subject_type as kind, subject_id, title, mode, expires_at, password_hash is not null as has_password,
    allow_download, allow_chat, view_count, last_viewed_at, created_by, created_at
  from shares where revoked_at is null and expires_at > :now`

const of_documents = `select s.business_id, s.id, 'document' as kind, s.document_id as subject_id, d.name as title, 'live' as mode, s.expires_at,
    s.password_hash is not null as has_password, s.allow_download, false as allow_chat, null::bigint as view_count, null::timestamptz(3) as last_viewed_at,
    s.created_by, s.created_at
  from document_shares s join documents d on d.business_id = s.business_id and d.id = s.document_id
  where s.revoked_at is null and s.expires_at > :now and d.deleted_at is null`

export const shareLinks = list({
  item: ShareLink,
  from: `(${of_views} union all ${of_documents}) t`,
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { kind: 't.kind = :kind' },
})
