import { Upload as TusUpload } from 'tus-js-client';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import { checkUpload } from '../uploads/checking.ts';
import { idOfUpload, ownAddress, uploadsEndpoint } from '../uploads/own-address.ts';
import { signedInStack } from '../uploads/signed-in-stack.ts';

/** Before each new try, in milliseconds. A picture is small: what doesn't pass now may be tried by hand. */
const RETRIES_MS = [1_000, 3_000, 5_000];

/** Gives a video its poster. @returns the video as it is now */
export async function sendPoster(video: string, picture: Blob): Promise<MediaItem> {
  const address = await send(video, picture);
  const { item } = await checkUpload(idOfUpload(address), () => {});
  return item;
}

function send(video: string, picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const tus = new TusUpload(picture, {
      endpoint: uploadsEndpoint(),
      metadata: { slot: 'poster', filename: 'copertina.jpg', video },
      retryDelays: RETRIES_MS,
      storeFingerprintForResuming: false,
      httpStack: signedInStack,
      onUploadUrlAvailable: () => {
        tus.url = ownAddress(tus.url ?? '');
      },
      onSuccess: () => resolve(tus.url ?? ''),
      onError: reject,
    });
    tus.start();
  });
}
