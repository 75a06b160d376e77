// What there is and what is owed to vendors: the balances of the ledgers at the end of today.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { ledgerName } from '../parts/reading.ts'
import { useBusiness } from '../session.tsx'
import { AmountLink } from './amount-link.tsx'
import { Card, Line } from './card.tsx'
import { todayIn } from './dates.ts'

type Balance = Schemas['LedgerBalance']

const useBalances = () => {
  const { timezone } = useBusiness()
  const as_of = todayIn(timezone)
  return useQuery({ queryKey: ['ledgers', 'balances', as_of], queryFn: () => dataOf(api.GET('/api/v1/ledgers/balances', { params: { query: { as_of } } })) })
}

const linesOf = (ledgers: readonly Balance[]): string => `/reports/general-ledger?ledger_id=${ledgers.map(({ ledger_id }) => ledger_id).join(',')}`

type BalancesProps = { title: string; subtypes: readonly string[]; none: string }

function Balances({ title, subtypes, none }: BalancesProps) {
  const balances = useBalances()
  return (
    <Card title={title} query={balances}>
      {({ ledgers, base_currency: currency }) => {
        const own = ledgers.filter(({ subtype }) => subtypes.includes(subtype))
        const filled = own.filter(({ base_balance }) => base_balance !== 0)
        if (own.length === 0) return <Text size="sm" c="dimmed">{none}</Text>
        return (
          <>
            <AmountLink
              large cents={own.reduce((sum, { base_balance }) => sum + base_balance, 0)} currency={currency} href={linesOf(filled.length > 0 ? filled : own)}
              label={title}
            />
            {filled.length > 1 && filled.map((ledger) => (
              <Line key={ledger.ledger_id} label={ledgerName(ledger)}>
                <AmountLink cents={ledger.base_balance} currency={currency} href={linesOf([ledger])} />
              </Line>
            ))}
            {filled.length === 1 && <Text size="sm" c="dimmed">All of it in {ledgerName(filled[0] as Balance)}</Text>}
            {filled.length === 0 && <Text size="sm" c="dimmed">Nothing stands on {own.length === 1 ? ledgerName(own[0] as Balance) : 'these ledgers'}.</Text>}
          </>
        )
      }}
    </Card>
  )
}

export const Cash = () => <Balances title="Cash" subtypes={['bank', 'cash']} none="The chart has no bank or cash ledger. Add one in the chart of accounts." />
export const Payables = () => (
  <Balances title="Owed to vendors" subtypes={['accounts_payable']} none="The chart has no payable ledger. Add one in the chart of accounts." />
)
