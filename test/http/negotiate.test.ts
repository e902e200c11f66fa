import './negotiate/compression.test.ts'
import './negotiate/negotiation.test.ts'
import './negotiate/representations.test.ts'
import './negotiate/whole-formats.test.ts'
