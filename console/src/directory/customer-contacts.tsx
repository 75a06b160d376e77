// The people at a customer, and what is mailed to them.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api.ts'
import { words } from '../format.ts'
import { Loaded } from '../parts/details.tsx'
import type { Field } from '../parts/record-form.tsx'
import { useMayWrite } from '../parts/roles.ts'
import { SubRecords, type SubColumn } from '../parts/sub-records.tsx'
import { choicesOf } from './choices.ts'

type Contact = Schemas['CustomerContact']
type Body = Schemas['CustomerContactInput']

const fields: Field[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true },
  { name: 'role', label: 'What they do there', kind: 'text' },
  { name: 'email', label: 'E-mail', kind: 'text' },
  { name: 'phone', label: 'Phone', kind: 'text' },
  {
    name: 'receives', label: 'Receives', kind: 'choices', choices: choicesOf(['invoices', 'statements', 'reminders']),
    words: 'Instead of the address of the customer. It needs an e-mail address.',
  },
]
const columns: SubColumn<Contact>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'E-mail', cell: ({ email }) => email && <Anchor href={`mailto:${email}`} size="sm">{email}</Anchor> },
  { title: 'Phone', cell: ({ phone }) => phone },
  { title: 'Receives', cell: ({ receives }) => [receives].flat().map(words).join(', ') },
]

export function CustomerContacts({ customer_id }: { customer_id: string }) {
  const writes = useMayWrite()
  const path = { customer_id }
  const contacts = useQuery({
    queryKey: ['customers', customer_id, 'contacts'],
    queryFn: () => dataOf(api.GET(
      '/api/v1/customers/{customer_id}/contacts', { params: { path, query: { limit: 1000, sort_by: 'name', descending: false } } },
    )),
  })
  const at = ({ id: contact_id }: Contact) => ({ params: { path: { customer_id, contact_id } } })
  return (
    <Loaded query={contacts}>
      {({ items }) => (
        <SubRecords<Contact, Body>
          title="Contacts" noun="contact" rows={items} name_of={({ name }) => name} columns={columns} fields={fields} touched={['customers']}
          empty="Nobody is noted yet. Add whoever pays the invoices."
          {...(writes ? {
            add: (body: Body) => api.POST('/api/v1/customers/{customer_id}/contacts', { params: { path }, body }),
            change: (row: Contact, body: Body) => api.PUT('/api/v1/customers/{customer_id}/contacts/{contact_id}', { ...at(row), body }),
            remove: (row: Contact) => api.DELETE('/api/v1/customers/{customer_id}/contacts/{contact_id}', at(row)),
          } : {})}
        />
      )}
    </Loaded>
  )
}
