// The SQL of files of entries.
import { insertion } from '../../foundation/database/rows.ts'
import { columns, statement } from '../../foundation/database/statement.ts'
import { ImportRow } from './contract.ts'

export const insertImport = insertion('journal_imports', ImportRow)

export const latestImport = statement(
  ImportRow,
  `select ${columns(ImportRow)} from journal_imports
   where business_id = :business_id and content_hash = :content_hash order by created_at desc, id desc limit 1`)
