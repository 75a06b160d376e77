// One key figure with what it is compared with: the arrow and the word say the same.
import type { Figure } from './reading.ts'
import { FigureLink } from './figure-link.tsx'
import { valueOf } from './chart-figures.ts'
import styles from './slide.module.css'

export function BlockMetric({ figures }: { figures: readonly Figure[] }) {
  const [first, ...others] = figures
  if (!first) return <p className={styles.note}>There is nothing in this period.</p>
  const before = others.find(({ column }) => /:previous_\w+$/.test(column))
  const change = others.find(({ column }) => column.endsWith(':variance_percent'))
  return (
    <div className={styles.metric} data-part="metric">
      <div className={styles.label}>{first.label}</div>
      <div className={styles.value} data-part="value"><FigureLink figure={first} /></div>
      {first.reason && <div className={styles.note}>{first.reason}</div>}
      {before && (
        <div className={styles.note}>
          {change && <Change figure={change} />} {before.column_label}: <FigureLink figure={before} />
        </div>
      )}
    </div>
  )
}

function Change({ figure }: { figure: Figure }) {
  const value = valueOf(figure)
  if (value === null) return <span title={figure.reason ?? ''}>{figure.formatted},</span>
  const sign = value > 0 ? '▲ up' : value < 0 ? '▼ down' : '■'
  return <strong>{sign} {figure.formatted.replace(/^-/, '')},</strong>
}
