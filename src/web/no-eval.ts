/**
 * zod would try whether it may compile its schemas: our content security policy says no, and reports each try as a break-in. Here it keeps its
 * settings, whichever chunk brings it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
