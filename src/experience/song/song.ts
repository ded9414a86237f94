import type { Viaggio } from '../../domain/content.ts';
import { dip, fadeOut, type Ramp, rampUp, type Schedule, type SetLevel } from './fade.ts';

/** One audio element. Only the promise of `play` can fail. */
export type AudioPort = {
  /** Sets the source if it differs; otherwise the position stays. */
  load(url: string): void;
  play(): Promise<void>;
  pause(): void;
  /** Volume control without setup, or null if the phone ignores the volume. */
  level: () => SetLevel | null;
  /** Volume control for the fade; null if there is none and the song stops at once. Settles within 300 ms. */
  fader: () => Promise<SetLevel | null>;
};

export type SongPorts = {
  /** One audio element per trip: an element may be unusable after a fade. */
  voice(viaggio: Viaggio): AudioPort;
  after: Schedule;
  /** Calls back once, inside the visitor's next tap or key press. */
  onNextTap(run: () => void): () => void;
  hidden(): boolean;
  /** Called when the song ended or was stopped and no song follows. */
  silent(): void;
};

export type Song = { url: string; viaggio: Viaggio };

/** `waiting`: requested, but the page is hidden or the browser requires a tap first. */
export type SongPhase = 'silent' | 'playing' | 'waiting' | 'fading';

export type SongPlayer = {
  /** Resumes this song, looped, rising to full volume; during a fade, after it. Returns at once and never throws. */
  start(song: Song): void;
  /** Lowers the volume briefly for a destination, if the phone has a volume control. */
  dip(): void;
  /** Fades and stops (spec 4). */
  fade(): void;
  /** Silences at once. */
  stop(): void;
  /** Called when the page was hidden or shown. */
  visibilityChanged(): void;
  /** Called when something else paused the element: a call, another app, a headset. */
  interrupted(): void;
  phase(): SongPhase;
};

/** Delay before playback resumes after an interruption, in ms. A second one within `CALM_MS` waits for a tap. */
const ANSWER_AFTER_MS = 300;
const CALM_MS = 5_000;

/**
 * The song of the phrases. If the phone refuses to play it, it starts at the next tap anywhere. The caller separates it
 * from the film: `start` only after the film's end, `stop` before its start.
 */
export function createSongPlayer(ports: SongPorts): SongPlayer {
  const player: Player = {
    ports,
    phase: 'silent',
    voice: null,
    next: null,
    turn: 0,
    disturbed: false,
    pending: [],
  };
  return {
    start: (song) => start(player, song),
    dip: () => {
      const level = player.phase === 'playing' ? player.voice?.level() : null;
      if (level == null) return;
      forget(player);
      player.pending.push(dip(level, ports.after));
    },
    fade: () => fade(player),
    stop: () => {
      player.next = null;
      silence(player);
    },
    visibilityChanged: () =>
      ports.hidden() ? hide(player) : player.phase === 'waiting' && play(player, 'return'),
    interrupted: () => interrupted(player),
    phase: () => player.phase,
  };
}

type Player = {
  ports: SongPorts;
  phase: SongPhase;
  voice: AudioPort | null;
  /** Song requested during a fade. */
  next: Song | null;
  /** Results of `play` and `fader` that belong to an older turn are ignored. */
  turn: number;
  disturbed: boolean;
  pending: (() => void)[];
};

function start(player: Player, song: Song): void {
  if (player.phase === 'fading') player.next = song;
  if (player.phase !== 'silent') return;
  player.voice = player.ports.voice(song.viaggio);
  player.voice.load(song.url);
  play(player, 'entrance');
}

/** Plays, rising from silence if the phone has a volume control. */
function play(player: Player, ramp: Ramp): void {
  forget(player);
  const { voice, ports, turn } = player;
  player.phase = ports.hidden() ? 'waiting' : 'playing';
  if (voice === null || player.phase === 'waiting') return;
  const level = voice.level();
  if (level !== null) player.pending.push(rampUp(level, ports.after, ramp));
  voice.play().catch((error: unknown) => {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    if (turn === player.turn && player.phase === 'playing' && !isAbort) waitForTap(player);
  });
}

function waitForTap(player: Player): void {
  player.phase = 'waiting';
  player.pending.push(player.ports.onNextTap(() => player.phase === 'waiting' && play(player, 'entrance')));
}

function fade(player: Player): void {
  if (player.phase === 'waiting') silence(player);
  if (player.phase !== 'playing' || player.voice === null) return;
  forget(player);
  player.phase = 'fading';
  const { turn } = player;
  void player.voice.fader().then((level) => {
    if (turn !== player.turn) return;
    if (level === null) silence(player);
    else player.pending.push(fadeOut(level, player.ports.after, () => silence(player)));
  });
}

function silence(player: Player): void {
  forget(player);
  player.voice?.pause();
  player.voice?.level()?.(1);
  player.phase = 'silent';
  const song = player.next;
  player.next = null;
  if (song === null) player.ports.silent();
  else start(player, song);
}

function hide(player: Player): void {
  if (player.phase === 'fading') silence(player);
  if (player.phase !== 'playing') return;
  forget(player);
  player.phase = 'waiting';
  player.voice?.pause();
}

function interrupted(player: Player): void {
  if (player.phase !== 'playing') return;
  if (player.ports.hidden()) return hide(player);
  forget(player);
  if (player.disturbed) return waitForTap(player);
  player.disturbed = true;
  player.ports.after(CALM_MS, () => {
    player.disturbed = false;
  });
  player.pending.push(player.ports.after(ANSWER_AFTER_MS, () => play(player, 'return')));
}

function forget(player: Player): void {
  player.turn += 1;
  for (const cancel of player.pending.splice(0)) cancel();
}
