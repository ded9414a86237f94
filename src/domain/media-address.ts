/** Name of a stored file: 128 random bits in hex, and its extension. */
export type MediaFile = { id: string; extension: string };

const ID = '[0-9a-f]{32}';
const EXTENSION = '[a-z0-9]{1,10}';

/** Form of a file's name at the end of its address. */
export const MEDIA_NAME = new RegExp(`^${ID}\\.${EXTENSION}$`);
/** Form of a media address, as served and as stored in the configuration's `…_url` fields. */
export const MEDIA_ADDRESS = new RegExp(`^/api/media/(${ID})\\.(${EXTENSION})$`);

/** Returns the address from which a browser loads a file. */
export function mediaUrl({ id, extension }: MediaFile): string {
  return `/api/media/${id}.${extension}`;
}

/** Returns the file of a media address, or null for any other address. */
export function mediaFileAt(address: string | null): MediaFile | null {
  const [, id, extension] = MEDIA_ADDRESS.exec(address ?? '') ?? [];
  return id === undefined || extension === undefined ? null : { id, extension };
}

/** Returns the id of a media address, or null for any other address. */
export function mediaIdOf(address: string | null): string | null {
  return mediaFileAt(address)?.id ?? null;
}
