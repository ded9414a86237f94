import type { ErrorCode, ErrorDetails } from '../../contract/errors.ts';
import { errorSentence } from '../../texts/errors.ts';

type Answer = () => Promise<Response>;

/** What the server would say to calls on these paths; any other call goes where it goes. */
export function answerInstead(answers: Record<string, Answer>): void {
  const real = window.fetch;
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    return answers[pathname]?.() ?? real(input, init);
  };
}

export const said =
  (body: unknown): Answer =>
  async () =>
    Response.json(body);

export const refused =
  (codice: ErrorCode, details: ErrorDetails = {}): Answer =>
  async () => {
    const messaggio = errorSentence(codice, { n: 40, id: '5f2c91', ...details });
    return Response.json({ codice, messaggio, ...details }, { status: 400 });
  };

export const neverSaid: Answer = () => new Promise(() => {});
export const lost: Answer = () => Promise.reject(new TypeError('Failed to fetch'));
/** As a network's own sign-in page does. */
export const notOurs: Answer = async () => new Response('<html>', { status: 502 });
