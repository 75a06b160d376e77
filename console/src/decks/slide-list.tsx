// The slides of a deck by name, beside the one that is shown.
import { Badge, Box, Group, NavLink, Text } from '@mantine/core'
import type { Slide } from './reading.ts'
import styles from './deck.module.css'

export function SlideList({ slides, shown, choose }: { slides: readonly Slide[]; shown: Slide; choose: (slide: Slide) => void }) {
  return (
    <Box component="nav" aria-label="Slides" className={styles.list ?? ''}>
      {slides.map((slide) => (
        <NavLink
          key={slide.id} component="button" type="button" active={slide.id === shown.id} onClick={() => choose(slide)}
          {...(slide.id === shown.id ? { 'aria-current': 'true' } : {})}
          label={(
            <Group gap={6} wrap="nowrap">
              <Text span size="sm" className="figures" w={20}>{slide.position}</Text>
              <Text span size="sm" lineClamp={2}>{slide.title}</Text>
              {slide.hidden && <Badge size="xs" variant="light" color="gray" miw="max-content">Hidden</Badge>}
            </Group>
          )}
        />
      ))}
    </Box>
  )
}
