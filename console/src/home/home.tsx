// The first look at a business: money, what is owed, profit, and what needs somebody.
import { Alert, SimpleGrid } from '@mantine/core'
import { Page } from '../parts/page.tsx'
import { useBusiness } from '../session.tsx'
import { Activation } from './activation.tsx'
import { Attention } from './attention.tsx'
import { Cash, Payables } from './balances.tsx'
import { Profit } from './profit.tsx'
import { ReceivablesCard } from './receivables-card.tsx'
import { SetupHint } from './setup-hint.tsx'

export function Home() {
  const business = useBusiness()
  return (
    <Page title="Home">
      {business.is_sample && (
        <Alert color="grape" title="This is a sample">
          Its books are made up, it sends no mail, and only you see it. Choose your own business at the top to go back.
        </Alert>
      )}
      <SetupHint />
      <Activation />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}><Cash /><ReceivablesCard /><Payables /></SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}><Profit /><Attention /></SimpleGrid>
    </Page>
  )
}
