// What is wrong with rows of a file: the row, the column and the reason.
import { Rows } from '../parts/rows.tsx'
import type { ImportProblem } from './use-import.ts'

export function ProblemRows({ problems }: { problems: readonly ImportProblem[] }) {
  const rows = problems.map(({ loc: [row, column], msg }, index) => ({ id: String(index), row, column, msg }))
  return (
    <Rows
      label="What is wrong" rows={rows} id={({ id }) => id} width={420}
      columns={[
        { title: 'Row', cell: ({ row }) => row, figures: true },
        { title: 'Column', cell: ({ column }) => column ?? 'The whole row', wraps: true },
        { title: 'What is wrong', cell: ({ msg }) => msg, wraps: true },
      ]}
    />
  )
}
