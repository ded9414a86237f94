/** Only a rehearsal can pass over a stage; to the stage after it, as if it had come to its end. */
export const skip = { guard: 'inRehearsal', target: '#choosing', actions: 'nextStep' } as const;
