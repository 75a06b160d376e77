// What each room gives a new business, in this order.
import type { Founder } from '../access/businesses/operations.ts'
import { foundPaymentTerms } from '../directory/payment-terms/operations.ts'
import { foundJournal } from '../ledger/books/operations.ts'
import { foundLedgers } from '../ledger/charts/operations.ts'
import { foundTaxCodes } from '../ledger/tax-codes/operations.ts'
import { foundLocations } from '../inventory/locations/operations.ts'
import { foundKeyTypes } from '../ledger/managerial-key-mappings/operations.ts'

export const founders: Founder[] = [
  foundJournal,
  foundLedgers,
  foundTaxCodes,
  foundKeyTypes,
  foundLocations,
  foundPaymentTerms,
]
