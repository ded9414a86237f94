declare global {
  /** Where zod keeps its settings, whichever chunk brings it. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// It would try whether it may compile its schemas: our content security policy says no, and reports each try as a break-in.
globalThis.__zod_globalConfig = { jitless: true };

export {};
