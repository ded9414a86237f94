/** A stored file's name: 128 random bits in hex, and what kind of file it is. */
export type MediaFile = { id: string; extension: string };

const ID = '[0-9a-f]{32}';
const EXTENSION = '[a-z0-9]{1,10}';

/** The form of a file's name at the end of its address. */
export const MEDIA_NAME = new RegExp(`^${ID}\\.${EXTENSION}$`);
/** The form of a media address: where a stored file answers, and what the configuration's `…_url` fields hold. */
export const MEDIA_ADDRESS = new RegExp(`^/api/media/(${ID})\\.(${EXTENSION})$`);

/** The address a browser asks for a file. */
export function mediaUrl({ id, extension }: MediaFile): string {
  return `/api/media/${id}.${extension}`;
}

/** The file an address names, or null when it is no media address. */
export function mediaFileAt(address: string | null): MediaFile | null {
  const [, id, extension] = MEDIA_ADDRESS.exec(address ?? '') ?? [];
  return id === undefined || extension === undefined ? null : { id, extension };
}

/** The id in a media address, or null when it is none. */
export function mediaIdOf(address: string | null): string | null {
  return mediaFileAt(address)?.id ?? null;
}
