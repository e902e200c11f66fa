// Not imported: that would evaluate every export of node:http, and load the implementation of fetch, which takes 16 MB.
export const { METHODS, STATUS_CODES, createServer } = process.getBuiltinModule('node:http')
