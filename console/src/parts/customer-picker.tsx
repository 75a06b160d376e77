// Choosing a customer by typing part of the name; where the page allows it, a new one is made on the spot.
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { sayFailed } from './feedback.tsx'

type Customer = Schemas['Customer']
type CustomerPickerProps = {
  label: string
  value: string | null
  on_change: (customer_id: string | null, customer?: Pick<Customer, 'id' | 'currency'>) => void
  /** New customers may be made here. */
  creates?: boolean
  width?: Record<string, string | number>
  error?: string | undefined
  disabled?: boolean
  autofocus?: boolean
  placeholder?: string
}

const CREATE = 'create'

export function useCustomer(customer_id: string | null) {
  return useQuery({
    queryKey: ['customers', customer_id],
    queryFn: () => dataOf(api.GET('/api/v1/customers/{customer_id}', { params: { path: { customer_id: customer_id as string } } })),
    enabled: customer_id !== null,
  })
}

export function CustomerPicker(
  { label, value, on_change, creates = false, width, error, disabled = false, autofocus = false, placeholder = 'Every customer' }: CustomerPickerProps
) {
  const queries = useQueryClient()
  const chosen = useCustomer(value).data
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed === chosen?.name ? '' : typed.trim(), 200)
  const found = useQuery({
    queryKey: ['customers', 'pick', search],
    queryFn: () => dataOf(
      api.GET('/api/v1/customers', { params: { query: { limit: 20, sort_by: 'name', descending: false, ...(search ? { search } : {}) } } })
    ),
    placeholderData: (before) => before,
  })
  const create = useMutation({
    mutationFn: (name: string) => dataOf(api.POST('/api/v1/customers', { body: { name } })),
    onSuccess(customer) {
      queries.setQueryData(['customers', customer.id], customer)
      void queries.invalidateQueries({ queryKey: ['customers'] })
      on_change(customer.id, customer)
    },
    onError: sayFailed,
  })
  const items: Customer[] = found.data?.items ?? []
  const listed = chosen && !items.some(({ id }) => id === chosen.id) ? [chosen, ...items] : items
  const data = listed.map(({ id, name }) => ({ value: id, label: name }))
  const offer = creates && search.length > 1 && !items.some(({ name }) => name.toLowerCase() === search.toLowerCase())
  return (
    <Select
      label={label} withAsterisk={creates} {...(width ? { w: width } : {})} placeholder={creates ? 'Search, or type a new name' : placeholder} searchable
      openOnFocus={false}
      clearable={!disabled} disabled={disabled || create.isPending} autoFocus={autofocus} error={error}
      value={value} onSearchChange={setTyped} filter={({ options }) => options} selectFirstOptionOnChange
      data={offer ? [...data, { value: CREATE, label: `Make the customer “${search}”` }] : data}
      nothingFoundMessage={found.isFetching ? 'Searching' : 'No customer has this name'}
      onChange={(picked) => (picked === CREATE ? create.mutate(search) : on_change(picked, items.find(({ id }) => id === picked)))}
    />
  )
}
