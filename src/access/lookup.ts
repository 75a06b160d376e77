// Finding a business without a caller, for jobs and subscribers.
import { Type } from 'typebox'
import { statement } from '../foundation/database/statement.ts'
import { plainRequest, transact, type Database } from '../foundation/database/transact.ts'
import type { Business } from '../foundation/database/context.ts'
import { id } from '../foundation/shapes.ts'

const businessById = statement(
  Type.Object({ id: id(), timezone: Type.String(), base_currency: Type.String() }),
  'select id, timezone, base_currency from businesses where id = :id')

export function findBusiness(database: Database, business_id: string): Promise<Business | null> {
  return transact(database, { business_id: null, read_only: true, request: plainRequest }, async ({ tx }) => {
    const business = await tx.find(businessById, { id: business_id })
    return business && { ...business, read_only: null }
  })
}
