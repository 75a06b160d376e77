// The SQL of public links of decks and dashboards. What was frozen is read only where it is shown.
import { Type } from 'typebox'
import { list } from '../../foundation/database/list.ts'
import { insertion, selectionById, updating } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { anyObject, nullable } from '../../foundation/shapes.ts'
import { ShareRow } from './contract.ts'

const Frozen = Type.Object({ snapshot: nullable(anyObject()) })

export const insertShare = insertion('shares', Type.Object({ ...ShareRow.properties, ...Frozen.properties }))
export const findShare = selectionById('shares', ShareRow)
export const lockShare = selectionById('shares', ShareRow, true)
export const snapshotOf = selectionById('shares', Frozen)
export const updateShare = updating('shares', 'revoked_at')

export const lockOpenShares = statement(ShareRow,
  `select ${columns(ShareRow)} from shares
   where business_id = :business_id and subject_type = :subject_type and subject_id = :subject_id and revoked_at is null order by id for update`)
export const revokeShares = command(
  `update shares set revoked_at = :now, updated_at = :now, version = version + 1 where business_id = :business_id and id = any(:ids)`)

export const countWrong = command('update shares set wrong_tries = :wrong_tries, wrong_since = :wrong_since where business_id = :business_id and id = :id')
export const countView = command('update shares set view_count = :view_count, last_viewed_at = :last_viewed_at where business_id = :business_id and id = :id')

export const shares = list({
  item: ShareRow,
  from: 'shares t',
  where: 't.business_id = :business_id',
  sorts: { created_at: { column: 't.created_at', type: 'timestamptz' } },
  filters: { subject_type: 't.subject_type = :subject_type', subject_id: 't.subject_id = :subject_id' },
})

export const sharer = statement(
  Type.Object({ name: Type.String(), status: Type.String(), country: Type.String() }),
  `select name, status, country from businesses where id = :business_id`)
