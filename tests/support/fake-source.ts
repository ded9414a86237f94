import type { LiveMessage } from '../../src/contract/visit.ts';

/** A browser's `EventSource`, told by the test what becomes of it. */
export class FakeSource extends EventTarget {
  static CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 0;
  constructor() {
    super();
    FakeSource.opened.push(this);
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
  say(message: LiveMessage) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  refuse() {
    this.readyState = FakeSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}
