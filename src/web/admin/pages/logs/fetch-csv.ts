import { logsTexts } from '../../../../texts/admin/logs.ts';
import { Failure, failureIn } from '../../../api/failure.ts';
import { askToSignIn } from '../../signed-out.ts';

const ADDRESS = '/api/admin/logs.csv';

export type CsvFile = { name: string; content: Blob };

/**
 * The whole file, however long it takes. Rejects with a `Failure`, or with whatever the network threw when the stream broke off.
 * @param received told how many bytes have come so far
 */
export async function fetchCsv(received: (bytes: number) => void): Promise<CsvFile> {
  const response = await answered();
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Failure('UNREADABLE', logsTexts.exportFailed);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    bytes += next.value.byteLength;
    received(bytes);
  }
  return { name: fileName(response), content: new Blob(chunks, { type: 'text/csv;charset=utf-8' }) };
}

/** Who was signed out meanwhile may sign in and get the file all the same. */
async function answered(): Promise<Response> {
  const response = await fetch(ADDRESS, { cache: 'no-store' });
  if (response.ok) return response;
  const failure = failureIn(await response.json().catch(() => undefined), response.status);
  if (failure.codice === 'SIGN_IN_REQUIRED' && (await askToSignIn())) return answered();
  throw failure;
}

/** The name the server gives it, `event_logs_{date}.csv`. */
function fileName({ headers }: Response): string {
  return /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'event_logs.csv';
}
