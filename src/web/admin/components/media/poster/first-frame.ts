import { drawFrame, isBlack } from './draw-frame.ts';

/** Where a frame worth showing is looked for, in seconds; films begin in the dark. */
const SECONDS = [1, 2, 4, 8] as const;
/** Whatever a browser is asked for comes within this time, in milliseconds, or not at all. */
const PATIENCE_MS = 20_000;

/** The first frame of a video that isn't black (about a second in), as a JPEG; null where this browser can't draw it. */
export async function firstFrame(src: string): Promise<Blob | null> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  video.src = src;
  try {
    await heard(video, 'loadeddata');
    for (const second of momentsOf(video.duration)) {
      video.currentTime = second;
      // The next only where this one is black.
      await heard(video, 'seeked');
      if (!isBlack(video)) break;
    }
    return await drawFrame(video);
  } catch {
    return null;
  } finally {
    video.removeAttribute('src');
    video.load();
  }
}

function momentsOf(duration: number): number[] {
  if (!Number.isFinite(duration)) return [SECONDS[0]];
  const inside = SECONDS.filter((second) => second < duration);
  return inside.length === 0 ? [duration / 2] : [...inside, duration / 2];
}

function heard(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`No ${event}`)), PATIENCE_MS);
    const once = { once: true } as const;
    video.addEventListener(event, () => (clearTimeout(late), resolve()), once);
    video.addEventListener('error', () => (clearTimeout(late), reject(new Error('Unplayable'))), once);
  });
}
