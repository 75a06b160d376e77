// The drawing itself: only the parts of the chart library that are used.
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { money } from '../format.ts'

use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

export type Series = { name: string; values: (number | null)[]; kind?: 'bar' | 'line' }
type Drawing = { labels: string[]; series: Series[]; currency: string; stacked: boolean; dark: boolean; on_pick: ((index: number) => void) | undefined }

export function draw(place: HTMLDivElement, { labels, series, currency, stacked, dark, on_pick }: Drawing) {
  const chart = init(place, dark ? 'dark' : null, { renderer: 'svg' })
  const inUnits = (value: number) => new Intl.NumberFormat(undefined, { notation: 'compact' }).format(value / 100)
  chart.setOption({
    backgroundColor: 'transparent',
    animationDuration: 300,
    color: ['#1971c2', '#e8590c', '#2f9e44', '#9c36b5', '#f08c00', '#0c8599'],
    grid: { left: 8, right: 8, top: series.length > 1 ? 36 : 12, bottom: 10, containLabel: true },
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => money(value as number | null, currency) },
    ...(series.length > 1 ? { legend: { top: 0 } } : {}),
    xAxis: { type: 'category', data: labels },
    yAxis: { type: 'value', axisLabel: { formatter: inUnits } },
    series: series.map(({ name, values, kind = 'bar' }) => ({ name, type: kind, data: values, ...(stacked ? { stack: 'all' } : {}) })),
  })
  if (on_pick) chart.on('click', ({ dataIndex }) => on_pick(dataIndex))
  return chart
}
