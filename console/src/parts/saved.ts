// After a write: what it touched is read anew, and the page says what happened.
import { useQueryClient } from '@tanstack/react-query'
import { say } from './feedback.tsx'

export function useSaved(touched: readonly string[]): (message: string) => void {
  const queries = useQueryClient()
  return (message) => {
    for (const group of touched) void queries.invalidateQueries({ queryKey: [group] })
    say(message)
  }
}
