// The catalogue of reports, and which of them have a page here.
import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api.ts'

export const useCatalogue = () => useQuery({ queryKey: ['reports', 'catalogue'], queryFn: () => dataOf(api.GET('/api/v1/reports')), staleTime: Infinity })

/** Reports whose answer is a table of rows and columns, and that need nothing but dates. */
export const STATEMENTS = ['profit-and-loss', 'balance-sheet', 'trial-balance', 'cash-flow', 'changes-in-equity']

export const hasPage = (report: string): boolean => [...STATEMENTS, 'general-ledger', 'control-accounts'].includes(report)
