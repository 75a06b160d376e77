// How the state of a credit memo is shown.
import { Badge } from '@mantine/core'
import type { Schemas } from '../api.ts'
import { words } from '../format.ts'

type Memo = Schemas['CreditMemo']
const colors: Record<Memo['status'], string> = { draft: 'gray', open: 'blue', closed: 'green', void: 'red' }

export function MemoStatus({ memo: { status } }: { memo: Memo }) {
  return <Badge variant="light" color={colors[status]}>{status === 'closed' ? 'Used up' : words(status)}</Badge>
}
