import { contractTests } from './suite.ts'

contractTests(2, 4)
