// The SQL of logos.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { id, integer, oneOf, timestamp } from '../../foundation/shapes.ts'

const LogoRow = Type.Object({
  business_id: id(), content_type: oneOf(['image/png', 'image/jpeg']), content: Type.Unsafe<Buffer>({ type: 'buffer' }), width: integer(1), height: integer(1), updated_at: timestamp(),
})

const found = 'select business_id, content_type, content, width, height, updated_at from business_logos where business_id = :business_id'
export const findLogo = statement(LogoRow, found)
export const lockLogo = statement(LogoRow, `${found} for update`)

export const saveLogo = command(
  `insert into business_logos (business_id, content_type, content, width, height, updated_at) values (:business_id, :content_type, :content, :width, :height, :now)
   on conflict (business_id) do update set content_type = :content_type, content = :content, width = :width, height = :height, updated_at = :now`)

export const deleteLogo = command('delete from business_logos where business_id = :business_id')
