import type { Viaggio } from '../../domain/content.ts';
import { dip, fadeOut, type Ramp, rampUp, type Schedule, type SetLevel } from './fade.ts';

/** One audio element. Nothing throws but the promise of `play`. */
export type AudioPort = {
  /** Takes this source if it hasn't it yet; the place in it stays. */
  load(url: string): void;
  play(): Promise<void>;
  pause(): void;
  /** Loudness without preparations, null where phones ignore it. */
  level: () => SetLevel | null;
  /** The means of the fade; null when there is none and the song just stops. Settles within 300 ms. */
  fader: () => Promise<SetLevel | null>;
};

export type SongPorts = {
  /** One voice for each trip: a voice that went through a fade may not be usable again. */
  voice(viaggio: Viaggio): AudioPort;
  after: Schedule;
  /** Calls once, at the visitor's next tap or key, inside it. */
  onNextTap(run: () => void): () => void;
  hidden(): boolean;
  /** The song is over or was stopped, and nothing follows it. */
  silent(): void;
};

export type Song = { url: string; viaggio: Viaggio };

/** `waiting`: wanted, but the page is hidden or the browser wants a tap first. */
export type SongPhase = 'silent' | 'playing' | 'waiting' | 'fading';

export type SongPlayer = {
  /** Plays on from where this song was, looped, coming up to full volume; during a fade, after it. Never waits, never fails. */
  start(song: Song): void;
  /** Makes room for a destination: low for a moment, where the phone has a loudness. */
  dip(): void;
  /** Fades and stops (spec 4). */
  fade(): void;
  /** Silence at once. */
  stop(): void;
  /** The page was hidden or seen again. */
  visibilityChanged(): void;
  /** The element was paused by somebody else: a call, another app, a headset. */
  interrupted(): void;
  phase(): SongPhase;
};

/** An interruption is answered once, this much later; a second one so soon waits for a tap. */
const ANSWER_AFTER_MS = 300;
const CALM_MS = 5_000;

/**
 * The song of the phrases. It asks for nothing: where the phone refuses it, it begins at the next tap anywhere.
 * The caller keeps it apart from the film: `start` after the film's end only, `stop` before its beginning.
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
  /** Asked for during a fade. */
  next: Song | null;
  /** Answers to an older `play` or `fader` are nobody's any more. */
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

/** Lets it be heard, coming up from silence where the phone has a loudness. */
function play(player: Player, ramp: Ramp): void {
  forget(player);
  const { voice, ports, turn } = player;
  player.phase = ports.hidden() ? 'waiting' : 'playing';
  if (voice === null || player.phase === 'waiting') return;
  const level = voice.level();
  if (level !== null) player.pending.push(rampUp(level, ports.after, ramp));
  voice.play().catch((error: unknown) => {
    const changedItsMind = error instanceof Error && error.name === 'AbortError';
    if (turn === player.turn && player.phase === 'playing' && !changedItsMind) waitForTap(player);
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
