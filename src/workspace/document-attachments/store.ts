// The SQL of attachments.
import { Type } from 'typebox'
import { deletion, insertions } from '../../foundation/database/rows.ts'
import { statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { Attachment } from '../documents/contract.ts'

export const insertAttachments = insertions('document_attachments', Attachment)
export const deleteAttachment = deletion('document_attachments')

/** The documents of a record that is gone. */
export const attachedTo = statement(
  Type.Object({ document_id: id() }),
  `select document_id from document_attachments
   where business_id = :business_id and resource_type = :resource_type and resource_id = :resource_id order by document_id`)
