const PATH = '/api/admin/uploads';

/** Returns the URL at which uploads are created. */
export function uploadsEndpoint(): string {
  return new URL(PATH, location.origin).href;
}

/** Returns the upload's URL on this origin. Behind a proxy, the server may not know its public address. */
export function localUploadUrl(serverUrl: string): string {
  return new URL(new URL(serverUrl, location.origin).pathname, location.origin).href;
}

/** Returns the URL of an upload. */
export function uploadUrl(upload: string): string {
  return new URL(`${PATH}/${upload}`, location.origin).href;
}

/** Returns the upload's id, used in the server's calls. */
export function uploadIdFrom(address: string): string {
  return new URL(address, location.origin).pathname.split('/').at(-1) ?? '';
}
