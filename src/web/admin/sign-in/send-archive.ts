import { noAnswerError, parseApiError } from '../../api/failure.ts';

type ArchiveUpload = {
  id: string;
  file: File;
  /** Called with the bytes sent. */
  onSent: (bytes: number) => void;
};

/**
 * Sends an announced archive in one request; resuming requires an administrator. Rejects with an `ApiError`. Uses XMLHttpRequest,
 * because `fetch` reports no upload progress.
 */
export function sendArchive({ id, file, onSent }: ArchiveUpload): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('PUT', `/api/admin/restore/${id}`);
    sending.setRequestHeader('content-type', 'application/octet-stream');
    sending.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    sending.addEventListener('load', () => {
      if (sending.status < 300) resolve();
      else reject(parseApiError(parsed(sending.responseText), sending.status));
    });
    for (const end of ['error', 'abort', 'timeout'] as const)
      sending.addEventListener(end, () => reject(noAnswerError()));
    sending.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
