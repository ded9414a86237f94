/**
 * Environment of a Node that a test starts: PATH, and the run's compile cache (scripts/test.mjs). Without the cache, a
 * third of the server's start of one second goes into compiling its thousand files.
 */
export const PROCESS_ENV = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
