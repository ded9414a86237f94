import { setTimeout as pause } from 'node:timers/promises';
import { call } from './http.ts';
import { ok } from './http-evening.ts';

/** The product's address and its administrator's cookie. */
type AdminSession = { url: string; cookie: string };

/** Seals the evening and waits for the result; returns its state. */
export async function sealEvening({ url, cookie }: AdminSession) {
  ok(await call(url, 'POST', '/admin/plan-b', {}, { cookie }));
  for (;;) {
    const { body } = ok(await call(url, 'GET', '/admin/plan-b', undefined, { cookie }));
    if (!body.making) return body;
    await pause(50);
  }
}

/** Returns the sealed evening as the downloaded file. */
export async function planBFile({ url, cookie }: AdminSession): Promise<Buffer> {
  const answer = await fetch(`${url}/api/admin/plan-b/piano-b.html`, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(`No file: ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.length !== Number(answer.headers.get('content-length')))
    throw new Error('Not as long as it said');
  return bytes;
}

/**
 * Returns every form in which a secret could occur in bytes: plain, UTF-16 of both orders, base64 at all three
 * alignments, hex, and escaped in JSON.
 */
export function formsOf(secret: string | Buffer): Buffer[] {
  const plain = Buffer.isBuffer(secret) ? secret : Buffer.from(secret);
  const forms = [plain, Buffer.from(plain.toString('hex')), ...inBase64(plain)];
  if (Buffer.isBuffer(secret)) return forms;
  const wide = Buffer.from(secret, 'utf16le');
  return [
    ...forms,
    wide,
    Buffer.from(wide).swap16(),
    ...inBase64(wide),
    Buffer.from(JSON.stringify(secret).slice(1, -1)),
  ];
}

/** Returns the part of its base64 that is independent of the surrounding bytes, for each of the three alignments. */
function inBase64(bytes: Buffer): Buffer[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64url')
      .replaceAll('=', '');
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    return Buffer.from(text.slice(from, to));
  });
}

/** Returns the secrets found in these bytes; base64 in both its alphabets. */
export function foundIn(bytes: Buffer, secrets: readonly (string | Buffer)[]): (string | Buffer)[] {
  const other = Buffer.from(bytes.toString('latin1').replaceAll('+', '-').replaceAll('/', '_'), 'latin1');
  return secrets.filter((secret) =>
    formsOf(secret).some((form) => form.length >= 6 && (bytes.includes(form) || other.includes(form))),
  );
}
