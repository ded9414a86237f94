/**
 * What a Node that a test starts knows of this one's settings: where programs are, and where the run keeps what was compiled before
 * (scripts/test.mjs): of a second in which the server starts, a third goes into reading and compiling its thousand files.
 */
export const PROCESS_ENV = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
