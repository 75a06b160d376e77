// Charts, loaded when the first one is needed, in the colours of the page and with a table of the same figures for those who cannot see them.
import { Box, useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { money } from '../format.ts'
import type { Series } from './charting.ts'

type ChartProps = { title: string; labels: string[]; series: Series[]; currency: string; height?: number; stacked?: boolean; on_pick?: (index: number) => void }

export function Chart({ title, labels, series, currency, height = 260, stacked = false, on_pick }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme('light')
  useEffect(() => {
    let ended = false
    let drawing: { dispose(): void; resize(): void } | null = null
    const resize = () => drawing?.resize()
    void import('./charting.ts').then(({ draw }) => {
      if (ended || !place.current) return
      drawing = draw(place.current, { labels, series, currency, stacked, dark: scheme === 'dark', on_pick })
      window.addEventListener('resize', resize)
    })
    return () => {
      ended = true
      window.removeEventListener('resize', resize)
      drawing?.dispose()
    }
  }, [labels, series, currency, stacked, scheme, on_pick])
  return (
    <Box>
      <div ref={place} style={{ height }} aria-hidden="true" />
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead><tr><th scope="col">When</th>{series.map(({ name }) => <th key={name} scope="col">{name}</th>)}</tr></thead>
          <tbody>{labels.map((label, index) => <tr key={label}><th scope="row">{label}</th>{series.map(({ name, values }) => <td key={name}>{money(values[index], currency)}</td>)}</tr>)}</tbody>
        </table>
      </VisuallyHidden>
    </Box>
  )
}
