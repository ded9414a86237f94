import { vi } from 'vitest';

/** A page without a browser, as much of it as what plays the film touches: elements in a tree, and what is drawn on a canvas. */

export class StandIn extends EventTarget {
  readonly tag: string;
  children: StandIn[] = [];
  parentElement: StandIn | null = null;
  style: Record<string, string> = {};
  dataset: Record<string, string> = {};
  className = '';
  inert = false;
  attributes: Record<string, string> = {};
  readonly classList = {
    add: (name: string) => {
      this.className = `${this.className} ${name}`.trim();
    },
    remove: (name: string) => {
      this.className = this.className
        .split(' ')
        .filter((other) => other !== name)
        .join(' ');
    },
  };

  constructor(tag: string) {
    super();
    this.tag = tag;
  }
  get childNodes(): StandIn[] {
    return this.children;
  }
  get firstElementChild(): StandIn | undefined {
    return this.children[0];
  }
  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }
  hasAttribute(name: string): boolean {
    return name in this.attributes;
  }
  removeAttribute(name: string): void {
    delete this.attributes[name];
  }
  append(...nodes: StandIn[]): void {
    this.#put(nodes, this.children.length);
  }
  prepend(...nodes: StandIn[]): void {
    this.#put(nodes, 0);
  }
  before(...nodes: StandIn[]): void {
    for (const node of nodes) node.remove();
    this.parentElement?.put(nodes, this.parentElement.children.indexOf(this));
  }
  replaceWith(node: StandIn): void {
    this.before(node);
    this.remove();
  }
  remove(): void {
    const around = this.parentElement;
    if (around !== null) around.children = around.children.filter((child) => child !== this);
    this.parentElement = null;
  }
  put(nodes: StandIn[], place: number): void {
    this.#put(nodes, place);
  }
  #put(nodes: StandIn[], place: number): void {
    const before = this.children[place];
    for (const node of nodes) node.remove();
    const at = before === undefined ? this.children.length : this.children.indexOf(before);
    this.children = this.children.toSpliced(at, 0, ...nodes);
    for (const node of nodes) node.parentElement = this;
  }
}

/** `did` tells what was asked of it; it plays no faster than a test moves it. */
export class StandInMedia extends StandIn {
  readonly HAVE_CURRENT_DATA = 2;
  readyState = 0;
  networkState = 2;
  videoWidth = 0;
  videoHeight = 0;
  currentTime = 0;
  duration = Number.NaN;
  paused = true;
  ended = false;
  muted = true;
  volume = 1;
  playbackRate = 1;
  did: string[] = [];
  /** Seconds that have arrived, from its beginning; one range for each. */
  ranges: [number, number][] = [];
  /** What the browser says to the next `play`. */
  answer: () => Promise<void> = async () => undefined;
  load(): void {
    this.did.push('load');
  }
  pause(): void {
    this.did.push('pause');
    this.paused = true;
  }
  play(): Promise<void> {
    this.did.push('play');
    this.paused = false;
    return this.answer();
  }
  get buffered() {
    const { ranges } = this;
    return {
      length: ranges.length,
      start: (index: number) => ranges[index]?.[0] ?? 0,
      end: (index: number) => ranges[index]?.[1] ?? 0,
    };
  }
  get src(): string {
    return this.attributes['src'] ?? '';
  }
  set src(url: string) {
    this.attributes['src'] = url;
  }
  /** It says so. */
  say(...words: string[]): void {
    for (const word of words) this.dispatchEvent(new Event(word));
  }
}

export class StandInImage extends StandIn {
  naturalWidth = 0;
  naturalHeight = 0;
}

/** One picture laid on a canvas, or a colour (`fill`), with how much of it is seen. */
export type Drawn = { what: unknown; at: number[]; alpha: number };

export class StandInCanvas extends StandIn {
  width = 300;
  height = 150;
  drawn: Drawn[] = [];
  readonly context = {
    globalAlpha: 1,
    fillStyle: '',
    drawImage: (what: unknown, ...at: number[]) =>
      void this.drawn.push({ what, at, alpha: this.context.globalAlpha }),
    fillRect: (...at: number[]) =>
      void this.drawn.push({ what: this.context.fillStyle, at, alpha: this.context.globalAlpha }),
  };
  /** Where false, nothing can be drawn here. */
  static draws = true;
  getContext() {
    return StandInCanvas.draws ? this.context : null;
  }
}

function make(tag: string): StandIn {
  if (tag === 'video' || tag === 'audio') return new StandInMedia(tag);
  if (tag === 'canvas') return new StandInCanvas(tag);
  return tag === 'img' ? new StandInImage(tag) : new StandIn(tag);
}

export type StandInPage = EventTarget & {
  hidden: boolean;
  visibilityState: string;
  body: StandIn;
  documentElement: StandIn;
  /** Every element that was made, in order. */
  made: StandIn[];
  metas: { content: string }[];
};

/** Puts such a page in the place of the browser's, until `vi.unstubAllGlobals()`. */
export function standInPage(): StandInPage {
  StandInCanvas.draws = true;
  const page: StandInPage = Object.assign(new EventTarget(), {
    hidden: false,
    visibilityState: 'visible',
    body: new StandIn('body'),
    documentElement: new StandIn('html'),
    made: [],
    metas: [],
  });
  const create = (tag: string) => {
    const element = make(tag);
    page.made.push(element);
    return element;
  };
  Object.assign(page, {
    createElement: create,
    createComment: () => create('#comment'),
    querySelectorAll: () => page.metas,
  });
  vi.stubGlobal('document', page);
  vi.stubGlobal('HTMLElement', StandIn);
  vi.stubGlobal('HTMLVideoElement', StandInMedia);
  vi.stubGlobal('HTMLMediaElement', {
    HAVE_METADATA: 1,
    HAVE_CURRENT_DATA: 2,
    HAVE_FUTURE_DATA: 3,
    NETWORK_IDLE: 1,
  });
  vi.stubGlobal('MediaError', { MEDIA_ERR_DECODE: 3 });
  return page;
}

/** The window of such a page: its events, and time that a test moves on. */
export function standInWindow(): EventTarget {
  const view = new EventTarget();
  const timers = { setTimeout: (run: () => void, ms: number, ...more: []) => setTimeout(run, ms, ...more) };
  vi.stubGlobal('window', Object.assign(view, timers));
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('removeEventListener', view.removeEventListener.bind(view));
  vi.stubGlobal('KeyboardEvent', class extends Event {});
  vi.stubGlobal('Element', StandIn);
  // A task of its own comes after what is awaited already.
  vi.stubGlobal(
    'MessageChannel',
    class {
      port1 = Object.assign(new EventTarget(), { start: () => {}, close: () => {} });
      port2 = {
        postMessage: () => queueMicrotask(() => this.port1.dispatchEvent(new Event('message'))),
      };
    },
  );
  return view;
}
