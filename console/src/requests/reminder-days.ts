// Days of reminders between the list that the API has and the text that people type.

export const daysText = (days: readonly number[]): string => days.join(', ')

/** “-2, 3” → [-2, 3]; what is no number is said. */
export function daysOf(text: string): number[] {
  const parts = text.replaceAll('−', '-').split(/[\s,;]+/).filter((part) => part !== '')
  const wrong = parts.find((part) => !/^[-+]?\d{1,3}$/.test(part))
  if (wrong !== undefined) throw new Error(`“${wrong}” is no number of days: write reminders like -2, 3.`)
  return parts.map(Number)
}

/** Reminders in words. */
export function daysInWords(days: readonly number[], has_due_date: boolean): string {
  const word = (offset: number) => {
    if (!has_due_date) return `${offset} days after sending`
    return offset === 0 ? 'on the due date' : `${Math.abs(offset)} ${Math.abs(offset) === 1 ? 'day' : 'days'} ${offset < 0 ? 'before' : 'after'}`
  }
  return days.map(word).join(', ')
}
