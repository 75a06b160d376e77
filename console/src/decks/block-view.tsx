// One block of a slide: a figure, a chart, a table, a picture or words, each with where it comes from.
import { Image, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { contentOf } from '../api.ts'
import { BlockChart } from './block-chart.tsx'
import { BlockMetric } from './block-metric.tsx'
import { BlockTable } from './block-table.tsx'
import type { Block } from './reading.ts'
import styles from './slide.module.css'

export function BlockView({ block, title }: { block: Block; title: string }) {
  const { kind, chart, figures, problem, text, document_id } = block
  if (problem !== null) return <p className={styles.problem}>{problem}</p>
  if (kind === 'metric') return <BlockMetric figures={figures} />
  if (kind === 'chart') return <BlockChart title={title} chart={chart} figures={figures} />
  if (kind === 'table' && figures.length === 0) return <Text c="dimmed" inherit>There is nothing in this period.</Text>
  if (kind === 'table') return <BlockTable title={title} figures={figures} />
  if (kind === 'image') return document_id ? <Picture document_id={document_id} title={title} /> : null
  return text?.trim() ? <Words block={block} text={text} /> : null
}

function Words({ block, text }: { block: Block; text: string }) {
  return (
    <div className={styles.words}>
      {text.split(/\n\s*\n/).map((paragraph, place) => <p key={place}>{paragraph.trim()}</p>)}
      <p className={styles.author}>{authorOf(block)}</p>
    </div>
  )
}

/** Who wrote a text. */
export function authorOf({ generated_by, model, edited }: Pick<Block, 'generated_by' | 'model' | 'edited'>): string {
  if (edited || generated_by === 'person') return generated_by === 'person' || generated_by === null ? 'Written by a person' : 'Edited by a person'
  return generated_by === 'model' ? `Written by ${model ?? 'a model'} from these figures` : 'Written by rules from these figures'
}

function Picture({ document_id, title }: { document_id: string; title: string }) {
  const picture = useQuery({
    queryKey: ['documents', document_id, 'picture'], queryFn: () => contentOf(`/api/v1/documents/${document_id}/download`),
    structuralSharing: false, retry: false,
  })
  const url = useMemo(() => (picture.data ? URL.createObjectURL(picture.data) : null), [picture.data])
  useEffect(() => () => {
    if (url) URL.revokeObjectURL(url)
  }, [url])
  if (picture.isError) return <p className={styles.problem}>{picture.error.message}</p>
  return url ? <Image src={url} alt={`Picture of the slide ${title}`} fit="contain" mah="100%" /> : <Loader aria-label="Loading the picture" />
}
