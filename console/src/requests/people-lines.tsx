// Writing down who is asked: a name and an address each.
import { ActionIcon, Button, Group, Stack, TextInput, Title } from '@mantine/core'

export type Asked = { key: string; name: string; email: string }

export const newPerson = (name = '', email = ''): Asked => ({ key: crypto.randomUUID(), name, email })

export const isNobody = ({ name, email }: Asked): boolean => name.trim() === '' && email.trim() === ''

const looksRight = (email: string): boolean => /^\S+@\S+\.\S+$/.test(email.trim())

export const arePeople = (people: readonly Asked[]): boolean =>
  people.every((person) => isNobody(person) || (person.name.trim() !== '' && looksRight(person.email)))

type PeopleLinesProps = { people: Asked[]; on_change: (people: Asked[]) => void; checked: boolean }

export function PeopleLines({ people, on_change, checked }: PeopleLinesProps) {
  const put = (key: string, change: Partial<Asked>) => on_change(people.map((person) => (person.key === key ? { ...person, ...change } : person)))
  return (
    <Stack gap="xs" component="section" aria-label="Who is asked">
      <Title order={2} size="h5">Who is asked</Title>
      {people.map((person, place) => {
        const wrong = checked && !isNobody(person)
        return (
          <Group key={person.key} gap="xs" align="flex-start" role="group" aria-label={`Recipient ${place + 1}`}>
            <TextInput
              style={{ flex: '1 1 160px' }} label="Name" value={person.name} error={wrong && person.name.trim() === '' ? 'This is needed.' : undefined}
              onChange={({ currentTarget: { value } }) => put(person.key, { name: value })}
            />
            <TextInput
              style={{ flex: '1 1 200px' }} label="E-mail" type="email" inputMode="email" value={person.email}
              error={wrong && !looksRight(person.email) ? 'This is no address.' : undefined}
              onChange={({ currentTarget: { value } }) => put(person.key, { email: value })}
            />
            <ActionIcon
              mt={26} size="lg" variant="default" aria-label={`Remove ${person.name || `recipient ${place + 1}`}`} disabled={people.length === 1}
              onClick={() => on_change(people.filter(({ key }) => key !== person.key))}
            >
              ✕
            </ActionIcon>
          </Group>
        )
      })}
      <Group>
        <Button variant="default" size="xs" disabled={people.length >= 20} onClick={() => on_change([...people, newPerson()])}>Add a person</Button>
      </Group>
    </Stack>
  )
}
