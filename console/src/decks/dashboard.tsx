// A board: live figures in a grid, for a period and a basis that can be switched without saving; and the editing of one's own.
import { Alert, Button, Drawer, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api.ts'
import { day, moment } from '../format.ts'
import { useAddress } from '../parts/address.ts'
import { Loaded } from '../parts/details.tsx'
import { Empty, Failure, say, sayFailed } from '../parts/feedback.tsx'
import { Page } from '../parts/page.tsx'
import { mayWrite } from '../parts/roles.ts'
import { useSession } from '../session.tsx'
import { BoardActions } from './board-actions.tsx'
import { BoardGrid } from './board-grid.tsx'
import type { Placed } from './board-layout.ts'
import { PERIODS } from './board-words.ts'
import { BASES } from './deck-words.ts'
import { WidgetForm } from './widget-form.tsx'
import type { WidgetData } from './widget-view.tsx'

type Board = Schemas['Dashboard']
type Data = Schemas['DashboardData']

export function DashboardPage() {
  const { dashboard_id } = useParams({ strict: false }) as { dashboard_id: string }
  const board = useQuery({
    queryKey: ['dashboards', 'one', dashboard_id], queryFn: () => dataOf(api.GET('/api/v1/dashboards/{dashboard_id}', { params: { path: { dashboard_id } } })),
  })
  return <Loaded query={board}>{(found) => <Content key={found.id} board={found} />}</Loaded>
}

/** Its owner or an admin changes a board; the API decides in the end. */
function useMayEdit({ built_in, owner_id }: Board): boolean {
  const { user, membership } = useSession()
  return built_in === null && (owner_id === user.id || membership?.role === 'owner' || membership?.role === 'admin')
}

function Content({ board }: { board: Board }) {
  const { id: dashboard_id, name } = board
  const [given, change] = useAddress()
  const { membership } = useSession()
  const may = useMayEdit(board)
  const { period, basis } = given
  const query = { ...(period ? { period: period as Data['period'] } : {}), ...(basis ? { basis: basis as Data['basis'] } : {}) }
  const data = useQuery({
    queryKey: ['dashboards', 'one', dashboard_id, 'data', query], placeholderData: keepPreviousData, refetchInterval: 60_000,
    queryFn: () => dataOf(api.GET('/api/v1/dashboards/{dashboard_id}/data', { params: { path: { dashboard_id }, query } })),
  })
  const shown = data.data
  const edits = may && given['edit'] === 'true'
  const actions = (
    <BoardActions
      board={board} seen={query} may_edit={may} may_share={mayWrite(membership?.role)} edits={edits} edit={() => change({ edit: 'true' })}
    />
  )
  return (
    <Page title={name} actions={actions}>
      <Group align="flex-end" gap="sm">
        <Select
          label="Period" w={210} allowDeselect={false} data={PERIODS} value={period ?? shown?.period ?? null}
          onChange={(value) => change({ period: value === board.filters.period ? null : value })}
        />
        <Stack gap={2}>
          <Text size="sm" fw={600} aria-hidden="true">Basis</Text>
          <SegmentedControl aria-label="Basis" data={BASES} value={basis ?? shown?.basis ?? 'accrual'} onChange={(value) => change({ basis: value })} />
        </Stack>
        {shown && <Text size="sm" c="dimmed" pb={8}>{day(shown.start_date)} to {day(shown.end_date)}, as of {moment(shown.as_of)}.</Text>}
      </Group>
      {data.isError && <Failure error={data.error} again={() => void data.refetch()} />}
      {shown && (edits
        ? <Editing key={board.version} dashboard_id={dashboard_id} widgets={shown.widgets} done={() => change({ edit: null })} />
        : shown.widgets.length === 0
          ? <Empty title="Nothing stands here yet">{may ? 'Choose “Edit” to add the first widget.' : 'Its owner has not added anything.'}</Empty>
          : <div style={{ opacity: data.isPlaceholderData ? 0.6 : 1 }} aria-busy={data.isPlaceholderData}><BoardGrid widgets={shown.widgets} /></div>)}
    </Page>
  )
}

const placed = ({ id, x, y, w, h }: Placed): Placed => ({ id, x, y, w, h })

function Editing({ dashboard_id, widgets, done }: { dashboard_id: string; widgets: readonly WidgetData[]; done: () => void }) {
  const queries = useQueryClient()
  const [moved, setMoved] = useState<Placed[] | null>(null)
  const [edited, edit] = useState<WidgetData | 'new' | null>(null)
  const again = () => void queries.invalidateQueries({ queryKey: ['dashboards'] })
  // Widgets that came since keep the place that they have.
  const places = widgets.map((widget) => moved?.find(({ id }) => id === widget.id) ?? placed(widget))
  const changed = JSON.stringify(places) !== JSON.stringify(widgets.map(placed))
  const path = { dashboard_id }
  const save = useMutation({
    mutationFn: () => api.PUT('/api/v1/dashboards/{dashboard_id}/layout', { params: { path }, body: { widgets: places } }),
    onSuccess: () => {
      say('The layout was saved.')
      again()
      done()
    },
  })
  const remove = useMutation({
    mutationFn: (widget_id: string) => api.DELETE('/api/v1/dashboards/{dashboard_id}/widgets/{widget_id}', { params: { path: { dashboard_id, widget_id } } }),
    onSuccess: () => {
      say('The widget was removed.')
      again()
    },
    onError: sayFailed,
  })
  return (
    <Stack>
      <Alert color="blue" title="The board is being edited">
        <Stack gap="xs">
          <Text size="sm">
            Drag a widget by its dots or size it by its corner, or use its buttons. Widgets are saved at once, their places when you say so.
          </Text>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => edit('new')}>Add a widget</Button>
            <Button size="xs" loading={save.isPending} disabled={!changed} onClick={() => save.mutate()}>Save the layout</Button>
            <Button size="xs" variant="default" onClick={done}>{changed ? 'Leave without saving the layout' : 'Done'}</Button>
          </Group>
        </Stack>
      </Alert>
      {save.isError && <Failure error={save.error} />}
      <BoardGrid widgets={widgets} edits={{ places, on_places: setMoved, on_edit: edit, on_remove: ({ id }) => remove.mutate(id) }} />
      <Drawer opened={edited !== null} onClose={() => edit(null)} position="right" title={edited === 'new' ? 'Add a widget' : 'Change the widget'}>
        {edited !== null && <WidgetForm dashboard_id={dashboard_id} widget={edited === 'new' ? null : edited} close={() => edit(null)} />}
      </Drawer>
    </Stack>
  )
}
