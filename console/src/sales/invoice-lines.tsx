// What an invoice sells, and what that comes to.
import { Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { money } from '../format.ts'
import { useTaxCodes } from './choices.ts'
import type { Invoice } from './invoice-status.tsx'

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { currency, line_items } = invoice
  const codes = new Map(useTaxCodes().map(({ id, code }) => [id, code]))
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="lines">
      <Title order={2} size="h4" id="lines" mb="xs">Lines</Title>
      {!line_items?.length ? <Text size="sm" c="dimmed">There is no line yet. Edit the draft to add some.</Text> : (
        <Table.ScrollContainer minWidth={560} type="native" tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What</Table.Th><Table.Th className="figures">Quantity</Table.Th><Table.Th className="figures">Price</Table.Th>
                <Table.Th className="figures">Discount</Table.Th><Table.Th>Tax</Table.Th><Table.Th className="figures">Amount</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {line_items.map((line) => (
                <Table.Tr key={line.id}>
                  <Table.Td>
                    {line.description ?? line.variant_name}
                    {line.note && <Text size="xs" c="dimmed">{line.note}</Text>}
                    {line.quantity_credited > 0 && <Text size="xs" c="dimmed">{line.quantity_credited} credited</Text>}
                  </Table.Td>
                  <Table.Td className="figures">{line.quantity}</Table.Td>
                  <Table.Td className="figures">{money(line.unit_price, currency)}</Table.Td>
                  <Table.Td className="figures">{line.discount > 0 ? money(line.discount, currency) : ''}</Table.Td>
                  <Table.Td>{line.tax_code_id ? codes.get(line.tax_code_id) ?? 'Tax' : ''}</Table.Td>
                  <Table.Td className="figures">{money(line.amount, currency)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Totals invoice={invoice} />
    </Paper>
  )
}

/** Tax by what it is called, as the service worked it out line by line. */
function taxesOf({ line_items }: Pick<Invoice, 'line_items'>): [string, number][] {
  const taxes = new Map<string, number>()
  for (const { name, amount } of line_items?.flatMap(({ tax_components }) => tax_components) ?? []) taxes.set(name, (taxes.get(name) ?? 0) + amount)
  return [...taxes]
}

type Sums = Pick<Invoice, 'currency' | 'line_items' | 'subtotal' | 'discount_total' | 'tax_total' | 'total' | 'total_paid' | 'balance_due' | 'tax_mode'>

export function Totals({ invoice }: { invoice: Sums }) {
  const { currency } = invoice
  const taxes = taxesOf(invoice)
  const paid = invoice.total_paid ?? 0
  return (
    <Stack gap={4} mt="sm" ml="auto" maw={320}>
      {invoice.discount_total > 0 && <Sum name="Discounts, taken off above" cents={invoice.discount_total} currency={currency} />}
      <Sum name="Subtotal" cents={invoice.subtotal} currency={currency} />
      {taxes.map(([name, amount]) => (
        <Sum key={name} name={invoice.tax_mode === 'inclusive' ? `${name}, included` : name} cents={amount} currency={currency} />
      ))}
      {taxes.length === 0 && <Sum name="Tax" cents={invoice.tax_total} currency={currency} />}
      <Sum name="Total" cents={invoice.total} currency={currency} strong />
      {paid > 0 && <Sum name="Paid and credited" cents={-paid} currency={currency} />}
      {paid > 0 && <Sum name="To pay" cents={invoice.balance_due} currency={currency} strong />}
    </Stack>
  )
}

function Sum({ name, cents, currency, strong = false }: { name: string; cents: number | null; currency: string; strong?: boolean }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" {...(strong ? { fw: 700 } : {})}>{name}</Text>
      <Text size="sm" className="figures" {...(strong ? { fw: 700 } : {})}>{money(cents, currency)}</Text>
    </Group>
  )
}
