// What an area of the console says of itself: its pages, and which of them stand in the menu.
import type { ComponentType } from 'react'

export type Entry = {
  /** From the root; parts that vary begin with a dollar. */
  path: string
  /** Loaded when the page is first opened. */
  load: () => Promise<Record<string, ComponentType | unknown>>
  /** The component in what was loaded. */
  name: string
  /** Its name in the menu. */
  menu?: string
  /** For people who are not signed in. */
  open?: boolean
}

export type Area = { title: string; entries: Entry[] }

/** The paths of every page that the console has, once its areas are loaded. */
export const paths: string[] = []

export function area(given: Area): Area {
  paths.push(...given.entries.map(({ path }) => path))
  return given
}
