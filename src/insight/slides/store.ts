// The SQL of slides. They are written all at once or one by one, and read in their order.
import { insertions, selectionById, updatings } from '../../foundation/database/rows.ts'
import { columns, command, statement } from '../../foundation/database/statement.ts'
import { Slide, SlideRow } from './contract.ts'

const selected = `select ${columns(SlideRow)} from deck_slides where business_id = :business_id and deck_id = :deck_id`

export const insertSlides = insertions('deck_slides', SlideRow)
export const saveSlides = updatings('deck_slides', ['position', 'title', 'hidden', 'speaker_notes', 'data_as_of', 'blocks', 'updated_at', 'version'])
export const findSlide = selectionById('deck_slides', SlideRow)
export const lockSlide = selectionById('deck_slides', SlideRow, true)
export const slidesOf = statement(SlideRow, `${selected} order by position`)
export const lockSlidesOf = statement(SlideRow, `${selected} order by position for update`)
export const visibleSlidesOf = statement(Slide,
  `select ${columns(Slide)} from deck_slides where business_id = :business_id and deck_id = :deck_id and (:include_hidden or not hidden) order by position`)

/** Makes room behind a place. */
export const moveBack = command(
  'update deck_slides set position = position + 1 where business_id = :business_id and deck_id = :deck_id and position >= :position')

/** The places of slides, in the order of the ids. Where a slide stands is the matter of its deck: its own version stays. */
export const reorder = command(
  `update deck_slides t set position = o.place from unnest(:ids::uuid[]) with ordinality o (id, place)
   where t.business_id = :business_id and t.deck_id = :deck_id and t.id = o.id and t.position <> o.place`)
