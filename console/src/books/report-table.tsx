// The one table that draws every statement: each figure leads to its lines, each ledger to its general ledger.
import { Anchor, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { money } from '../format.ts'
import { linkTo } from '../parts/address.ts'
import { isComparison, linesOf, type Cell, type Report, type TableLine } from './report-rows.ts'
import style from './report-table.module.css'

export function ReportTable({ report }: { report: Report }) {
  const compared = report.columns.map((_, place) => isComparison(report, place))
  const { start_date, end_date, as_of } = report.parameters
  const dates = { start_date: text(start_date), end_date: text(end_date) ?? text(as_of), basis: report.basis }
  return (
    <div className={style['frame']} tabIndex={0} role="region" aria-label={`${report.title}, figures`}>
      <Table className={style['table'] ?? ''} withRowBorders={false} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={style['label'] ?? ''}>{report.currency}</Table.Th>
            {report.columns.map(({ key, label }, place) => <Headings key={key} label={label} compared={compared[place] ?? false} />)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{linesOf(report.rows).map((line) => <Line key={line.key} line={line} report={report} compared={compared} dates={dates} />)}</Table.Tbody>
      </Table>
    </div>
  )
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function Headings({ label, compared }: { label: string; compared: boolean }) {
  return (
    <>
      <Table.Th scope="col" className="figures">{label}</Table.Th>
      {compared && <Table.Th scope="col" className="figures">Change</Table.Th>}
      {compared && <Table.Th scope="col" className="figures">Change %</Table.Th>}
    </>
  )
}

function Line({ line, report, compared, dates }: { line: TableLine; report: Report; compared: boolean[]; dates: Record<string, string | undefined> }) {
  const { label, depth, ledger_id, cells } = line
  const width = 1 + compared.reduce((sum, each) => sum + (each ? 3 : 1), 0)
  return (
    <Table.Tr className={style[line.style] ?? ''}>
      <Table.Th scope="row" className={style['label'] ?? ''} style={{ paddingInlineStart: `${0.75 + depth * 1.1}rem` }} {...(cells ? {} : { colSpan: width })}>
        {ledger_id && cells ? (
          <Anchor component={Link} c="inherit" inherit to="/reports/general-ledger" search={{ ledger_id, ...dates } as never}>
            {label}
          </Anchor>
        ) : label}
      </Table.Th>
      {cells?.map((cell, place) => (
        <Figures
          key={report.columns[place]?.key ?? place} cell={cell} currency={report.currency} compared={compared[place] ?? false} label={label}
        />
      ))}
    </Table.Tr>
  )
}

function Figures({ cell, currency, compared, label }: { cell: Cell; currency: string; compared: boolean; label: string }) {
  const { amount, href, variance, variance_percent } = cell
  const shown = money(amount, currency)
  return (
    <>
      <Table.Td className="figures">
        {href ? (
          <Anchor component={Link} {...linkTo(href) as object} c="inherit" inherit aria-label={`${label}: ${shown}, see its lines`}>
            {shown}
          </Anchor>
        ) : shown}
      </Table.Td>
      {compared && <Table.Td className="figures">{money(variance, currency)}</Table.Td>}
      {compared && <Table.Td className="figures">{variance_percent === null || variance_percent === undefined ? '' : `${variance_percent} %`}</Table.Td>}
    </>
  )
}
