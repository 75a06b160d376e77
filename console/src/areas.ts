// Every area of the console, in the order of the menu.
import type { Area } from './area.ts'
import { books } from './books/area.ts'
import { decks } from './decks/area.ts'
import { directory } from './directory/area.ts'
import { entry } from './entry/area.ts'
import { home } from './home/area.ts'
import { requests } from './requests/area.ts'
import { sales } from './sales/area.ts'
import { settings } from './settings/area.ts'
import { work } from './work/area.ts'

export const areas: Area[] = [home, sales, directory, books, decks, requests, work, settings, entry]
