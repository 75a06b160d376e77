// Where somebody is on the way from a file to its records.
import { Breadcrumbs, Text } from '@mantine/core'

const STEPS = ['File', 'Columns', 'Check', 'Import']

export function ImportSteps({ active }: { active: number }) {
  return (
    <nav aria-label="Steps">
      <Breadcrumbs separator="→">
        {STEPS.map((step, index) => (
          <Text key={step} size="sm" {...(index === active ? { 'aria-current': 'step', fw: 700 } : { c: 'dimmed' })}>{index + 1}. {step}</Text>
        ))}
      </Breadcrumbs>
    </nav>
  )
}
