// The long job that writes a deck into a file: it reads one state of the deck, tells by slides how far it is, and keeps the file at the end.
import { storeMade } from '../../workspace/document-files/operations.ts'
import { longJob, type LongJob } from '../../workspace/jobs/contract.ts'
import { pdfOf, pptxOf } from '../deck-files/rules.ts'
import { EXPORT_DECK, keepExport, readForExport, readPictures, type ExportOrder } from './operations.ts'
import { fileName } from './rules.ts'

type Checkpoint = { kept: boolean }

/** To tell takes a commit: most decks are written before anybody could look. */
const TELL_MS = 200

export const exportDeckJob: LongJob = longJob<ExportOrder, Checkpoint>({
  kind: EXPORT_DECK, title: 'Export a deck', cancelable: true, permission: 'ai-reporting:write',
  async run(step, order) {
    const { deck_id, document_id, format, include_hidden, include_notes } = order
    // Kept, but its worker died before it could say so.
    if (step.checkpoint?.kept) return { deck_id, document_id, format }
    const material = await step.snapshot((tx) => readForExport(tx, order))
    const { deck, business, surroundings, now } = material
    // The last step is the document.
    const total = deck.slides.length + 1
    let told = performance.now()
    const progress = async (done: number, phase: string) => {
      if (performance.now() - told < TELL_MS) return
      await step.chunk(async () => ({ checkpoint: { kept: false }, done, total, phase }))
      told = performance.now()
    }
    const made = format === 'pptx' ? pptxOf : pdfOf
    const content = await made(deck, deck.slides, {
      business, include_hidden, include_notes, pictures: await readPictures(material),
      progress: (done) => progress(done, done < deck.slides.length ? 'slides' : 'file'),
    })
    const file = await storeMade(surroundings, { business_id: deck.business_id, now, name: fileName(deck.title, format), format, content })
    await step.chunk(async (tx) => {
      await keepExport(tx, order, file)
      return { checkpoint: { kept: true }, done: total, total, phase: 'done' }
    })
    return { deck_id, document_id, format }
  },
})
