import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { humanSize } from '../../../../texts/admin/amounts.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';
import { ApiError, parseApiError } from '../../../api/failure.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { messageOf } from '../../failure.ts';
import { requestSignIn } from '../../signed-out.ts';

type ExportButtonProps = { label: string; address: string };

/** Downloads all events as a CSV file, which the server streams. */
export function ExportButton({ label, address }: ExportButtonProps) {
  const [received, setReceived] = useState<number>();
  const exportAll = async () => {
    setReceived(0);
    try {
      const { name, content } = await fetchCsv(address, setReceived);
      saveFile(name, content);
      toastSuccess(logsTexts.exported);
    } catch (error) {
      toastError(messageOf(error, logsTexts.exportFailed));
    }
    setReceived(undefined);
  };
  const working = received !== undefined;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      disabled={working}
      onClick={() => void exportAll()}
    >
      {working ? [logsTexts.exporting, received > 0 && humanSize(received)].filter(Boolean).join(' ') : label}
    </Button>
  );
}

type CsvFile = { name: string; content: Blob };

/**
 * Reads the whole file, without a timeout. Rejects with an `ApiError`, or with the network's error if the stream breaks.
 * @param received called with the bytes received
 */
async function fetchCsv(address: string, received: (bytes: number) => void): Promise<CsvFile> {
  const response = await fetchSignedIn(address);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new ApiError('UNREADABLE', logsTexts.exportFailed);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    bytes += next.value.byteLength;
    received(bytes);
  }
  return { name: fileName(response), content: new Blob(chunks, { type: 'text/csv;charset=utf-8' }) };
}

/** Requests a new sign-in if the session has ended, and repeats the request. */
async function fetchSignedIn(address: string): Promise<Response> {
  const response = await fetch(address, { cache: 'no-store' });
  if (response.ok) return response;
  const failure = parseApiError(await response.json().catch(() => undefined), response.status);
  if (failure.codice === 'SIGN_IN_REQUIRED' && (await requestSignIn())) return fetchSignedIn(address);
  throw failure;
}

/** Returns the server's file name, `event_logs_{date}.csv` or `…_excel.csv`. */
function fileName({ headers }: Response): string {
  return /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'event_logs.csv';
}
