import { contractTests } from './suite.ts'

contractTests(1, 4)
