const PATH = '/api/admin/uploads';

/** Where uploads are created. */
export function uploadsEndpoint(): string {
  return new URL(PATH, location.origin).href;
}

/** An upload's address as the server told it, here: behind a proxy the server may not know how it is called outside. */
export function localUploadUrl(told: string): string {
  return new URL(new URL(told, location.origin).pathname, location.origin).href;
}

/** Where an upload is. */
export function uploadUrl(upload: string): string {
  return new URL(`${PATH}/${upload}`, location.origin).href;
}

/** The upload's id, as the server's calls want it. */
export function uploadIdFrom(address: string): string {
  return new URL(address, location.origin).pathname.split('/').at(-1) ?? '';
}
