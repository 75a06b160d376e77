// The SQL of the head of the journal and of what is read with it.
import { Type } from 'typebox'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { id } from '../../foundation/shapes.ts'
import { AccountingPeriod } from '../accounting-periods/contract.ts'
import { BookLedger, BookPeriod, Head } from './contract.ts'

export const lockHead = statement(Head, `select ${columns(Head)} from journal_heads where business_id = :business_id for update`)
export const findHead = statement(Head, `select ${columns(Head)} from journal_heads where business_id = :business_id`)
export const insertHead = command('insert into journal_heads (business_id) values (:business_id)')

export const ledgers = statement(BookLedger, `select ${columns(BookLedger)} from ledgers where business_id = :business_id`)
export const periods = statement(BookPeriod, `select ${columns(BookPeriod)} from accounting_periods where business_id = :business_id order by start_date`)

export const insertPeriods = command(
  `insert into accounting_periods (${columns(AccountingPeriod)})
   select ${columns(AccountingPeriod)} from json_populate_recordset(null::accounting_periods, :periods::json) where business_id = :business_id`)

export const dropPeriods = command('delete from accounting_periods where business_id = :business_id')
export const changeCurrency = command('update ledgers set currency = :to, updated_at = :now, version = version + 1 where business_id = :business_id and currency = :from')
export const openingEntry = statement(
  Type.Object({ id: id() }),
  `select id from journal_entries where business_id = :business_id and source_type = 'opening' and reversed_by_id is null and reversal_of_id is null limit 1`)
