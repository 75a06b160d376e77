// The widgets of a board in their places; while it is edited they are moved and sized by mouse, by buttons and by keys.
import { ActionIcon, Button } from '@mantine/core'
import { useRef, type CSSProperties, type PointerEvent } from 'react'
import { COLUMNS, replaced, type Placed } from './board-layout.ts'
import styles from './board.module.css'
import { WidgetView, type WidgetData } from './widget-view.tsx'

type BoardGridProps = {
  widgets: readonly WidgetData[]
  edits?: Edits | null
}
/** While it is edited. */
type Edits = {
  places: readonly Placed[]
  on_places: (places: Placed[]) => void
  on_edit: (widget: WidgetData) => void
  on_remove: (widget: WidgetData) => void
}

/** Height of a row with its gap, as the style has it. */
const ROW = 46

export function BoardGrid({ widgets, edits = null }: BoardGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const placeOf = (widget: WidgetData): Placed => edits?.places.find(({ id }) => id === widget.id) ?? widget
  const ordered = widgets.toSorted((one, other) => placeOf(one).y - placeOf(other).y || placeOf(one).x - placeOf(other).x)

  const drag = (event: PointerEvent<HTMLElement>, widget: WidgetData, sizes: boolean) => {
    if (!edits || !grid.current) return
    event.preventDefault()
    const column = grid.current.clientWidth / COLUMNS
    const [from_x, from_y, start, places] = [event.clientX, event.clientY, placeOf(widget), edits.places]
    const { currentTarget } = event
    currentTarget.setPointerCapture(event.pointerId)
    const move = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
      const [right, down] = [Math.round((clientX - from_x) / column), Math.round((clientY - from_y) / ROW)]
      edits.on_places(replaced(places, widget.id, sizes ? { w: start.w + right, h: start.h + down } : { x: start.x + right, y: start.y + down }))
    }
    const end = () => {
      currentTarget.removeEventListener('pointermove', move)
      currentTarget.removeEventListener('pointerup', end)
    }
    currentTarget.addEventListener('pointermove', move)
    currentTarget.addEventListener('pointerup', end)
  }
  return (
    <div className={styles.grid} ref={grid} data-edits={edits !== null}>
      {ordered.map((widget) => {
        const { x, y, w, h } = placeOf(widget)
        const style = { '--column': `${x + 1} / span ${w}`, '--row': `${y + 1} / span ${h}` } as CSSProperties
        return (
          <div key={widget.id} className={styles.cell} data-kind={widget.kind} style={style}>
            <WidgetView
              widget={widget}
              tools={edits && <Tools widget={widget} place={placeOf(widget)} edits={edits} on_drag={(event) => drag(event, widget, false)} />}
            />
            {edits && <div className={styles.corner} onPointerDown={(event) => drag(event, widget, true)} />}
          </div>
        )
      })}
    </div>
  )
}

type ToolsProps = { widget: WidgetData; place: Placed; edits: Edits; on_drag: (event: PointerEvent<HTMLElement>) => void }

function Tools({ widget, place: { x, y, w, h }, edits, on_drag }: ToolsProps) {
  const { id, title } = widget
  const put = (change: Partial<Omit<Placed, 'id'>>) => edits.on_places(replaced(edits.places, id, change))
  const buttons: [string, string, Partial<Omit<Placed, 'id'>>][] = [
    ['←', 'Move left', { x: x - 1 }], ['→', 'Move right', { x: x + 1 }], ['↑', 'Move up', { y: y - 1 }], ['↓', 'Move down', { y: y + 1 }],
    ['−', 'Narrower', { w: w - 1 }], ['+', 'Wider', { w: w + 1 }], ['⌃', 'Shorter', { h: h - 1 }], ['⌄', 'Taller', { h: h + 1 }],
  ]
  return (
    <div className={styles.tools} role="toolbar" aria-label={`Place of ${title}`}>
      <span className={styles.handle} onPointerDown={on_drag} aria-hidden="true" title="Drag to move">⠿</span>
      {buttons.map(([sign, name, change]) => (
        <ActionIcon
          key={name} size="sm" variant="subtle" color="gray" onClick={() => put(change)} aria-label={`${name}: ${title}`} title={name}
        >
          {sign}
        </ActionIcon>
      ))}
      <Button size="compact-xs" variant="default" onClick={() => edits.on_edit(widget)} aria-label={`Change ${title}`}>Change</Button>
      <Button size="compact-xs" variant="subtle" color="red" onClick={() => edits.on_remove(widget)} aria-label={`Remove ${title}`}>Remove</Button>
    </div>
  )
}
