import type { ErrorCode, ErrorDetails } from '../../contract/errors.ts';
import { errorSentence } from '../../texts/errors.ts';

type MockReply = () => Promise<Response>;

/** Replaces `fetch` for these paths with mocked replies; other requests reach the server. */
export function mockResponses(answers: Record<string, MockReply>): void {
  const real = window.fetch;
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    return answers[pathname]?.() ?? real(input, init);
  };
}

export const replyWith =
  (body: unknown): MockReply =>
  async () =>
    Response.json(body);

export const replyRefused =
  (codice: ErrorCode, details: ErrorDetails = {}): MockReply =>
  async () => {
    const messaggio = errorSentence(codice, { n: 40, id: '5f2c91', ...details });
    return Response.json({ codice, messaggio, ...details }, { status: 400 });
  };

export const replyNever: MockReply = () => new Promise(() => {});
export const replyLost: MockReply = () => Promise.reject(new TypeError('Failed to fetch'));
/** Replies like a network's own sign-in page. */
export const replyForeign: MockReply = async () => new Response('<html>', { status: 502 });
