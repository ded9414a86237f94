import type { Findings } from '../../domain/diagnosis.ts';
import { orTimeout } from '../ui/waiting.ts';
import { isInAppBrowser } from '../visitor/access/in-app/looks-in-app.ts';
import { savesData } from '../visitor/media/preload.ts';
import { FILM_URL } from './files.ts';

/** Returns the findings that need no question to the user. */
export async function readDeviceInfo(): Promise<Findings> {
  const in_app = isInAppBrowser();
  return {
    in_app,
    letters: letterSize(),
    saves_data: savesData(),
    ...(isApple() && !in_app && { low_power: await refusesSilentFilm() }),
  };
}

/** Returns the letter size as a multiple of the usual size: the browser's own or, on iPhones, the system's if larger. */
function letterSize(): number {
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  if (!isApple() || !CSS.supports('font', '-apple-system-body')) return hundredths(root);
  const probe = document.createElement('span');
  probe.style.font = '-apple-system-body';
  document.body.append(probe);
  const system = Number.parseFloat(getComputedStyle(probe).fontSize) / 17;
  probe.remove();
  return hundredths(Math.max(root, system));
}

/** Longest wait for a refusal, in ms; a refusal comes before any byte is loaded. */
const REFUSAL_TIMEOUT_MS = 1_500;

/** Returns true if an iPhone refuses to play a silent film automatically: the only sign of its low power mode. */
async function refusesSilentFilm(): Promise<boolean> {
  const film = document.createElement('video');
  film.muted = true;
  film.playsInline = true;
  film.src = FILM_URL;
  const refused = film.play().then(
    () => false,
    (error: unknown) => error instanceof DOMException && error.name === 'NotAllowedError',
  );
  const answer = await orTimeout(refused, REFUSAL_TIMEOUT_MS);
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
