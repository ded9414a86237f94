import { DefaultHttpStack, type HttpRequest, type HttpResponse, type HttpStack } from 'tus-js-client';
import { errorSentences } from '../../../../../texts/errors.ts';
import { ApiError } from '../../../../api/failure.ts';
import { requestSignIn } from '../../../signed-out.ts';

const UNAUTHORIZED = 401;
const browser = new DefaultHttpStack({});

/** HTTP requests that wait for a new sign-in after a 401, and are then sent again. */
export const authRetryStack: HttpStack = { createRequest, getName: () => 'signed-in' };

function createRequest(method: string, url: string): HttpRequest {
  let request = browser.createRequest(method, url);
  const headers = new Map<string, string>();
  let onProgress: (bytesSent: number) => void = () => {};
  let aborted = false;

  /** Creates the request again, because one can only be sent once. */
  function renew(): void {
    request = browser.createRequest(method, url);
    for (const [name, value] of headers) request.setHeader(name, value);
    request.setProgressHandler(onProgress);
  }

  async function send(body: unknown): Promise<HttpResponse> {
    const response = await request.send(body);
    if (response.getStatus() !== UNAUTHORIZED) return response;
    const signedIn = await requestSignIn();
    if (!signedIn || aborted) throw new ApiError('SIGN_IN_REQUIRED', errorSentences.SIGN_IN_REQUIRED);
    renew();
    return send(body);
  }

  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => {
      headers.set(name, value);
      request.setHeader(name, value);
    },
    getHeader: (name) => headers.get(name),
    setProgressHandler: (handler) => {
      onProgress = handler;
      request.setProgressHandler(handler);
    },
    send,
    abort: () => {
      aborted = true;
      return request.abort();
    },
    getUnderlyingObject: () => request.getUnderlyingObject() as unknown,
  };
}
