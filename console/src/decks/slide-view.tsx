// A slide as it is presented: wide, its type growing with it; on a phone it is as long as it needs to be.
import { Title } from '@mantine/core'
import { day } from '../format.ts'
import { BlockView } from './block-view.tsx'
import type { Block, Slide } from './reading.ts'
import styles from './slide.module.css'

/** `below`: what the slide of the title says under it. */
export function SlideView({ slide, below }: { slide: Slide; below?: string }) {
  const { kind, title, blocks, data_as_of } = slide
  const of = (kinds: readonly Block['kind'][]) => blocks.filter((block) => kinds.includes(block.kind))
  const [main, metrics, texts] = [of(['chart', 'table', 'image']), of(['metric']), of(['text'])]
  const draw = (some: readonly Block[]) => some.map((block) => <BlockView key={block.id} block={block} title={title} />)
  const cards = metrics.length > 0 && <div className={styles.cards} data-count={metrics.length}>{draw(metrics)}</div>
  return (
    <section className={styles.frame} aria-label={`Slide: ${title}`}>
      <div className={styles.slide} data-kind={kind}>
        <Title order={2} className={styles.title ?? ''}>{title}</Title>
        {kind === 'title' && below && <p className={styles.below}>{below}</p>}
        {main.length > 0 ? (
          <div className={styles.split} data-wide={metrics.length + texts.length === 0 || main.some(isWide)}>
            <div className={styles.main}>{draw(main)}</div>
            <div className={styles.side}>{cards}{draw(texts)}</div>
          </div>
        ) : <div className={styles.flow}>{cards}{draw(texts)}</div>}
        <p className={styles.foot}>Figures as of {day(data_as_of)}</p>
      </div>
    </section>
  )
}

/** A table of several columns needs the whole width. */
const isWide = ({ kind, figures }: Block): boolean => kind === 'table' && new Set(figures.map(({ column }) => column)).size > 2
