import { contractTests } from './suite.ts'

contractTests(3, 4)
