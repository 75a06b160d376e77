// What a business may be called, when it may change, and what it goes through from its first day to its last.
import { isTimezone } from '../../foundation/calendar.ts'
import { forbidden, invalid, unprocessable, type Problem } from '../../foundation/refusal.ts'
import { permissionsFor, type Role } from '../permissions.ts'

export const TRIAL_DAYS = 30
export const DELETION_DAYS = 30
/** How long a sample stays. */
export const SAMPLE_DAYS = 14

/** What the schema cannot say: countries and time zones that do not exist. */
export function requireRealPlace(input: { country?: string; timezone?: string; address?: { country?: string | null } | null }): void {
  const problems: Problem[] = []
  const problem = (msg: string, ...loc: string[]) => problems.push({ loc: ['body', ...loc], msg, type: 'value_error' })
  const home = input.address?.country
  if (input.country !== undefined && !isCountry(input.country)) problem('Must be a country code of ISO 3166-1, such as US.', 'country')
  if (input.timezone !== undefined && !isTimezone(input.timezone)) problem('Must be a name of the time zone database, such as America/New_York.', 'timezone')
  if (home && !isCountry(home)) problem('Must be a country code of ISO 3166-1, such as US.', 'address', 'country')
  if (problems.length > 0) throw unprocessable(problems)
}

/** The first day of the fiscal year that this date is in. */
export function fiscalYearStart(date: string, start_month: number): string {
  const year = Number(date.slice(0, 4)) - (Number(date.slice(5, 7)) < start_month ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(start_month).padStart(2, '0')}-01`
}

/** What the books of a business already hold. */
export type BooksState = { has_postings: boolean; has_closed_periods: boolean; has_opening_balances: boolean }

export type Fixable = { base_currency: string; fiscal_year_start_month: number; books_start_date: string }

export function requireChangeable(before: Fixable, after: Fixable, books: BooksState): void {
  if (books.has_postings && after.base_currency !== before.base_currency) {
    throw invalid(`The base currency stays ${before.base_currency}: entries are posted in it already.`)
  }
  if (after.fiscal_year_start_month !== before.fiscal_year_start_month) {
    if (books.has_postings) throw invalid('The first month of the fiscal year is fixed: entries are posted in its periods already.')
    if (books.has_closed_periods) throw invalid('The first month of the fiscal year is fixed: a period is closed already. Reopen it first.')
  }
  if (books.has_opening_balances && after.books_start_date !== before.books_start_date) {
    throw invalid('The start of the books is fixed: opening balances are posted. Reverse them first.')
  }
}

export function requireOwner(role: string | null, action: string): void {
  if (role !== 'owner') throw forbidden(`Only an owner can ${action}.`)
}

export function requireAdmin(role: string | null, action: string): void {
  if (role !== 'owner' && role !== 'admin') throw forbidden(`Only an owner or an admin can ${action}.`)
}

export function requireNotPending(business: { status: string }): void {
  if (business.status === 'pending_deletion') throw invalid('This business is in the state pending_deletion. Cancel the deletion first.')
}

export function requireName(business: { name: string }, confirm_name: string): void {
  if (confirm_name !== business.name) throw invalid(`confirm_name must be the name of the business, ${business.name}.`)
}

/** Whoever may write the profile knows the whole number; others recognise it by its end. */
export function shownTaxId(tax_id: string | null, role: Role): string | null {
  if (tax_id === null || permissionsFor(role).has('businesses:write')) return tax_id
  return maskedTaxId(lastFour(tax_id))
}

export function maskedTaxId(last4: string | null): string | null {
  return last4 === null ? null : `•••••${last4}`
}

export function lastFour(tax_id: string): string {
  return tax_id.slice(-4)
}

export function isCountry(code: string): boolean {
  return COUNTRIES.has(code)
}

/** ISO 3166-1 alpha-2, the officially assigned codes. */
const COUNTRIES: ReadonlySet<string> = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO
   CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR
   HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN
   MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD
   SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE
   YT ZA ZM ZW`.split(/\s+/))
