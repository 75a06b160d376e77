// Recognises the letters of a picture, with language data that comes with the program: nothing is fetched.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Word } from './pages.ts'

export type Recognised = { words: Word[]; confidence: number }
export type Letters = { recognise(image: Uint8Array): Promise<Recognised>; close(): Promise<void> }

// Below this a word is more likely a stain than text.
const FAINTEST = 25

/** Takes a quarter of a second and a hundred megabytes: opened when the first picture comes, closed with the last. */
export async function openLetters(): Promise<Letters> {
  const { createWorker, OEM, PSM } = await import('tesseract.js').then((module) => module.default)
  const { resolve } = createRequire(import.meta.url)
  const langPath = dirname(resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'))
  const worker = await createWorker('eng', OEM.LSTM_ONLY, { langPath, cacheMethod: 'none', gzip: true, errorHandler: () => {} })
  // Rows of a table are kept together, and single digits in a column are not taken for stains.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SINGLE_COLUMN })
  return {
    async recognise(image) {
      const { data } = await worker.recognize(Buffer.from(image), {}, { text: false, blocks: true })
      const found = (data.blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines.flatMap((line) => line.words)))
      const words = found.filter((word) => word.confidence >= FAINTEST)
        .map(({ text, bbox }) => ({ text, left: bbox.x0, right: bbox.x1, top: bbox.y0, bottom: bbox.y1 }))
      const confidence = found.length === 0 ? 0 : found.reduce((sum, word) => sum + word.confidence, 0) / found.length
      return { words, confidence: Math.round(confidence) }
    },
    close: async () => void (await worker.terminate()),
  }
}
