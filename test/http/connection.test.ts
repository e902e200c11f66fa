import './connection/pipelining.test.ts'
import './connection/protocol.test.ts'
