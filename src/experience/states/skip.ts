/** Skips to the next stage, as if this one had ended. Only in a rehearsal. */
export const skip = { guard: 'inRehearsal', target: '#choosing', actions: 'nextStep' } as const;
