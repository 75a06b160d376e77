// The name of a customer where a record has only the id: read once for a whole list.
import { NameLink } from '../parts/details.tsx'
import { useCustomerChoices } from '../parts/reading.ts'

export function CustomerName({ customer_id }: { customer_id: string | null }) {
  const customers = useCustomerChoices(customer_id !== null).data
  if (customer_id === null) return null
  return <NameLink path={`/customers/${customer_id}`}>{customers?.find(({ value }) => value === customer_id)?.label ?? '…'}</NameLink>
}
