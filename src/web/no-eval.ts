/**
 * Prevents zod from compiling its schemas: the content security policy forbids it and reports each attempt as an attack. The setting is
 * global, so it applies to whichever chunk includes zod.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
