// The figures of a block as a chart whose parts lead to their lines; the same as a table for those who want the numbers.
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { linkOf, pageFor } from '../parts/addresses.ts'
import { Chart } from '../parts/chart.tsx'
import { useBusiness } from '../session.tsx'
import { BlockTable } from './block-table.tsx'
import { chartFigures, shownIn, valueOf, type ChartKind } from './chart-figures.ts'
import type { Figure } from './reading.ts'
import styles from './slide.module.css'

type BlockChartProps = {
  title: string
  chart: ChartKind | null
  figures: readonly Figure[]
  /** What the table has, where that is more than is drawn. */
  all?: readonly Figure[]
}

export function BlockChart({ title, chart, figures, all = figures }: BlockChartProps) {
  const go = useNavigate()
  const { base_currency } = useBusiness()
  const [asTable, { toggle }] = useDisclosure()
  const drawn = useMemo(() => chartFigures(chart ?? 'bar', figures), [chart, figures])
  const series = useMemo(() => drawn.lines.map(({ name, figures: points }) => ({
    name, values: points.map((point) => (point ? valueOf(point) : null)), kind: drawn.kind === 'line' ? 'line' as const : 'bar' as const,
  })), [drawn])
  const show = useMemo(() => (drawn.unit === 'currency' ? undefined : shownIn(drawn.unit)), [drawn])
  const pick = useCallback((index: number, line: number) => {
    const page = pageFor(drawn.lines[line]?.figures[index]?.href)
    if (page) void go(linkOf(page) as never)
  }, [drawn, go])
  if (figures.length === 0) return <Text c="dimmed" inherit>There is nothing in this period.</Text>
  return (
    <div className={styles.chart} data-part="chart">
      {asTable ? <BlockTable title={title} figures={all} /> : (
        <div className={styles.drawing} data-part="drawing">
          <Chart
            title={title} axis="What" labels={drawn.labels} series={series} currency={base_currency} height="100%" stacked={drawn.kind === 'stacked_bar'}
            donut={drawn.kind === 'donut'} lying={drawn.lying} show={show} on_pick={pick}
          />
        </div>
      )}
      <Button className={styles.switch ?? ''} size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={asTable}>
        {asTable ? 'Show the chart' : 'Show the figures'}
      </Button>
    </div>
  )
}
