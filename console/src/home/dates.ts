// Days as the business counts them.
const pad = (number: number): string => String(number).padStart(2, '0')

/** Today where the business is. */
export const todayIn = (timezone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(new Date())

/** The first day of the month that lies so many months before. */
export function monthsBefore(date: string, months: number): string {
  const count = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months
  return `${Math.floor(count / 12)}-${pad((count % 12) + 1)}-01`
}
