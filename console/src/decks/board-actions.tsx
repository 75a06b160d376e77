// What can be done with a board as a whole.
import { Badge, Button, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf, type Schemas } from '../api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { say, sayFailed } from '../parts/feedback.tsx'
import { RecordForm } from '../parts/record-form.tsx'
import { useSaved } from '../parts/saved.ts'
import { BOARD_FIELDS } from './board-words.ts'
import { ExportDialog } from './export-dialog.tsx'
import { BOARD_FORMATS, exportBoard } from './exporting.ts'
import { ifMatch } from './reading.ts'
import { sharedBoard } from './shareable.ts'
import { Shares } from './shares.tsx'

type Board = Schemas['Dashboard']
type BoardActionsProps = {
  board: Board
  /** The period and the basis that are looked at, where they are not those of the board. */
  seen: Pick<Schemas['DashboardExportInput'], 'period' | 'basis'>
  may_edit: boolean
  may_share: boolean
  edits: boolean
  edit: () => void
}

export function BoardActions({ board, seen, may_edit, may_share, edits, edit }: BoardActionsProps) {
  const { id: dashboard_id, name, is_default, version } = board
  const go = useNavigate()
  const queries = useQueryClient()
  const saved = useSaved(['dashboards'])
  const [opened, { open, close }] = useDisclosure()
  const path = { dashboard_id }
  const prefer = useMutation({
    mutationFn: () => api.PUT('/api/v1/dashboards/{dashboard_id}/default', { params: { path } }),
    onSuccess: () => saved(`${name} is what you see first.`), onError: sayFailed,
  })
  const copy = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/dashboards/{dashboard_id}/duplicate', { params: { path }, body: {} })),
    onSuccess: ({ id }) => {
      say('This is your own copy.')
      void queries.invalidateQueries({ queryKey: ['dashboards'] })
      void go({ to: `/dashboards/${id}` })
    },
    onError: sayFailed,
  })
  const save = async (body: Schemas['DashboardUpdate']) => {
    await api.PUT('/api/v1/dashboards/{dashboard_id}', { params: { path }, body, headers: ifMatch(version) })
    close()
    saved('Saved.')
  }
  return (
    <>
      {is_default && <Badge variant="light">Your default</Badge>}
      {!is_default && <Button variant="default" loading={prefer.isPending} onClick={() => prefer.mutate()}>Make default</Button>}
      {may_edit && !edits && <Button onClick={edit}>Edit</Button>}
      {may_edit && <Button variant="default" onClick={open}>Settings</Button>}
      <Button variant="default" loading={copy.isPending} onClick={() => copy.mutate()}>Duplicate</Button>
      <ExportDialog noun="board" formats={BOARD_FORMATS} start={exportBoard(dashboard_id, seen)} />
      {may_share && <Shares shared={sharedBoard(dashboard_id)} />}
      {may_edit && (
        <ActionButton
          grave button="Delete" words="The board is deleted, and its public links open nothing any more." touched={['dashboards']} done="The board was deleted."
          run={() => api.DELETE('/api/v1/dashboards/{dashboard_id}', { params: { path } })} then={() => void go({ to: '/dashboards' })}
        />
      )}
      <Drawer opened={opened} onClose={close} position="right" title="Settings of the board">
        {opened && <RecordForm<Schemas['DashboardUpdate']> fields={BOARD_FIELDS} record={board} button="Save" save={save} cancel={close} columns={1} />}
      </Drawer>
    </>
  )
}
