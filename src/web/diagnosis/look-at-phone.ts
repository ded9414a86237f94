import type { Findings } from '../../domain/diagnosis.ts';
import { orTimeout } from '../ui/waiting.ts';
import { isInAppBrowser } from '../visitor/access/in-app/looks-in-app.ts';
import { savesData } from '../visitor/media/preload.ts';
import { FILM_URL } from './files.ts';

/** What the browser says of itself without being asked for anything. */
export async function readDeviceInfo(): Promise<Findings> {
  const in_app = isInAppBrowser();
  return {
    in_app,
    letters: letters(),
    saves_data: savesData(),
    ...(isApple() && !in_app && { low_power: await refusesSilentFilm() }),
  };
}

/** How large letters are here, as a multiple of the usual size: the browser's own, and on iPhones the system's. */
function letters(): number {
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  if (!isApple() || !CSS.supports('font', '-apple-system-body')) return hundredths(root);
  const probe = document.createElement('span');
  probe.style.font = '-apple-system-body';
  document.body.append(probe);
  const system = Number.parseFloat(getComputedStyle(probe).fontSize) / 17;
  probe.remove();
  return hundredths(Math.max(root, system));
}

/** Long enough for a refusal, which comes before any byte. */
const REFUSED_WITHIN_MS = 1_500;

/** An iPhone that saves power plays not even a silent film by itself; nothing else on it tells. */
async function refusesSilentFilm(): Promise<boolean> {
  const film = document.createElement('video');
  film.muted = true;
  film.playsInline = true;
  film.src = FILM_URL;
  const refused = film.play().then(
    () => false,
    (error: unknown) => error instanceof DOMException && error.name === 'NotAllowedError',
  );
  const answer = await orTimeout(refused, REFUSED_WITHIN_MS);
  film.pause();
  film.removeAttribute('src');
  film.load();
  return answer === true;
}

function isApple(): boolean {
  return /iPhone|iPad/.test(navigator.userAgent);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
