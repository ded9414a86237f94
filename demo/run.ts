/**
 * The demo: the real product on a separate data folder, with a complete surprise prepared at the first start. Its codes
 * and sign-in are stored in `demo.json`, so that later starts print the same.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { userExists } from '../src/server/auth/auth.repo.ts';
import { readEnv } from '../src/server/env.ts';
import { createLog } from '../src/server/log.ts';
import { ROOT } from '../src/server/place.ts';
import { type Product, startProduct } from '../src/server/start.ts';
import { startTexts } from '../src/texts/commands.ts';
import { demoContent } from './content.ts';
import { prepareSurprise, type Surprise } from './prepare.ts';
import { demoMark, resetDemo } from './reset.ts';

const word = z.string().min(1);
const keysSchema = z.object({ code: word, singleCode: word, email: word, password: word });
type Keys = z.infer<typeof keysSchema>;

/** Random like the codes, so that one demo's sign-in is not valid for another. */
const account = { email: 'demo@sorpresa.example', password: `per-giulia-${randomBytes(6).toString('hex')}` };
const media = (name: string) => join(ROOT, 'demo/media', name);

const { domanda_1, domanda_2, domanda_1_viaggio_2, domanda_2_viaggio_2, ...config } = demoContent;
const surprise: Surprise = {
  config: { ...config, recipient_name: 'Giulia', contatto: '@marco' },
  questions: { domanda_1, domanda_2, domanda_1_viaggio_2, domanda_2_viaggio_2 },
  files: {
    video: media('video.mp4'),
    poster: media('video-poster.jpg'),
    song: media('canzone.mp3'),
    image: media('destinazione-1.jpg'),
    image_2: media('destinazione-2.jpg'),
    tickets: media('biglietti.pdf'),
    tickets_2: media('biglietti-2.png'),
  },
};

/** Options of the demo. */
export type DemoOptions = {
  /** Starts with an empty folder. */
  reset?: boolean | undefined;
  /** Address of the product if it is behind another server (scripts/dev.mjs). */
  address?: string | undefined;
};

/**
 * Serves the demo until a signal stops it, and prints its address, codes and sign-in. Rejects with a message on
 * failure.
 */
export async function runDemo({ reset = false, address }: DemoOptions): Promise<Product> {
  const env = readEnv(process.env);
  if (reset) resetDemo(env.DATA_DIR);
  const product = await startProduct({ env, log: createLog(env) });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void product.stop().then(() => process.exit(0), giveUp));
  }
  const keys = await readKeys(product);
  const shown = address ?? env.PUBLIC_URL ?? product.url;
  console.log(`Indirizzo: ${shown}`);
  console.log(`Codice: ${keys.code}`);
  console.log(`Codice singolo: ${keys.singleCode}`);
  console.log(`${startTexts.prepare}: ${shown}/admin`);
  console.log(`Amministratore: ${keys.email} / ${keys.password}`);
  return product;
}

/** Returns the keys of the first start; prepares the demo if this is the first. */
async function readKeys(product: Product): Promise<Keys> {
  const { env, db } = product.deps;
  const file = demoMark(env.DATA_DIR);
  if (existsSync(file)) return wholeKeys(await readFile(file, 'utf8'));
  if (await userExists(db))
    throw new Error(
      'There is a surprise already, and the demo did not make it: give the demo a DATA_DIR of its own.',
    );
  // The mark is written first: it makes this folder the demo's, so that `--reset` may delete it after an interrupted
  // start.
  await writeFile(file, '{}', { mode: 0o600 });
  const keys = await prepareDemo(product);
  await writeFile(file, JSON.stringify(keys, null, 2), { mode: 0o600 });
  return keys;
}

function wholeKeys(text: string): Keys {
  const keys = keysSchema.safeParse(parsed(text));
  if (keys.success) return keys.data;
  throw new Error('Preparing the demo was cut short. Start it afresh with --reset.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function prepareDemo(product: Product): Promise<Keys> {
  const { admin } = await prepareSurprise(product, surprise, account);
  const newCode = (nome: string, max_accessi: number) =>
    admin.call<{ token: string }>('POST', '/admin/tokens', { nome, max_accessi, giorni: null });
  const [many, single] = [await newCode('Prova, tante volte', 1_000), await newCode('Giulia', 1)];
  return { code: many.token, singleCode: single.token, ...account };
}

function giveUp(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
