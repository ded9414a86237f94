import { step } from '../../../src/experience/video-lock/lock.ts';
import {
  type Effect,
  type LockEvent,
  type LockState,
  newLock,
  type PlayerState,
  type TimerName,
} from '../../../src/experience/video-lock/lock-types.ts';

const SLICE = 50;

/** A media element, its browser and a clock, as far as the lock's rules see them. */
export class FakeFilm {
  now = 0;
  hidden = false;
  online = true;
  position = 0;
  duration = Number.NaN;
  length = 20;
  paused = true;
  ended = false;
  seeking = false;
  rate = 1;
  /** The server serves the film up to this second; NaN means that every load fails. */
  served = Number.POSITIVE_INFINITY;
  /** Seconds of film that have arrived; null: no limit. */
  arrived: number | null = null;
  /** Too little has arrived to show anything. */
  starved = false;
  /** Bytes past the point of failure cannot be decoded. */
  undecodable = false;
  /** A light film is available. */
  lighter = false;
  refusal: string | null = null;
  /** A source without byte ranges seeks to its beginning, for any position. */
  seekable = true;
  readonly plays: number[] = [];
  readonly loads: number[] = [];
  readonly lightened: number[] = [];
  readonly pauses: number[] = [];
  readonly seeks: number[] = [];
  readonly announcements: string[] = [];
  state: LockState;
  #timers = new Map<TimerName, number>();
  #later: { at: number; run: () => void }[] = [];

  constructor(startAt = 0, rate = 1) {
    this.state = newLock(startAt, rate);
    this.open();
  }

  get phase() {
    return this.state.phase;
  }

  send(event: LockEvent): void {
    const { state, effects } = step(this.state, event, this.world());
    this.state = state;
    for (const effect of effects) this.#act(effect);
  }

  /** Advances time: the film plays, events fire, timers expire. */
  pass(ms: number): void {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += SLICE;
      this.#play();
      if (this.now % 250 === 0 && !this.paused) this.send({ type: 'timeupdate' });
      if (this.now % 500 === 0) this.send({ type: 'tick' });
      this.#due();
    }
  }

  /** Simulates the arrival of the source's beginning. */
  open(): void {
    if (Number.isNaN(this.served)) return this.fail();
    this.duration = this.length;
    this.send({ type: 'loadedmetadata' });
  }

  fail(): void {
    this.duration = Number.NaN;
    this.paused = true;
    this.send({ type: 'error' });
  }

  /** Pauses like a script, a headset or the phone. */
  pauseFromOutside(): void {
    this.paused = true;
    this.#soon(() => this.send({ type: 'pause' }));
  }

  seekFromOutside(to: number): void {
    this.#seek(to);
  }

  setHidden(hidden: boolean): void {
    this.hidden = hidden;
    this.send({ type: hidden ? 'hidden' : 'visible' });
  }

  setOnline(online: boolean): void {
    this.online = online;
    this.send({ type: online ? 'online' : 'offline' });
  }

  world(): PlayerState {
    const { now, hidden, online, position, duration, paused, ended, seeking, rate } = this;
    const bufferedTo = Math.max(position, this.arrived ?? Math.min(this.length, this.served));
    return {
      now,
      hidden,
      online,
      position,
      duration,
      paused,
      ended,
      seeking,
      rate,
      bufferedTo,
      undecodable: this.undecodable,
      lighter: this.lighter,
    };
  }

  #play(): void {
    if (this.starved || this.paused || this.seeking || Number.isNaN(this.duration)) return;
    const limit = Math.min(this.length, this.served, this.arrived ?? Number.POSITIVE_INFINITY);
    if (this.position >= limit) return;
    this.position = Math.min(limit, this.position + (this.rate * SLICE) / 1_000);
    if (this.position < this.length) return;
    this.ended = true;
    this.paused = true;
    this.send({ type: 'pause' });
    this.send({ type: 'ended' });
  }

  #act(effect: Effect): void {
    switch (effect.do) {
      case 'play':
        return this.#startPlaying();
      case 'pause':
        this.pauses.push(this.now);
        return this.pauseFromOutside();
      case 'setRate':
        this.rate = effect.rate;
        return;
      case 'seek':
        this.seeks.push(effect.to);
        return this.#seek(effect.to);
      case 'reload':
        return this.#load();
      case 'lighten':
        this.lighter = false;
        this.lightened.push(this.now);
        return this.#load();
      case 'wait':
        this.#timers.set(effect.timer, this.now + effect.ms);
        return;
      case 'forget':
        this.#timers.delete(effect.timer);
        return;
      case 'announce':
        this.announcements.push(effect.what);
    }
  }

  #startPlaying(): void {
    this.plays.push(this.now);
    const { refusal } = this;
    if (refusal !== null) this.#soon(() => this.send({ type: 'refused', name: refusal }));
    else {
      this.paused = false;
      this.#soon(() => this.send({ type: 'playing' }));
    }
  }

  #seek(to: number): void {
    this.seeking = true;
    this.ended = false;
    this.position = this.seekable ? to : 0;
    this.#soon(() => this.send({ type: 'seeking' }));
    this.#soon(() => {
      this.seeking = false;
      this.send({ type: 'seeked' });
    }, 100);
  }

  #load(): void {
    this.loads.push(this.now);
    Object.assign(this, { position: 0, duration: Number.NaN, paused: true, ended: false, seeking: false });
    this.rate = 1;
    if (this.online) this.#soon(() => this.open(), 100);
    else this.#soon(() => this.fail(), 100);
  }

  #soon(run: () => void, ms = SLICE): void {
    this.#later.push({ at: this.now + ms, run });
  }

  #due(): void {
    const due = this.#later.filter(({ at }) => at <= this.now);
    this.#later = this.#later.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
    for (const [timer, at] of this.#timers) {
      if (at > this.now) continue;
      this.#timers.delete(timer);
      this.send({ type: 'due', timer });
    }
  }
}

/** Returns a film that plays. */
export function playingFilm(startAt = 0, rate = 1): FakeFilm {
  const film = new FakeFilm(startAt, rate);
  film.pass(300);
  film.send({ type: 'start' });
  film.pass(1_000);
  return film;
}
