// The form for the category of one transaction, beside the page it was opened from.
import { Drawer } from '@mantine/core'
import { CategoryForm } from './category-form.tsx'
import type { Transaction } from './transaction-status.tsx'

type CategoryDrawerProps = { transaction: Transaction | null; on_done: (done: Transaction) => void; close: () => void }

export function CategoryDrawer({ transaction, on_done, close }: CategoryDrawerProps) {
  return (
    <Drawer opened={transaction !== null} onClose={close} position="right" size="lg" title="What was it for?" transitionProps={{ duration: 100 }}>
      {transaction && <CategoryForm key={`${transaction.id} ${transaction.version}`} transaction={transaction} on_done={on_done} cancel={close} />}
    </Drawer>
  )
}
