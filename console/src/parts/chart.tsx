// Charts, loaded when the first one is needed, in the colours of the page and with a table of the same figures for those who cannot see them.
import { Box, useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { money } from '../format.ts'
import type { Look, Series } from './charting.ts'

type ChartProps = Look & {
  title: string
  labels: string[]
  series: Series[]
  currency: string
  height?: number | string
  /** What the labels are. */
  axis?: string
  on_pick?: (index: number, series_index: number) => void
}

export function Chart(
  { title, labels, series, currency, height = 260, axis = 'When', stacked = false, donut = false, lying = false, show, on_pick }: ChartProps
) {
  const place = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme('light')
  useEffect(() => {
    let ended = false
    let drawing: { dispose(): void; resize(): void } | null = null
    const sized = new ResizeObserver(() => drawing?.resize())
    void import('./charting.ts').then(({ draw }) => {
      if (ended || !place.current) return
      drawing = draw(place.current, { labels, series, currency, stacked, donut, lying, show, dark: scheme === 'dark', on_pick })
      sized.observe(place.current)
    })
    return () => {
      ended = true
      sized.disconnect()
      drawing?.dispose()
    }
  }, [labels, series, currency, stacked, donut, lying, show, scheme, on_pick])
  const shown = (value: number | null | undefined) => (show && value !== null && value !== undefined ? show(value) : money(value, currency))
  return (
    <Box pos="relative" h={typeof height === 'string' ? height : undefined}>
      <div ref={place} style={{ height }} aria-hidden="true" />
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead><tr><th scope="col">{axis}</th>{series.map(({ name }) => <th key={name} scope="col">{name}</th>)}</tr></thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={index}><th scope="row">{label}</th>{series.map(({ name, values }) => <td key={name}>{shown(values[index])}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Box>
  )
}
