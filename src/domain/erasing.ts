/** Parts that the administrator may keep when the evening is erased (decision 066); everything else is deleted. */
export const ERASE_PARTS = ['codes', 'configuration', 'account'] as const;
export type ErasePart = (typeof ERASE_PARTS)[number];

/** True for each part that stays. */
export type Keep = Readonly<Record<ErasePart, boolean>>;

/** Word to type before anything is erased. */
export const ERASE_WORD = 'CANCELLA';
