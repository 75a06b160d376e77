// A report's nested rows as the lines of one table: headings above what they add up, totals below.
import type { Schemas } from '../api.ts'

export type Report = Schemas['Report']
export type Cell = Schemas['ReportCell']
type Row = Omit<Schemas['ReportRow'], 'rows'> & { rows: Row[] }

export type TableLine = { key: string; label: string; depth: number; style: 'heading' | 'ledger' | 'total'; ledger_id: string | null; cells: Cell[] | null }

/** A section's total is left out where the report has a row for just that; sections without anything are left out. */
export function linesOf(rows: Schemas['ReportRow'][]): TableLine[] {
  return (rows as unknown as Row[]).flatMap(({ kind, key, label, depth, ledger_id, cells, rows: below }, place): TableLine[] => {
    const line = { key, label, depth, ledger_id, cells }
    if (below.length === 0 && kind === 'section' && cells.every(({ amount }) => amount === 0)) return []
    if (below.length === 0) return [{ ...line, style: kind === 'ledger' ? 'ledger' : 'total' }]
    const total: TableLine = { ...line, key: `total:${key}`, label: `Total ${label}`, style: 'total', ledger_id: null }
    return [
      { ...line, style: 'heading', cells: null },
      ...linesOf(below as unknown as Schemas['ReportRow'][]),
      ...(rows[place + 1]?.key === `total_${key}` ? [] : [total]),
    ]
  })
}

/** Where the columns of a comparison stand: their cells have a variance. */
export const isComparison = (report: Report, place: number): boolean => report.rows.some(({ cells }) => cells[place]?.variance !== undefined)
