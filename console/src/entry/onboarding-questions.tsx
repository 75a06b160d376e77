// A few questions whose answers say which steps apply; each is saved as it is given.
import { Paper, Select, SimpleGrid, Text, Title } from '@mantine/core'
import { useOnboardingChange, type Answers, type Onboarding } from './use-onboarding.ts'

type Question = { name: keyof Onboarding['answers']; label: string; choices: [string, string][]; read: (value: string) => Answers[keyof Answers] }

const yesOrNo = { choices: [['true', 'Yes'], ['false', 'No']] as [string, string][], read: (value: string) => value === 'true' }
const asItIs = (value: string) => value as never

const QUESTIONS: Question[] = [
  {
    name: 'revenue_model', label: 'How do you earn money?', read: asItIs,
    choices: [['services', 'Services'], ['products', 'Products'], ['subscriptions', 'Subscriptions'],
      ['projects', 'Projects'], ['donations', 'Donations'], ['mixed', 'A mix']],
  },
  {
    name: 'previous_system', label: 'Where were your books before?', read: asItIs,
    choices: [['none', 'Nowhere: this is new'], ['spreadsheet', 'In a spreadsheet'], ['quickbooks', 'In QuickBooks'],
      ['xero', 'In Xero'], ['other', 'Elsewhere']],
  },
  {
    name: 'team_size', label: 'How large is your team?', read: Number, choices: [['1', 'Only me'], ['2', 'Two people'], ['3', 'Three to five'], ['6', 'More']],
  },
  { name: 'sales_tax', label: 'Do you charge sales tax?', ...yesOrNo },
  { name: 'has_inventory', label: 'Do you keep stock?', ...yesOrNo },
  { name: 'has_employees', label: 'Do you have employees?', ...yesOrNo },
]

export function OnboardingQuestions({ answers }: { answers: Onboarding['answers'] }) {
  const change = useOnboardingChange()
  const shown = ({ name, choices }: Question): string | null => {
    const answer = answers[name]
    if (answer === null) return null
    if (name !== 'team_size') return String(answer)
    return choices.findLast(([value]) => Number(value) <= Number(answer))?.[0] ?? null
  }
  return (
    <Paper withBorder p="md" component="section" aria-label="Questions" maw={860}>
      <Title order={2} size="h4">A few questions</Title>
      <Text size="sm" c="dimmed" mb="sm">The answers take out steps that do not concern you. You can change them at any time.</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {QUESTIONS.map((question) => (
          <Select
            key={question.name} label={question.label} placeholder="Not said yet" clearable disabled={change.isPending}
            value={shown(question)} data={question.choices.map(([value, label]) => ({ value, label }))}
            onChange={(value) => change.mutate({ answers: { [question.name]: value === null ? null : question.read(value) } as Answers })}
          />
        ))}
      </SimpleGrid>
    </Paper>
  )
}
