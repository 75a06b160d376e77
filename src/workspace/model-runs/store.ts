// The SQL of how often a model was asked.
import { Type } from 'typebox'
import { command, statement } from '../../foundation/database/statement.ts'
import { integer } from '../../foundation/shapes.ts'

export const runsOfMonth = statement(
  Type.Object({ runs: integer(0) }), 'select runs from model_runs where business_id = :business_id and month = :month')

export const addRuns = command(
  `insert into model_runs as m (business_id, month, runs) values (:business_id, :month, :runs)
   on conflict (business_id, month) do update set runs = m.runs + excluded.runs`)
