// The state of an import in a word.
import { Badge } from '@mantine/core'
import type { Import } from './use-import.ts'

const STATES: Record<Import['status'], [word: string, colour: string]> = {
  uploaded: ['Columns to choose', 'gray'], mapped: ['Ready to check', 'blue'], running: ['Running', 'blue'], completed: ['Done', 'green'],
  completed_with_errors: ['Done, with errors', 'orange'], failed: ['Failed', 'red'], canceled: ['Canceled', 'gray'], rolled_back: ['Undone', 'gray'],
}

export function ImportStatus({ status }: { status: Import['status'] }) {
  const [word, colour] = STATES[status]
  return <Badge variant="light" color={colour}>{word}</Badge>
}
