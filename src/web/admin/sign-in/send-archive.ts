import { noAnswerError, parseApiError } from '../../api/failure.ts';

type ArchiveUpload = {
  id: string;
  file: File /** Told how many bytes have left. */;
  onSent: (bytes: number) => void;
};

/** Sends an announced archive in one request: before there is an administrator nothing resumes. Rejects with a `Failure`. `fetch` can't tell how far it is. */
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
