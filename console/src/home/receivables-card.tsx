// What customers owe, by how late it is.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'
import { BUCKETS, titlesOf } from '../sales/aging-buckets.ts'
import { AmountLink } from './amount-link.tsx'
import { Card, Line } from './card.tsx'

export function ReceivablesCard() {
  const aging = useQuery({
    queryKey: ['invoices', 'aging', 'home'], queryFn: () => dataOf(api.GET('/api/v1/invoices/aging', { params: { query: { limit: 1 } } })),
  })
  return (
    <Card title="Owed by customers" query={aging}>
      {({ totals, buckets, base_currency: currency }) => {
        const titles = titlesOf(buckets)
        const filled = BUCKETS.filter((bucket) => totals[bucket] !== 0)
        return (
          <>
            <AmountLink large cents={totals.total} currency={currency} href="/receivables" label="Owed by customers" />
            {filled.map((bucket) => (
              <Line key={bucket} label={titles[bucket]}><AmountLink cents={totals[bucket]} currency={currency} href={`/receivables?bucket=${bucket}`} /></Line>
            ))}
            {filled.length === 0 && <Text size="sm" c="dimmed">No invoice is open.</Text>}
          </>
        )
      }}
    </Card>
  )
}
