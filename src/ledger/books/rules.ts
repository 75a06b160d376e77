// The twelve periods of a fiscal year.
import { addDays, addMonths, monthOf } from '../../foundation/calendar.ts'

export type Year = { fiscal_year: number; months: { sequence: number; name: string; start_date: string; end_date: string }[] }

/** A fiscal year has the name of the calendar year it ends in. */
export function fiscalYear(fiscal_year: number, start_month: number): Year {
  const first = `${String(fiscal_year - (start_month === 1 ? 0 : 1)).padStart(4, '0')}-${String(start_month).padStart(2, '0')}-01`
  const months = Array.from({ length: 12 }, (_, index) => {
    const start_date = addMonths(first, index)
    return { sequence: index + 1, name: monthOf(start_date), start_date, end_date: addDays(addMonths(first, index + 1), -1) }
  })
  return { fiscal_year, months }
}

export function fiscalYearOf(date: string, start_month: number): number {
  const year = Number(date.slice(0, 4))
  return start_month > 1 && Number(date.slice(5, 7)) >= start_month ? year + 1 : year
}
