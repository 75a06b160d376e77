// What a room hands to the posting function.
import type { Currency } from '../../foundation/money.ts'
import type { Area } from '../books/contract.ts'

export type PostingLine = {
  ledger_id: string
  /** Signed cents in the currency of the line; may be 0 where only the base amount moves. */
  amount: number
  /** Default: that of the entry. */
  currency?: Currency | undefined
  /** Default: the amount at the rate of its currency. */
  base_amount?: number | undefined
  memo?: string | null | undefined
  customer_id?: string | null | undefined
  vendor_id?: string | null | undefined
  project_id?: string | null | undefined
  dimension_value_ids?: readonly string[] | undefined
  tax_code_id?: string | null | undefined
  settles_line_id?: string | null | undefined
}

export type Posting = {
  /** Where the entry has an id before it is posted, as a draft has. */
  id?: string | undefined
  date: string
  memo?: string | null | undefined
  source_type: string
  source_id?: string | null | undefined
  /** Whose lock of the period counts. */
  area?: Area | undefined
  /** Default: the base currency. */
  currency?: Currency | undefined
  /** Of the entry's currency; looked up where it is needed and absent. */
  rate?: string | null | undefined
  is_adjusting?: boolean | undefined
  auto_reverse_on?: string | null | undefined
  template_id?: string | null | undefined
  prepared_by?: string | null | undefined
  approved_by?: string | null | undefined
  /** Made by the service itself: rules of dimensions fill in but never refuse. */
  automatic?: boolean | undefined
  lines: readonly PostingLine[]
}
