import type { Locator } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';

/** On a busy machine the decoder may take its time. */
const PATIENCE_MS = 5_000;

/** What a phone's camera reads of the QR code in a part of the screen, as it is painted there, with whatever stands around it. */
export async function readQr(screen: Locator): Promise<string> {
  const { data, info } = await sharp(await screen.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data }, { timeLimit: PATIENCE_MS });
}
