import { contractTests } from './suite.ts'

contractTests(0, 4)
