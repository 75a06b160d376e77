// What is proposed for a transaction, with the button that accepts it; and a warning where the same money may be in the books already.
import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Transaction } from './transaction-status.tsx'

type ProposalProps = { transaction: Transaction; ledgerOf: (id: string) => string; writes: boolean; accept: () => void; choose: () => void }

export function Proposal({ transaction, ledgerOf, writes, accept, choose }: ProposalProps) {
  const { suggestion, possible_duplicate_of } = transaction
  const button = { size: 'compact-xs', variant: 'default', tabIndex: -1 } as const
  return (
    <Group gap="xs" wrap="nowrap" onClick={(event) => event.stopPropagation()}>
      {possible_duplicate_of && (
        <Anchor component={Link} to={`/transactions/${possible_duplicate_of}`} size="xs" tabIndex={-1}>Maybe booked already</Anchor>
      )}
      {suggestion && writes && <Button {...button} title={suggestion.reason} onClick={accept}>Accept</Button>}
      {suggestion
        ? <Text size="sm" truncate title={suggestion.reason}>{ledgerOf(suggestion.ledger_id)}</Text>
        : writes && <Button {...button} onClick={choose}>Choose a category</Button>}
    </Group>
  )
}
