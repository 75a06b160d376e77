// The SQL of OAuth clients.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id, nullable, text, timestamp } from '../../foundation/shapes.ts'
import { OauthClient } from './contract.ts'

const { secrets: _secrets, grants_active, ...kept } = OauthClient.properties

/** Without its secrets, which are rows of their own. */
export const ClientRow = Type.Object({ ...kept, grants_active })

const active = `(select count(*) from oauth_grants g where g.client_id = t.id and g.status = 'active') as grants_active`
const selected = columns(ClientRow, 't').replace('t.client_id', 't.id as client_id').replace('t.grants_active', active)
const living = `t.status <> 'deleted'`

export const ownClients = list({
  item: ClientRow,
  select: selected,
  from: 'oauth_clients t',
  where: `t.owner_id = :actor_id and ${living}`,
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { status: 't.status = :status' },
})

export const findOwnClient = statement(ClientRow, `select ${selected} from oauth_clients t where t.id = :id and t.owner_id = :actor_id and ${living}`)
export const lockOwnClient = statement(ClientRow, `select ${selected} from oauth_clients t where t.id = :id and t.owner_id = :actor_id and ${living} for update of t`)
export const findClient = statement(ClientRow, `select ${selected} from oauth_clients t where t.id = :id and ${living}`)

export const insertClient = command(
  `insert into oauth_clients (id, owner_id, name, description, logo_document_id, homepage_url, privacy_url, redirect_uris, type, allowed_scopes, status,
     created_at, updated_at, version)
   values (:client_id, :actor_id, :name, :description, :logo_document_id, :homepage_url, :privacy_url, :redirect_uris, :type, :allowed_scopes, :status,
     :created_at, :updated_at, :version)`)

export const updateClient = command(
  `update oauth_clients set name = :name, description = :description, logo_document_id = :logo_document_id, homepage_url = :homepage_url,
     privacy_url = :privacy_url, redirect_uris = :redirect_uris, allowed_scopes = :allowed_scopes, status = :status, updated_at = :updated_at, version = :version
   where id = :client_id`)

export const deleteClient = command(`update oauth_clients set status = 'deleted', updated_at = :now, version = version + 1 where id = :id`)
export const disableClientsOf = command(`update oauth_clients set status = 'disabled', updated_at = :now, version = version + 1 where owner_id = :user_id and status = 'active'`)

export const secretsOf = statement(
  Type.Object({ id: id(), client_id: id(), last4: text(4, 4), last_used_at: nullable(timestamp()), created_at: timestamp() }),
  'select id, client_id, last4, last_used_at, created_at from oauth_client_secrets where client_id = any(:client_ids::uuid[]) order by created_at, id')

export const insertSecret = command(
  `insert into oauth_client_secrets (id, client_id, secret_hash, last4, created_at) values (:id, :client_id, :secret_hash, :last4, :now)`)
export const deleteSecret = command('delete from oauth_client_secrets where id = :id and client_id = :client_id')
export const deleteSecrets = command('delete from oauth_client_secrets where client_id = :client_id')

export const findSecret = statement(
  Type.Object({ id: id(), last_used_at: nullable(timestamp()) }),
  'select id, last_used_at from oauth_client_secrets where client_id = :client_id and secret_hash = :secret_hash')
export const touchSecret = command('update oauth_client_secrets set last_used_at = :now where id = :id')
