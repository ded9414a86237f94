/** What an administrator may choose to keep when the evening is erased (decision 066); everything else goes. */
export const ERASE_PARTS = ['codes', 'configuration', 'account'] as const;
export type ErasePart = (typeof ERASE_PARTS)[number];

/** For each part whether it is kept. */
export type Keep = Readonly<Record<ErasePart, boolean>>;

/** What has to be typed before anything is erased. */
export const ERASE_WORD = 'CANCELLA';
