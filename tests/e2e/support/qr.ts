import type { Locator } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';

/** On a busy machine the decoder may take its time. */
const PATIENCE_MS = 5_000;

/** What a phone's camera reads of the QR code in a part of the screen, as it is painted there, with whatever stands around it. */
export async function readQr(screen: Locator): Promise<string> {
  return qrIn(await screen.screenshot());
}

/** What it reads in a picture. */
export async function qrIn(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data }, { timeLimit: PATIENCE_MS });
}
