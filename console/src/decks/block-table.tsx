// The figures of a block as a table: rows and columns of the report, each figure leading to its lines.
import { distinct } from './chart-figures.ts'
import { FigureLink } from './figure-link.tsx'
import type { Figure } from './reading.ts'
import styles from './slide.module.css'

/** Between the code of a currency and its amount. */
const NO_BREAK = '\u00a0'

export function BlockTable({ title, figures }: { title: string; figures: readonly Figure[] }) {
  const rows = distinct(figures.map(({ row, label, kind, depth }) => ({ key: row, label, kind, depth })))
  const columns = distinct(figures.map(({ column, column_label }) => ({ key: column, label: column_label })))
  const currency = figures.find(({ unit, value_cents }) => unit === 'currency' && value_cents !== null)?.formatted.split(NO_BREAK)[0]
  const at = new Map(figures.map((figure) => [`${figure.row}@${figure.column}`, figure]))
  return (
    <div className={styles.scrolls} tabIndex={0} role="region" aria-label={`${title}, table`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td className={styles.currency}>{currency && `Amounts in ${currency}`}</td>
            {columns.map(({ key, label }) => <th key={key} scope="col">{label}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, kind, depth }) => (
            <tr key={key} data-sum={kind === 'total' || kind === 'subtotal'}>
              <th scope="row" style={{ paddingInlineStart: `${depth * 0.9}em` }}>{label}</th>
              {columns.map((column) => {
                const figure = at.get(`${key}@${column.key}`)
                return <td key={column.key}>{figure && <FigureLink figure={figure} shown={figure.formatted.split(NO_BREAK).at(-1)} />}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
