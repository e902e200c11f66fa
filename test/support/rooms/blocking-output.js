// A process that ends by force drops what its pipe has not taken yet, and with it the results of its last tests.
process.stdout._handle?.setBlocking?.(true)
