/**
 * The smallest page that leads through film, song and tickets with the product's own media modules, so that phones' rules and networks'
 * faults can be tried on them alone. What happens is written into `window.told`.
 */

import { openFilmSource } from '../../../src/web/visitor/media/film-source.ts';
import { createSong, type PageSong } from '../../../src/web/visitor/media/song.ts';
import { createVideoStage, type VideoStage } from '../../../src/web/visitor/media/stage.ts';
import { openTickets } from '../../../src/web/visitor/media/tickets.ts';
import { primeMedia } from '../../../src/web/visitor/media-host.ts';

type Harness = { told: string[]; stage?: VideoStage; song?: PageSong };
const harness = window as unknown as Harness & { harness: Harness };
harness.told = [];

const query = new URLSearchParams(location.search);
const video_url = query.get('video') ?? '/media/video-3s.mp4';
const content = {
  video_url,
  light_url: query.get('light'),
  video_bitrate: null,
  poster_url: query.get('poster'),
  video_playback_rate: Number(query.get('rate') ?? 1),
};
const page = document.querySelector('#page') as HTMLElement;
const notices = document.querySelector('#notices') as HTMLElement;

document.querySelector('#enter')?.addEventListener('click', () => {
  primeMedia();
  openFilmSource(content);
  say('frase prima del film');
  setTimeout(showFilm, Number(query.get('wait') ?? 0));
});

function say(text: string): void {
  (document.querySelector('#said') as HTMLElement).textContent = text;
}

function showFilm(): void {
  const stage = createVideoStage({
    content,
    startAt: Number(query.get('startAt') ?? 0),
    carry: [notices],
    onEvent: (event) => {
      harness.told.push(event.type === 'second' ? `second ${event.second}` : event.type);
      if (event.type === 'ended') afterFilm(stage);
    },
  });
  harness.stage = stage;
  const draw = () => drawOverlay(stage);
  stage.subscribe(draw);
  draw();
}

function drawOverlay(stage: VideoStage): void {
  const { phase, canStart } = stage.state();
  harness.told.push(phase);
  const shown = stage.overlay.dataset;
  if (shown['phase'] === `${phase}${canStart}`) return;
  shown['phase'] = `${phase}${canStart}`;
  stage.overlay.replaceChildren(...overlayOf(stage));
}

function overlayOf(stage: VideoStage): HTMLElement[] {
  const { phase, canStart } = stage.state();
  if (phase === 'idle') return [button('Inizia Esperienza', stage.start, !canStart)];
  if (phase === 'stalled') return [paragraph('Un attimo…')];
  if (phase === 'blocked' || phase === 'osPaused') return [button('Tocca per continuare', stage.resume)];
  return phase === 'failed' ? [button('Riprova', stage.retry)] : [];
}

function afterFilm(stage: VideoStage): void {
  stage.destroy();
  const song = createSong();
  harness.song = song;
  const start = new URLSearchParams(location.search).get('inizio');
  const url = `/media/song.mp3${start === null ? '' : `#t=${start}`}`;
  song.start({ url, viaggio: 1 });
  say('frase dopo il film');
  const tickets = openTickets('/tickets/biglietti.pdf');
  tickets.fetchAhead();
  const link = document.createElement('a');
  Object.assign(link, {
    href: '/tickets/biglietti.pdf',
    textContent: 'Scarica',
    target: '_blank',
    rel: 'noopener',
  });
  link.download = 'biglietti.pdf';
  link.addEventListener('click', tickets.downloadTapped);
  page.append(
    link,
    button('Condividi', tickets.share),
    button('Rispondi', () => {
      song.prepareFade();
      song.fade();
    }),
    button('Secondo viaggio', () => setTimeout(() => song.start({ url, viaggio: 2 }), 6_000)),
  );
}

function button(text: string, tapped: () => void, disabled = false): HTMLElement {
  const element = document.createElement('button');
  element.textContent = text;
  element.disabled = disabled;
  element.addEventListener('click', tapped);
  return element;
}

function paragraph(text: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}
