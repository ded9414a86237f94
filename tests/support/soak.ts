/** How long each series of kills and restarts goes on, in milliseconds: `SOAK_SECONDS`, two minutes if it isn't set. */
export const SOAK_MS = 1_000 * Number(process.env.SOAK_SECONDS ?? 120);
