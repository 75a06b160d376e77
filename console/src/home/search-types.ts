// What can be looked for: the kinds of records that the console has a page for.
import type { Schemas } from '../api.ts'
import { recordName, RECORDS } from '../parts/records.ts'
import { hasPage } from '../parts/addresses.ts'

export type SearchType = Schemas['SearchHit']['type']

const SEARCHED = Object.keys(RECORDS) as SearchType[]

export const typeName = (type: SearchType): string => recordName(type)

/** Only what can be opened is looked for. */
export const shownTypes = (): SearchType[] => SEARCHED.filter((type) => hasPage(RECORDS[type].page))
