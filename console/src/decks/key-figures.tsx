// The key figures of a period: each with its formula and the amounts that it is made of.
import { Card, SimpleGrid, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, moment, money, words } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { Loaded } from '../parts/details.tsx'
import { Page } from '../parts/page.tsx'

type KeyFigure = Schemas['KeyFigure']

const UNITS: Record<KeyFigure['unit'], string> = { percent: '%', ratio: '', days: ' days', months: ' months', currency: '' }

export function KeyFiguresPage() {
  const [given] = useAddress()
  const figures = useQuery({
    queryKey: ['reports', 'key-figures', given], queryFn: () => dataOf(api.GET('/api/v1/reports/key-figures', { params: { query: given as object } })),
  })
  return (
    <Page title="Key figures">
      <Loaded query={figures}>
        {({ figures: found, basis, currency, parameters: { start_date, end_date, known_at } }) => (
          <>
            <Text size="sm" c="dimmed">
              {day(start_date as string)} to {day(end_date as string)}, {basis} basis{known_at ? `, as known at ${moment(known_at as string)}` : ''}.
            </Text>
            <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
              {found.map((figure) => <OneFigure key={figure.key} figure={figure} currency={currency} />)}
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function OneFigure({ figure: { label, value, unit, formula, inputs }, currency }: { figure: KeyFigure; currency: string }) {
  const shown = value === null ? 'n/m' : unit === 'currency' ? money(Math.round(Number(value) * 100), currency) : `${value}${UNITS[unit]}`
  return (
    <Card withBorder component="section" aria-label={label}>
      <Title order={2} size="h5">{label}</Title>
      <Text size="xl" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>{shown}</Text>
      <Text size="xs" c="dimmed">{formula}</Text>
      {inputs.map(({ name, amount }) => <Text key={name} size="sm">{words(name)}: {name === 'days' ? amount : money(amount, currency)}</Text>)}
    </Card>
  )
}
