/** Name of the site behind a proxy in the tests. */
export const NAME = 'sorpresa.test';

/** The proxies of `ops/`. */
export const PROXIES = ['nginx', 'caddy'] as const;
export type Proxy = (typeof PROXIES)[number];
