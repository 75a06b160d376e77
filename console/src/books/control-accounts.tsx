// Control accounts: whether the ledgers that documents make up equal these documents.
import { Anchor, Badge, Paper, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../api.ts'
import { money } from '../format.ts'
import { queryText, useAddress } from '../parts/address.ts'
import { Failure, Loading } from '../parts/feedback.tsx'
import { DayField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { ledgerName } from '../parts/reading.ts'
import { ExportButtons } from './export-buttons.tsx'

export function ControlAccountsPage() {
  const [given, change] = useAddress()
  const report = useQuery({
    queryKey: ['reports', 'control-accounts', given],
    queryFn: () => dataOf(api.GET('/api/v1/reports/control-accounts', { params: { query: given } })),
  })
  return (
    <Page title="Control accounts" actions={(
      <ExportButtons
        what="control accounts" formats={['csv', 'xlsx', 'pdf']}
        path={(format) => `/api/v1/reports/control-accounts/export?${queryText({ ...given, format })}`}
      />
    )}>
      <DayField label="As of" value={given['as_of'] ?? null} on_change={(as_of) => change({ as_of })} />
      {report.isPending && <Loading />}
      {report.isError && <Failure error={report.error} again={() => void report.refetch()} />}
      {report.data && (
        <Paper withBorder>
          <Table.ScrollContainer type="native" minWidth={560}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Ledger</Table.Th>
                  <Table.Th className="figures">Ledger balance</Table.Th>
                  <Table.Th className="figures">Documents</Table.Th>
                  <Table.Th className="figures">Difference</Table.Th>
                  <Table.Th>Result</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {report.data.accounts.map(({ ledger_id, number, name, balance, sub_ledger, difference, ok }) => (
                  <Table.Tr key={ledger_id}>
                    <Table.Td>{ledgerName({ number, name })}</Table.Td>
                    <Table.Td className="figures">
                      <Anchor
                        component={Link} to="/reports/general-ledger" search={{ ledger_id, period: 'all_time' } as never} c="inherit" inherit
                      >
                        {money(balance, report.data.currency)}
                      </Anchor>
                    </Table.Td>
                    <Table.Td className="figures">{money(sub_ledger, report.data.currency)}</Table.Td>
                    <Table.Td className="figures">{money(difference, report.data.currency)}</Table.Td>
                    <Table.Td>
                      {ok === null ? 'Nothing to compare' : <Badge color={ok ? 'green' : 'red'} variant="light">{ok ? 'Equal' : 'Differs'}</Badge>}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
    </Page>
  )
}
