import { giveUp, node, runShown } from './setup.mjs';

/** How much of what a red suite wrote last is said again, in bytes. */
const LAST_BYTES = 8_000;

/** Vitest on projects of vitest.config.ts. */
export const vitest = (projects, ...args) => ({
  args: ['node_modules/vitest/vitest.mjs', 'run', ...projects.map((name) => `--project=${name}`), ...args],
});
export const playwright = (...args) => ({ args: ['node_modules/@playwright/test/cli.js', 'test', ...args] });

/**
 * Runs suites one after the other (side by side they take as long, and a product that waits for its turn runs out of the time it gives itself),
 * all of them, whatever the first has found. Ends the process with what the red ones said last: there they list what failed, and other suites
 * have written a hundred lines since.
 * @param {{ args: string[], env?: NodeJS.ProcessEnv }[]} suites the arguments of each, and its own environment
 * @param {NodeJS.ProcessEnv} env of all
 */
export async function runSuites(suites, env) {
  const failures = [];
  for (const { args, env: own } of suites) {
    const { failure, output } = await runShown({ command: node(), args, env: { ...env, ...own } });
    if (failure) failures.push({ ...failure, last: output.subarray(-LAST_BYTES).toString() });
  }
  if (failures.length > 0)
    giveUp(failures.map(({ sentence, last }) => `${last}\n${sentence}`).join('\n'), failures[0].code);
}
