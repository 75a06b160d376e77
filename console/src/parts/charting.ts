// The drawing itself: only the parts of the chart library that are used.
import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { money } from '../format.ts'

use([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer])

export type Series = { name: string; values: (number | null)[]; kind?: 'bar' | 'line' }
/** A donut has the first series alone; lying bars leave room for long names. Without `show` the values are cents. */
export type Look = { stacked?: boolean; donut?: boolean; lying?: boolean; show?: ((value: number) => string) | undefined }
type Drawing = Look & {
  labels: string[]; series: Series[]; currency: string; dark: boolean; on_pick: ((index: number, series_index: number) => void) | undefined
}

const COLORS = ['#1971c2', '#e8590c', '#2f9e44', '#9c36b5', '#f08c00', '#0c8599', '#c2255c', '#5c940d', '#6741d9', '#868e96']

export function draw(place: HTMLDivElement, drawing: Drawing) {
  const { currency, dark, on_pick, donut = false, show = (value: number) => money(value, currency) } = drawing
  const chart = init(place, dark ? 'dark' : null, { renderer: 'svg' })
  const valueFormatter = (value: unknown) => (typeof value === 'number' ? show(value) : '')
  chart.setOption({
    backgroundColor: 'transparent', animationDuration: 300, color: COLORS,
    tooltip: { trigger: donut ? 'item' : 'axis', valueFormatter, confine: true },
    ...(donut ? slices(drawing) : axes(drawing)),
  })
  if (on_pick) chart.on('click', ({ dataIndex, seriesIndex }) => on_pick(dataIndex, seriesIndex ?? 0))
  return chart
}

function axes({ labels, series, stacked = false, lying = false, show }: Drawing) {
  const short = new Intl.NumberFormat(undefined, { notation: 'compact' })
  const category = { type: 'category', data: labels, ...(lying ? { inverse: true, axisLabel: { width: 130, overflow: 'truncate' } } : {}) }
  const value = { type: 'value', axisLabel: { formatter: (amount: number) => short.format(show ? amount : amount / 100), hideOverlap: true } }
  return {
    grid: { left: 8, right: 14, top: series.length > 1 ? 36 : 12, bottom: 10, containLabel: true },
    ...(series.length > 1 ? { legend: { top: 0, type: 'scroll' } } : {}),
    xAxis: lying ? value : category,
    yAxis: lying ? category : value,
    series: series.map(({ name, values, kind = 'bar' }) => ({ name, type: kind, data: values, barMaxWidth: 56, ...(stacked ? { stack: 'all' } : {}) })),
  }
}

function slices({ labels, series }: Drawing) {
  const values = series[0]?.values ?? []
  return {
    legend: { type: 'scroll', orient: 'horizontal', bottom: 0 },
    series: [{
      name: series[0]?.name ?? '', type: 'pie', radius: ['42%', '68%'], center: ['50%', '44%'], minShowLabelAngle: 12, label: { formatter: '{d}%' },
      data: labels.map((name, index) => ({ name, value: values[index] ?? 0 })),
    }],
  }
}
