// One widget of a board with its live figures, drawn as slides draw theirs.
import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api.ts'
import { BlockChart } from './block-chart.tsx'
import { BlockMetric } from './block-metric.tsx'
import { BlockTable } from './block-table.tsx'
import styles from './board.module.css'
import slide from './slide.module.css'

export type WidgetData = Schemas['WidgetData']

export function WidgetView({ widget, tools }: { widget: WidgetData; tools?: ReactNode }) {
  const { title, kind, figures } = widget
  return (
    <Paper withBorder component="section" aria-label={title} className={styles.widget ?? ''}>
      {(kind !== 'metric' || tools || figures[0]?.label !== title) && <Title order={2} size="h5">{title}</Title>}
      {tools}
      <div className={styles.body}><Body widget={widget} /></div>
    </Paper>
  )
}

function Body({ widget: { kind, title, text, figures, restricted, problem } }: { widget: WidgetData }) {
  if (restricted) return <Text size="sm" c="dimmed">Your role may not see this figure.</Text>
  if (problem !== null) return <p className={slide.problem}>{problem}</p>
  if (kind === 'text') return <div className={slide.words}>{(text ?? '').split(/\n\s*\n/).map((paragraph, place) => <p key={place}>{paragraph}</p>)}</div>
  if (kind === 'metric') return <BlockMetric figures={figures} />
  if (figures.length === 0) return <Text size="sm" c="dimmed">There is nothing in this period.</Text>
  if (kind === 'table') return <BlockTable title={title} figures={figures} />
  if (kind === 'aging') return <BlockChart title={title} chart="bar" figures={figures.filter(({ row }) => row === 'total')} all={figures} />
  return <BlockChart title={title} chart={kind} figures={figures} />
}
